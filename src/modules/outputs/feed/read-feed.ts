// Reads a feed. Its token is the only authority, and a cursor marks what the reader has.
import type { Db, Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { readPresented } from '#platform/database';
import { hashSecret } from '#platform/one-time-secrets';
import { buildMessageId } from '../message-id.ts';
import { mayUse } from '../check-route.ts';
import { findDestination, listRoutesToDestination } from '../store/destinations.ts';
import { acknowledge, listFeedAfterCursor, findFeed, listPayloads } from '../store/feeds.ts';
import type { DestinationRow } from '../store/tables.ts';

type FeedDeps = { db: Db; transactions: Transactions; now: () => Date };
/** `cursor`: from the previous page, or 0 for the beginning. */
export type FeedQuery = { cursor: number; limit: number };
export type FeedEvent = {
  /** The same at every reading of the event. */
  webhook_id: string;
  created_at: string;
  content_type: string;
  body: string;
  /** The encoding of the body in the text. */
  encoding: 'utf-8' | 'base64';
};
export type FeedPage = { events: FeedEvent[]; next_cursor: string; has_more: boolean };
export type FeedRead = (token: string, query: FeedQuery) => Promise<FeedPage>;

/** The most bytes of all bodies in a page, unless a single one is larger. */
const mostBytes = 4_000_000;

/** Returns the events after a cursor, and marks those before it as read. */
export function createFeedRead({ db, transactions, now }: FeedDeps): FeedRead {
  return async (token, query) => {
    const hash = hashSecret(token);
    const found = await readPresented(db, hash, (presented) => findFeed(presented, hash));
    if (!found) throw createNoFeedError();
    return transactions.run(found.workspace_id, 'write', async (bound) => {
      const feed = await findDestination(bound, found.id);
      if (!feed || feed.state === 'deleted' || feed.token_hash !== hash) throw createNoFeedError();
      if (feed.state !== 'active')
        throw new AppError('forbidden', 'The feed is paused. A person can activate it again.');
      const routes = await listUsableRoutes(bound, feed);
      await acknowledge(bound, feed.id, { routes, cursor: query.cursor, at: now() });
      return readFeedPage(bound, feed.id, routes, query);
    });
  };
}

function createNoFeedError(): AppError {
  return new AppError('unauthenticated', 'No feed has this token. Send it as Authorization: Bearer zfeed_….');
}

async function listUsableRoutes(db: Db, feed: DestinationRow): Promise<string[]> {
  const holding: string[] = [];
  for (const route of await listRoutesToDestination(db, feed.id))
    if (await mayUse(db, route, feed)) holding.push(route.id);
  return holding;
}

async function readFeedPage(
  db: Db,
  feedId: string,
  routes: readonly string[],
  { cursor, limit }: FeedQuery,
): Promise<FeedPage> {
  const heads = await listFeedAfterCursor(db, feedId, { routes, cursor, limit: limit + 1 });
  let bytes = 0;
  const taken = heads
    .slice(0, limit)
    .filter(({ payload_bytes }, at) => (bytes += payload_bytes) <= mostBytes || at === 0);
  const rows = await listPayloads(
    db,
    taken.map(({ id }) => id),
  );
  return {
    events: rows.map(({ id, created_at, content_type, payload }) => ({
      webhook_id: buildMessageId(id),
      created_at: created_at.toISOString(),
      content_type,
      ...encodePayload(payload),
    })),
    next_cursor: String(taken.at(-1)?.position ?? cursor),
    has_more: heads.length > taken.length,
  };
}

function encodePayload(payload: Buffer): Pick<FeedEvent, 'body' | 'encoding'> {
  const body = payload.toString();
  return Buffer.from(body).equals(payload)
    ? { body, encoding: 'utf-8' }
    : { body: payload.toString('base64'), encoding: 'base64' };
}
