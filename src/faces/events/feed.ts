import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '#kernel/caller';
import type { Transactions } from '#kernel/database';
import { latestCursor, readEvents, type Cursor, type ReadEvent } from '#modules/audit';
import { brainAccess } from '#modules/brains';

/** Reads what happened for one listener, in batches, until it leaves. */
export type Feed = (caller: Caller, after: Cursor | null, signal: AbortSignal) => AsyncGenerator<ReadEvent[]>;

const pollMs = 400;

/**
 * Makes the feed. Each listener asks the database in short intervals, so that every server process tells the same and
 * nothing is lost between them; an empty batch is a sign of life.
 */
export function createFeed({ transactions }: { transactions: Transactions }): Feed {
  return async function* feed(caller, after, signal) {
    const { workspaceId, personId } = caller;
    const latest = await transactions.run(workspaceId, 'read', latestCursor);
    // A place that is yet to come is of another database, such as the one this was restored from.
    let cursor = after && BigInt(after.xact) <= BigInt(latest.xact) ? after : latest;
    while (!signal.aborted) {
      const from = cursor;
      const events = await transactions.run(workspaceId, 'read', async (db) => {
        const { roles } = await brainAccess(db, caller);
        return readEvents(db, from, { brainIds: [...roles.keys()], personId });
      });
      cursor = events.at(-1)?.cursor ?? cursor;
      yield events;
      await sleep(pollMs, undefined, { signal }).catch(() => {});
    }
  };
}

/** The text of a cursor, for `id:` and `Last-Event-ID`. */
export function writeCursor({ xact, id }: Cursor): string {
  return `${xact}-${id}`;
}

/** Reads what `writeCursor` wrote; null when it is none, and the listener then begins with what comes. */
export function readCursor(text: string | undefined): Cursor | null {
  const match = /^(\d{1,20})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text ?? '');
  return match ? { xact: match[1] ?? '', id: match[2] ?? '' } : null;
}
