// Sends due deliveries, in any number of server processes. Each destination has its own queue.
import { isDeepStrictEqual } from 'node:util';
import type { Db, Transactions } from '#kernel/database';
import type { Background } from '#kernel/module';
import { background } from '#platform/background';
import type { Egress } from '#platform/egress';
import type { Jobs } from '#platform/jobs';
import type { Log } from '#platform/log';
import type { Vault } from '#platform/vault';
import { inSpan, noteOutcome, SpanKind } from '#platform/telemetry';
import { destinationsWithWork, endAttempt, failWaiting, takeDeliveries, type Ended } from '../store/deliveries.ts';
import { endFailing, findDestination, lockDestination, updateDestination } from '../store/destinations.ts';
import type { DeliveryRow, DestinationRow } from '../store/tables.ts';
import { messageIdOf } from '../message-id.ts';
import { routeHolds } from '../route-holds.ts';
import { nextAttempt, pausedAfterMs } from './schedule.ts';
import { openDestination, sendMessage, type Opened, type Sent } from './send.ts';
import { tellOwner } from './tell-owner.ts';

export type Delivering = {
  transactions: Transactions;
  asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>;
  egress: Egress;
  vault: Vault;
  jobs: Jobs;
  canMail: boolean;
  publicUrl: string;
  log: Log;
  count(destinationId: string, outcome: string): void;
  now: () => Date;
  newId: () => string;
  random: () => number;
};

const lookMs = 500;
/** The most concurrent deliveries to one destination, in each process. */
const atOnce = 4;
const mostAtOnce = 64;
const leaseMs = 60_000;

export type DeliveryWorker = Background & { wake(): void };

export function createDeliveryWorker(doors: Delivering): DeliveryWorker {
  const { transactions, log, now } = doors;
  const active = new Map<string, Set<Promise<void>>>();
  let isStopping = false;
  const onError = (err: unknown) => log.warn({ err }, 'deliveries could not be looked for');
  const looking = background(look, { everyMs: lookMs, onError });
  const total = () => [...active.values()].reduce((sum, each) => sum + each.size, 0);

  async function look(): Promise<number> {
    let free = mostAtOnce - total();
    const taking: Promise<void>[] = [];
    for (const destination of await doors.asSystem((db) => destinationsWithWork(db, now()))) {
      const room = Math.min(atOnce - (active.get(destination.id)?.size ?? 0), free);
      if (room <= 0 || isStopping) continue;
      free -= room;
      taking.push(fill(destination, room));
    }
    for (const { status, reason } of (await Promise.allSettled(taking)) as { status: string; reason?: unknown }[])
      if (status === 'rejected') onError(reason);
    return lookMs;
  }

  async function fill({ id, workspace_id }: { id: string; workspace_id: string }, limit: number): Promise<void> {
    const taken = await transactions.run(workspace_id, 'write', (db) => takeOpened(doors, db, { id, limit }));
    for (const each of taken) begin(id, each);
  }

  /** Delivers one, and then others of the destination as long as some are due and other destinations have room. */
  function begin(id: string, first: Taken): void {
    const here = active.get(id) ?? new Set();
    active.set(id, here);
    const hasRoom = () => !isStopping && total() < mostAtOnce;
    const lane = async () => {
      for (let next: Taken | undefined = first; next;) next = await deliver(doors, next, hasRoom);
    };
    const done = lane()
      .catch((err: unknown) => log.error({ err, destination: id }, 'a delivery failed in the server'))
      .finally(() => {
        if (!hasRoom()) looking.wake(0);
        here.delete(done);
        if (here.size === 0) active.delete(id);
      });
    here.add(done);
  }

  return {
    wake: () => looking.wake(0),
    start: looking.start,
    async [Symbol.asyncDispose]() {
      isStopping = true;
      await looking.stop();
      await Promise.all([...active.values()].flatMap((each) => [...each]));
    },
  };
}

/** A leased delivery, and its destination as it was then. */
type Taken = { delivery: DeliveryRow; destination: DestinationRow; opened: Opened };

const noLongerAllowed =
  'The route was detached, or the owner of the destination left or no longer administers the workspace.';

/** So many times others are taken in one transaction, when those that were taken are no longer allowed. */
const mostRounds = 50;

