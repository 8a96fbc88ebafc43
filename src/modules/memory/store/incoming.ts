import { sql } from 'kysely';
import type { Db, MemoryRow } from './tables.ts';

/** A version of an item that was sent here. */
export type IncomingItem = Pick<
  MemoryRow,
  'id' | 'brain_id' | 'content' | 'metadata' | 'occurred_at' | 'archived_at' | 'source' | 'stored_by'
>;

/** Prevents others from storing a version of this item until the transaction ends. */
export async function lockSourceId(db: Db, workspaceId: string, sourceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`ingest ${workspaceId} ${sourceId}`}, 0))`.execute(db);
}

/**
 * Versions of an item, including archived ones, newest first. They are found before they are sorted: without
 * statistics, PostgreSQL would otherwise walk over all memories of the workspace in the order of their ids.
 */
export async function listBySourceId(db: Db, sourceId: string): Promise<IncomingItem[]> {
  return db
    .with(
      (cte) => cte('versions').materialized(),
      (own) =>
        own
          .selectFrom('memories')
          .select(['id', 'brain_id', 'content', 'metadata', 'occurred_at', 'archived_at', 'source', 'stored_by'])
          .where('source_id', '=', sourceId),
    )
    .selectFrom('versions')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
}
