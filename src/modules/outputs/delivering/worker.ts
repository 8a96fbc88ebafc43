// Sends due deliveries, in any number of server processes. Each destination has its own queue.
import type { Db, Transactions } from '#kernel/database';
import type { Background } from '#kernel/module';
import { findPerson } from '#modules/accounts';
import { background } from '#platform/background';
import type { Egress } from '#platform/egress';
import type { Jobs } from '#platform/jobs';
import type { Log } from '#platform/log';
import type { Vault } from '#platform/vault';
import { destinationsWithWork, endAttempt, failWaiting, takeDeliveries, type Ended } from '../store/deliveries.ts';
import { findDestination, lockDestination, updateDestination } from '../store/destinations.ts';
import type { DeliveryRow, DestinationRow } from '../store/tables.ts';
import { messageIdOf } from '../message-id.ts';
import { routeHolds } from '../route-holds.ts';
import { nextAttempt, pausedAfterMs } from './schedule.ts';
import { openDestination, sendMessage, type Sent } from './send.ts';

export const mailJob = 'outputs.mail';
export type MailWork = { email: string; subject: string; text: string };

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
  const onError = (err: unknown) => log.warn({ err }, 'deliveries could not be looked for');
  const looking = background(look, { everyMs: lookMs, onError });
  const total = () => [...active.values()].reduce((sum, each) => sum + each.size, 0);

  async function look(stopped: AbortSignal): Promise<number> {
    const at = now();
    for (const { id, workspace_id } of await doors.asSystem((db) => destinationsWithWork(db, at))) {
      const here = active.get(id) ?? new Set();
      const room = Math.min(atOnce - here.size, mostAtOnce - total());
      if (room <= 0 || stopped.aborted) continue;
      const due = { at, limit: room, leaseMs };
      const deliveries = await transactions.run(workspace_id, 'write', (db) => takeDeliveries(db, id, due));
      for (const delivery of deliveries) begin(id, here, delivery);
    }
    return lookMs;
  }

  function begin(id: string, here: Set<Promise<void>>, delivery: DeliveryRow): void {
    active.set(id, here);
    const done = deliver(doors, delivery)
      .catch((err: unknown) => log.error({ err, delivery: delivery.id }, 'a delivery failed in the server'))
      .finally(() => {
        here.delete(done);
        if (here.size === 0) active.delete(id);
        looking.wake(0);
      });
    here.add(done);
  }

  return {
    wake: () => looking.wake(20),
    start: looking.start,
    async [Symbol.asyncDispose]() {
      await looking.stop();
      await Promise.all([...active.values()].flatMap((each) => [...each]));
    },
  };
}

const noLongerAllowed =
  'The route was detached, or the owner of the destination left or no longer administers the workspace.';

async function deliver(doors: Delivering, delivery: DeliveryRow): Promise<void> {
  const { transactions, vault, egress, now } = doors;
  const { workspace_id: workspaceId, destination_id, content_type: contentType } = delivery;
  const at = now();
  const opened = await transactions.run(workspaceId, 'write', async (db) => {
    const destination = await findDestination(db, destination_id);
    if (destination?.state !== 'active') return null; // it waits until the destination is active again
    if (await routeHolds(db, delivery.route_id, destination)) return openDestination(vault, db, destination, at);
    await failWaiting(db, { id: delivery.id }, noLongerAllowed);
    return null;
  });
  if (!opened) return;
  const body = delivery.payload ?? Buffer.alloc(0);
  const sent = await sendMessage(egress, opened, { id: messageIdOf(delivery.id), contentType, body }, at);
  await transactions.run(workspaceId, 'write', (db) => note(doors, db, delivery, sent, at));
  doors.count(destination_id, sent.error === null ? 'delivered' : 'failed');
}

/** Stores an attempt and its consequences, in one transaction. */
async function note(doors: Delivering, db: Db, delivery: DeliveryRow, sent: Sent, at: Date): Promise<void> {
  const { httpStatus: http_status, error, isGone, durationMs: duration_ms, retryAfterMs } = sent;
  const destination = await lockDestination(db, delivery.destination_id);
  const attempts = delivery.attempts + 1;
  const next = isGone ? null : nextAttempt(attempts, doors.now(), { retryAfterMs, random: doors.random() });
  const isDone = error === null;
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
  if (!(await endAttempt(db, delivery, end, attempt))) return; // another process has the delivery by now
  await (isDone ? noteHealthy(db, destination) : noteFailing(doors, db, destination, { isGone, at }));
}

async function noteHealthy(db: Db, { id, failing_since }: DestinationRow): Promise<void> {
  if (failing_since !== null) await updateDestination(db, id, { failing_since: null, half_told: false });
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

async function tellOwner(
  { jobs, canMail, publicUrl }: Delivering,
  db: Db,
  { person_id, name, url }: DestinationRow,
  what: string,
) {
  const person = canMail ? await findPerson(db, person_id) : undefined;
  if (!person) return;
  const text = [what, '', `Address: ${url}`, 'List its deliveries with list_output_deliveries.', publicUrl].join('\n');
  const work: MailWork = { email: person.email, subject: `Deliveries to "${name}" fail`, text };
  await jobs.enqueue(db, mailJob, work);
}