/** Leases due deliveries of a destination. Those that are no longer allowed end. */
async function takeOpened(
  { vault, now }: Delivering,
  db: Db,
  { id, limit, before }: { id: string; limit: number; before?: Taken },
): Promise<Taken[]> {
  const at = now();
  const destination = await findDestination(db, id);
  if (destination?.state !== 'active') return []; // they wait until the destination is active again
  const taken: Taken[] = [];
  for (let rounds = 0; !taken.length && rounds < mostRounds; rounds += 1) {
    const deliveries = await takeDeliveries(db, destination, { at, limit, leaseMs });
    if (!deliveries.length) break;
    const opened = (before && stillOpen(before, destination)) ?? (await openDestination(vault, db, destination, at));
    for (const delivery of deliveries) {
      if (await routeHolds(db, delivery.route_id, destination)) taken.push({ delivery, destination, opened });
      else await failWaiting(db, { id: delivery.id }, noLongerAllowed);
    }
  }
  return taken;
}

/** What was decrypted before, if it is the same. Variables and a second secret can change without the destination. */
function stillOpen({ destination, opened }: Taken, now: DestinationRow): Opened | null {
  const isSame = isDeepStrictEqual(destination, now) && !now.variables.length && now.previous_secret === null;
  return isSame ? opened : null;
}

/** Delivers one, stores the attempt, and takes the next one in the same transaction. */
async function deliver(doors: Delivering, taken: Taken, isNext: () => boolean): Promise<Taken | undefined> {
  const { delivery, opened } = taken;
  const { transactions, egress, now } = doors;
  const { workspace_id: workspaceId, destination_id: destinationId, content_type: contentType } = delivery;
  const at = now();
  const body = delivery.payload ?? Buffer.alloc(0);
  const attributes = { 'thalamus.destination.id': destinationId, 'thalamus.delivery.id': delivery.id };
  const sent = await inSpan({ name: 'deliver', kind: SpanKind.PRODUCER, attributes }, async (span) => {
    const outcome = await sendMessage(egress, opened, { id: messageIdOf(delivery.id), contentType, body }, at);
    if (outcome.error !== null) noteOutcome(span, String(outcome.httpStatus ?? 'not_delivered'), false);
    return outcome;
  });
  const [next] = await transactions.run(workspaceId, 'write', async (db) => {
    await note(doors, db, taken, sent, at);
    return isNext() ? takeOpened(doors, db, { id: destinationId, limit: 1, before: taken }) : [];
  });
  doors.count(destinationId, sent.error === null ? 'delivered' : 'failed');
  return next;
}

/** Stores an attempt and its consequences. */
async function note(
  doors: Delivering,
  db: Db,
  { delivery, destination: before }: Taken,
  sent: Sent,
  at: Date,
): Promise<void> {
  const { httpStatus: http_status, error, isGone, durationMs: duration_ms, retryAfterMs } = sent;
  const isDone = error === null;
  if (isDone && before.failing_since !== null) await endFailing(db, delivery.destination_id);
  const destination = isDone ? null : await lockDestination(db, delivery.destination_id);
  const attempts = delivery.attempts + 1;
  const next = isGone ? null : nextAttempt(attempts, doors.now(), { retryAfterMs, random: doors.random() });
  const status = isDone ? 'delivered' : next === null ? 'failed' : 'waiting';
  const end: Ended = {
    status,
    attempts,
    next_attempt_at: next ?? at,
    http_status,
    error,
    duration_ms,
    delivered_at: isDone ? doors.now() : null,
  };
  const { id: delivery_id, workspace_id } = delivery;
  const row = { http_status, error, duration_ms, delivered: isDone };
  const attempt = { id: doors.newId(), workspace_id, delivery_id, number: attempts, at, ...row };
  const isHeld = await endAttempt(db, delivery, end, attempt); // otherwise another process has the delivery by now
  if (isHeld && destination) await noteFailing(doors, db, destination, { isGone, at });
}

async function noteFailing(
  doors: Delivering,
  db: Db,
  destination: DestinationRow,
  { isGone, at }: { isGone: boolean; at: Date },
): Promise<void> {
  const { id, name, state, failing_since, half_told } = destination;
  if (state !== 'active') return;
  if (isGone) {
    await updateDestination(db, id, { state: 'gone' });
    return tellOwner(doors, db, destination, `"${name}" answered 410 Gone. Nothing is sent there any more.`);
  }
  if (failing_since === null) return updateDestination(db, id, { failing_since: at });
  const failingMs = at.getTime() - failing_since.getTime();
  if (failingMs >= pausedAfterMs) {
    await updateDestination(db, id, { state: 'paused' });
    return tellOwner(
      doors,
      db,
      destination,
      `"${name}" has failed for five days and is paused. Deliveries wait there.`,
    );
  }
  if (failingMs < pausedAfterMs / 2 || half_told) return;
  await updateDestination(db, id, { half_told: true });
  await tellOwner(doors, db, destination, `"${name}" has failed for more than two days. After five it is paused.`);
}
