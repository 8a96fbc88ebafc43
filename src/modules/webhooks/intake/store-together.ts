// Stores events that arrive at the same time with one insert, so that many requests share one disk write.
import type { Transactions } from '#kernel/database';
import { insertEvents, type NewEvent, type SignedEvent } from '../store/new-events.ts';

type WaitingEvent = SignedEvent & { resolve(first: string | null): void; reject(error: unknown): void };

const mostEvents = 64;
const mostBytes = 8_000_000;

/**
 * Creates the function that stores an event of a workspace. It returns the id of an earlier event of the same delivery,
 * or null, after the transaction ended. Events that arrive during a transaction share the next one.
 */
export function createStoreTogether({ transactions }: { transactions: Transactions }) {
  const waiting = new Map<string, WaitingEvent[]>();

  async function storeAll(workspaceId: string, queue: WaitingEvent[]): Promise<void> {
    while (queue.length) await storeSome(workspaceId, queue.splice(0, countStorable(queue)));
    waiting.delete(workspaceId);
  }

  async function storeSome(workspaceId: string, some: readonly WaitingEvent[]): Promise<void> {
    try {
      const firsts = await transactions.run(workspaceId, 'write', (db) => insertEvents(db, some));
      some.forEach(({ resolve }, at) => resolve(firsts[at] ?? null));
    } catch (error) {
      if (some.length === 1) return some[0]?.reject(error);
      for (const one of some) await storeSome(workspaceId, [one]); // the error may concern only one of them
    }
  }

  return function store(event: NewEvent, signedHash: string | null): Promise<string | null> {
    return new Promise((resolve, reject) => {
      const one = { event, signedHash, resolve, reject };
      const queue = waiting.get(event.workspace_id);
      if (queue) return void queue.push(one);
      const first = [one];
      waiting.set(event.workspace_id, first);
      void storeAll(event.workspace_id, first);
    });
  };
}

/** How many of a queue are stored with one insert. Bodies count with their unpacked size. */
export function countStorable(queue: readonly Pick<WaitingEvent, 'event'>[]): number {
  let bytes = 0;
  const end = queue.findIndex(({ event }, at) => (bytes += event.body?.length ?? 0) > mostBytes && at > 0);
  return Math.min(end === -1 ? queue.length : end, mostEvents);
}
