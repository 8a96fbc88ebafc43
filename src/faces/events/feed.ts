import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '#kernel/caller';
import type { Transactions } from '#kernel/database';
import type { Scope } from '#kernel/scopes';
import { latestCursor, readEvents, type Cursor, type ReadEvent } from '#modules/audit';
import { brainAccess } from '#modules/brains';

/** Reads what happened for one listener, in batches, until it leaves. */
export type Feed = (caller: Caller, after: Cursor | null, signal: AbortSignal) => AsyncGenerator<ReadEvent[]>;

const pollMs = 400;
const brainsKnownMs = 5_000;

/** What a caller must be allowed to read to be told of an event, by the first word of its name. */
const scopes: Readonly<Record<string, Scope>> = {
  draft: 'actions:read',
  memory: 'memory:read',
  page: 'pages:read',
  connection: 'connections:read',
  brain: 'brains:read',
};

/** An event nobody thought of here is for who administers the workspace. */
function scopeOf(event: string): Scope {
  return scopes[event.split('.')[0] ?? ''] ?? 'workspace:admin';
}

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
    let brains: { ids: string[]; readAt: number } | null = null;
    while (!signal.aborted) {
      const from = cursor;
      const events = await transactions.run(workspaceId, 'read', async (db) => {
        if (!brains || Date.now() - brains.readAt > brainsKnownMs) {
          brains = { ids: [...(await brainAccess(db, caller)).roles.keys()], readAt: Date.now() };
        }
        return readEvents(db, from, { brainIds: brains.ids, personId });
      });
      cursor = events.at(-1)?.cursor ?? cursor;
      yield events.filter(({ name }) => caller.scopes.has(scopeOf(name)));
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
