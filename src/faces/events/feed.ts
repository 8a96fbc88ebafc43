import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '#kernel/caller';
import type { Db, Transactions } from '#kernel/database';
import type { EventKind } from '#kernel/event';
import { locateDrafts, loadViewer, type Viewer } from '#modules/actions';
import { readLatestCursor, moveCursor, readEvents, type Cursor, type ReadEvent } from '#modules/audit';
import { readBrainAccess } from '#modules/brains';

/**
 * Reads events for one listener, in batches, until it disconnects. `authenticate` is called before each batch, so that
 * the listener's present rights decide which events it gets; its error ends the feed.
 */
export type Feed = (
  authenticate: () => Promise<Caller>,
  after: Cursor | null,
  signal: AbortSignal,
) => AsyncGenerator<ReadEvent[]>;

const pollMs = 400;
/** How long an idle listener's brains and delegations are cached. */
const rightsKnownMs = 5_000;

/**
 * Creates the feed. `kinds` has the scope that a listener needs for each event; an event without an entry, such as one
 * of an earlier version, goes to nobody. Each listener polls the database at short intervals, so every server process
 * has the same events and none is lost between them. An empty batch shows that the stream is alive.
 */
export function createFeed({ transactions, kinds }: { transactions: Transactions; kinds: readonly EventKind[] }): Feed {
  const scopes = new Map(kinds.map(({ kind, scope }) => [kind, scope]));
  const isVisible = ({ scopes: callerScopes }: Caller, { name }: ReadEvent) => {
    const scope = scopes.get(name);
    return scope !== undefined && callerScopes.has(scope);
  };
  return async function* feed(authenticate, after, signal) {
    const { workspaceId } = await authenticate();
    const latest = await transactions.run(workspaceId, 'read', readLatestCursor);
    const { seenSnapshot: snapshotAtStart, ...start } = latest;
    let cursor: Cursor = after ?? start;
    const rights = createRights();
    while (!signal.aborted) {
      const [from, caller] = [cursor, await authenticate()];
      const { events, last } = await transactions.run(workspaceId, 'read', async (db) => {
        const place = await moveCursor(db, from);
        const seenSnapshot = after === null && place.history === start.history ? snapshotAtStart : undefined;
        const read = async (anew: boolean) =>
          readVisibleEvents(db, caller, place, { ...(await rights(db, caller, anew)), seenSnapshot });
        // Most batches are empty. For a batch with events, the rights are read again.
        const found = await read(false).then((first) => (first.last === undefined ? first : read(true)));
        return { events: found.events, last: found.last ?? place };
      });
      cursor = last;
      yield events.filter((event) => isVisible(caller, event));
      await sleep(pollMs, undefined, { signal }).catch(() => {});
    }
  };
}

/** What a caller may receive: events of their brains, and of the drafts they see. */
type Rights = { brainIds: readonly string[]; viewer: Viewer };

/** Reads the rights of a listener: cached for a few seconds, unless they are requested again. */
function createRights(): (db: Db, caller: Caller, anew: boolean) => Promise<Rights> {
  let known: (Rights & { readAt: number }) | null = null;
  return async (db, caller, anew) => {
    const at = new Date();
    if (anew || !known || at.getTime() - known.readAt > rightsKnownMs) {
      const brainIds = [...(await readBrainAccess(db, caller)).roles.keys()];
      known = { brainIds, viewer: await loadViewer(db, caller, at), readAt: at.getTime() };
    }
    const { delegations, ...viewer } = known.viewer;
    const inForce = delegations.filter(({ until }) => until === null || until > at);
    return { brainIds: known.brainIds, viewer: { ...viewer, delegations: inForce } };
  };
}

type EventPage = { events: ReadEvent[]; last: Cursor | undefined };

/**
 * The events for a caller, and the position read so far. Of another person's events it includes only those of drafts
 * that the caller may decide as a delegate, while the delegation is active.
 */
async function readVisibleEvents(
  db: Db,
  caller: Caller,
  from: Cursor,
  { brainIds, viewer, seenSnapshot }: Rights & { seenSnapshot: string | undefined },
): Promise<EventPage> {
  const personIds = [caller.personId, ...viewer.delegations.map(({ person_id }) => person_id)];
  const events = await readEvents(db, from, { brainIds, personIds, seenSnapshot });
  const last = events.at(-1)?.cursor;
  const isOthers = ({ personId }: ReadEvent) => personId !== null && personId !== caller.personId;
  const isDraft = ({ name }: ReadEvent) => name.startsWith('draft.');
  const isAsked = (event: ReadEvent) => isOthers(event) || (isDraft(event) && viewer.confinedTo !== null);
  const drafts = events.filter((event) => isAsked(event) && isDraft(event)).map(getDraftId);
  const seen = new Set(drafts.length ? (await locateDrafts(db, drafts, viewer)).map(({ id }) => id) : []);
  return { events: events.filter((event) => !isAsked(event) || seen.has(getDraftId(event))), last };
}

function getDraftId({ payload }: ReadEvent): string {
  return String(payload['draft_id']);
}

/** The text of a cursor, for `id:` and `Last-Event-ID`. */
export function writeCursor({ history, xact, id }: Cursor): string {
  return `${history}-${xact}-${id}`;
}

/** Reads the text of `writeCursor`; null for any other text, and the listener then starts with new events. */
export function readCursor(text: string | undefined): Cursor | null {
  const match = /^(?:([\w.]{1,40})-)?(\d{1,20})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text ?? '');
  return match ? { history: match[1] ?? '', xact: match[2] ?? '', id: match[3] ?? '' } : null; // earlier cursors have no history
}
