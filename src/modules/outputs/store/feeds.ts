// The deliveries of feeds, each with a position.
import { sql } from 'kysely';
import type { Db, DeliveryRow } from './tables.ts';

/** The feed whose token has this hash. It is visible because its hash is presented. */
export async function findFeed(db: Db, hash: string): Promise<{ id: string; workspace_id: string } | undefined> {
  return db
    .selectFrom('output_destinations')
    .select(['id', 'workspace_id'])
    .where('token_hash', '=', hash)
    .executeTakeFirst();
}

/** The next position in a feed. The feed is locked, so that positions become visible in order. */
export async function takeNextPosition(db: Db, feedId: string): Promise<number> {
  const { last_position } = await db
    .updateTable('output_destinations')
    .set({ last_position: sql`last_position + 1` })
    .where('id', '=', feedId)
    .returning('last_position')
    .executeTakeFirstOrThrow();
  return last_position;
}

type Head = { id: string; position: number; payload_bytes: number };

/** The deliveries of these routes after a cursor, if still stored. */
export async function listFeedAfterCursor(
  db: Db,
  feedId: string,
  { routes, cursor, limit }: { routes: readonly string[]; cursor: number; limit: number },
): Promise<Head[]> {
  if (!routes.length) return [];
  return db
    .selectFrom('output_deliveries')
    .select(['id', 'payload_bytes', sql<number>`position`.as('position')])
    .where('destination_id', '=', feedId)
    .where('position', '>', cursor)
    .where('route_id', 'in', routes)
    .where('status', '<>', 'failed')
    .where('payload', 'is not', null)
    .orderBy('position')
    .limit(limit)
    .execute();
}

type StoredPayload = Pick<DeliveryRow, 'id' | 'created_at' | 'content_type'> & { payload: Buffer };

/** Deliveries with their payloads, by position. */
export async function listPayloads(db: Db, ids: readonly string[]): Promise<StoredPayload[]> {
  if (!ids.length) return [];
  return db
    .selectFrom('output_deliveries')
    .select(['id', 'created_at', 'content_type', sql<Buffer>`payload`.as('payload')])
    .where('id', 'in', ids)
    .where('payload', 'is not', null)
    .orderBy('position')
    .execute();
}

/** Marks the deliveries of these routes up to a cursor as read. */
export async function acknowledge(
  db: Db,
  feedId: string,
  { routes, cursor, at }: { routes: readonly string[]; cursor: number; at: Date },
): Promise<void> {
  if (!routes.length) return;
  await db
    .updateTable('output_deliveries')
    .set({ status: 'delivered', delivered_at: at, attempts: 1 })
    .where('destination_id', '=', feedId)
    .where('position', '<=', cursor)
    .where('route_id', 'in', routes)
    .where('status', '=', 'waiting')
    .execute();
}

/** Expires deliveries that nobody read in time, so that their payloads are deleted, too. */
export async function failUnread(db: Db, before: Date): Promise<void> {
  await db
    .updateTable('output_deliveries')
    .set({ status: 'failed', error: 'Nobody read it in time.' })
    .where('position', 'is not', null)
    .where('created_at', '<', before)
    .where('status', '=', 'waiting')
    .execute();
}
