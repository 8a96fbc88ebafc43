// The deliveries of one destination in this process. Some are sent concurrently; one transaction at a time stores the
// outcomes of finished ones and leases as many others, so that they share its statements.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#kernel/database';
import { withSpan, noteOutcome, SpanKind } from '#platform/telemetry';
import { buildMessageId } from '../message-id.ts';
import type { DeliveryDeps } from './dependencies.ts';
import { sendMessage } from './send.ts';
import { storeOutcomes, type DeliveryAttempt } from './store-outcomes.ts';
import { takeOpened, type OpenedDestination, type TakenDelivery } from './take-deliveries.ts';

/** How long an outcome may wait for the outcomes of concurrent deliveries, to be stored together. */
const gatherMs = 5;

export type DestinationQueue = {
  /** Resolves when nothing is being sent any more and all outcomes are stored. Never rejects. */
  done: Promise<void>;
  /** How many deliveries it has leased, or is about to lease. */
  countWaiting(): number;
  /** Makes it look for more deliveries now. */
  wake(): void;
};

type QueueOptions = {
  id: string;
  workspaceId: string;
  /** How many more deliveries may be leased, given the number being sent and the number finished. */
  getRoom(sending: number, ended: number): number;
};

/** Sends the due deliveries of a destination until there are none. */
export function startDestinationQueue(
  deps: DeliveryDeps,
  { id, workspaceId, getRoom }: QueueOptions,
): DestinationQueue {
  const sends = createSends(deps, id);
  let reserved = 0;
  let before: OpenedDestination | null = null;

  async function storeAndTake(): Promise<void> {
    reserved = getRoom(sends.countSending(), sends.countEnded());
    const [limit, attempts] = [reserved, sends.takeEnded()];
    if (limit === 0 && attempts.length === 0) return;
    const work = async (db: Db) => {
      await storeOutcomes(deps, db, attempts);
      return limit > 0 ? takeOpened(deps, db, { id, limit, before }) : [];
    };
    try {
      const taken = await deps.transactions.run(workspaceId, 'write', work, { mayRepeat: true });
      countAttempts(deps, attempts);
      before = taken.at(-1) ?? before;
      for (const each of taken) sends.begin(each);
    } catch (error) {
      reportError(deps, id, error);
      await storeEach(deps, { id, workspaceId }, attempts);
    } finally {
      reserved = 0;
    }
  }

  async function run(): Promise<void> {
    do {
      sends.startRound();
      await storeAndTake();
      await sends.gather();
    } while (sends.countSending() > 0 || sends.countEnded() > 0 || sends.isWoken());
  }

  const countWaiting = () => sends.countSending() + sends.countEnded() + reserved;
  return { done: run(), countWaiting, wake: sends.wake };
}

/** The deliveries that are being sent, and those that ended and are not stored yet. */
function createSends(deps: DeliveryDeps, destinationId: string) {
  const sending = new Set<Promise<void>>();
  let ended: DeliveryAttempt[] = [];
  let isWoken = false;
  let signal = Promise.withResolvers<void>();
  return {
    countSending: () => sending.size,
    countEnded: () => ended.length,
    takeEnded(): DeliveryAttempt[] {
      const taken = ended;
      ended = [];
      return taken;
    },
    begin(taken: TakenDelivery): void {
      const done = attempt(deps, taken)
        .then((attempted) => void ended.push(attempted))
        .catch((err: unknown) => reportError(deps, destinationId, err))
        .finally(() => {
          sending.delete(done);
          signal.resolve();
        });
      sending.add(done);
    },
    startRound(): void {
      signal = Promise.withResolvers();
      isWoken = false;
    },
    isWoken: () => isWoken,
    wake(): void {
      isWoken = true;
      signal.resolve();
    },
    /** Waits until a delivery ended, and then briefly for others. */
    async gather(): Promise<void> {
      if (sending.size > 0 && ended.length === 0) await signal.promise;
      const giveUpAt = performance.now() + gatherMs;
      while (sending.size > 0 && ended.length > 0 && performance.now() < giveUpAt) {
        signal = Promise.withResolvers();
        await Promise.race([signal.promise, sleep(gatherMs)]);
      }
    },
  };
}

/**
 * Stores each outcome in its own transaction, after storing them together failed: one that cannot be stored does not
 * affect the others.
 */
async function storeEach(
  deps: DeliveryDeps,
  { id, workspaceId }: { id: string; workspaceId: string },
  attempts: readonly DeliveryAttempt[],
): Promise<void> {
  for (const each of attempts) {
    try {
      await deps.transactions.run(workspaceId, 'write', (db) => storeOutcomes(deps, db, [each]), { mayRepeat: true });
      countAttempts(deps, [each]);
    } catch (error) {
      reportError(deps, id, error);
    }
  }
}

function reportError(deps: DeliveryDeps, destination: string, err: unknown): void {
  deps.log.error({ err, destination }, 'a delivery failed in the server');
}

function countAttempts(deps: DeliveryDeps, attempts: readonly DeliveryAttempt[]): void {
  for (const { taken, sent } of attempts)
    deps.count(taken.destination.id, sent.error === null ? 'delivered' : 'failed');
}

/** Sends one delivery once. */
async function attempt({ egress, now, newId }: DeliveryDeps, taken: TakenDelivery): Promise<DeliveryAttempt> {
  const { delivery, opened } = taken;
  const at = now();
  const message = {
    id: buildMessageId(delivery.id),
    contentType: delivery.content_type,
    body: delivery.payload ?? Buffer.alloc(0),
  };
  const attributes = { 'thalamus.destination.id': delivery.destination_id, 'thalamus.delivery.id': delivery.id };
  const sent = await withSpan({ name: 'deliver', kind: SpanKind.PRODUCER, attributes }, async (span) => {
    const outcome = await sendMessage(egress, opened, message, at);
    if (outcome.error !== null) noteOutcome(span, String(outcome.httpStatus ?? 'not_delivered'), false);
    return outcome;
  });
  return { id: newId(), taken, sent, at };
}
