// The consequences of attempts: their rows, the next attempt of each delivery, and the state of the destination.
import type { Db } from '#kernel/database';
import { endAttempts, type EndedAttempt } from '../store/deliveries.ts';
import { endFailing, lockDestination, updateDestination } from '../store/destinations.ts';
import type { DestinationRow } from '../store/tables.ts';
import type { DeliveryDeps } from './dependencies.ts';
import { computeNextAttempt, pausedAfterMs } from './retry-schedule.ts';
import type { SendOutcome } from './send.ts';
import type { TakenDelivery } from './take-deliveries.ts';
import { notifyDestinationOwner } from './notify-owner.ts';

/** An attempt that was made. `at`: when it began. */
export type DeliveryAttempt = { id: string; taken: TakenDelivery; sent: SendOutcome; at: Date };

/**
 * Stores attempts at deliveries of one destination, and their consequences, in one statement. When another process has
 * taken a delivery, that process's outcome counts. The destination is locked first, like in other code that changes it.
 */
export async function storeOutcomes(deps: DeliveryDeps, db: Db, attempts: readonly DeliveryAttempt[]): Promise<void> {
  const [first] = attempts;
  if (!first) return;
  const destinationId = first.taken.destination.id;
  const failed = attempts.filter(({ sent }) => sent.error !== null);
  const worksAgain = attempts.some(
    ({ taken, sent }) => sent.error === null && taken.destination.failing_since !== null,
  );
  if (worksAgain) await endFailing(db, destinationId);
  let destination = failed.length ? await lockDestination(db, destinationId) : null;
  const stored = await endAttempts(
    db,
    attempts.map((each) => judgeAttempt(deps, each)),
  );
  for (const { taken, sent, at } of failed)
    if (destination && stored.has(taken.delivery.id))
      destination = await noteFailing(deps, db, destination, { isGone: sent.isGone, at });
}

function judgeAttempt(deps: DeliveryDeps, { id, taken: { delivery }, sent, at }: DeliveryAttempt): EndedAttempt {
  const { httpStatus: http_status, error, isGone, durationMs: duration_ms, retryAfterMs } = sent;
  const isDone = error === null;
  const attempts = delivery.attempts + 1;
  const next = isGone ? null : computeNextAttempt(attempts, deps.now(), { retryAfterMs, random: deps.random() });
  return {
    delivery,
    attempt_id: id,
    at,
    status: isDone ? 'delivered' : next === null ? 'failed' : 'waiting',
    attempts,
    next_attempt_at: next ?? at,
    http_status,
    error,
    duration_ms,
    delivered_at: isDone ? deps.now() : null,
  };
}

/** Records that a destination failed, and returns its new state. */
async function noteFailing(
  deps: DeliveryDeps,
  db: Db,
  destination: DestinationRow,
  { isGone, at }: { isGone: boolean; at: Date },
): Promise<DestinationRow> {
  const { id, name, state, failing_since, half_told } = destination;
  if (state !== 'active') return destination;
  const change = async (changed: Partial<DestinationRow>, message?: string) => {
    await updateDestination(db, id, changed);
    if (message) await notifyDestinationOwner(deps, db, destination, `"${name}" ${message}`);
    return { ...destination, ...changed };
  };
  if (isGone) return change({ state: 'gone' }, 'answered 410 Gone. Nothing is sent there any more.');
  if (failing_since === null) return change({ failing_since: at });
  const failingMs = at.getTime() - failing_since.getTime();
  if (failingMs >= pausedAfterMs)
    return change({ state: 'paused' }, 'has failed for five days and is paused. Deliveries wait there.');
  if (failingMs < pausedAfterMs / 2 || half_told) return destination;
  return change({ half_told: true }, 'has failed for more than two days. It will be paused after five.');
}
