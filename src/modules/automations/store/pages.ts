import { sql, type Kysely } from 'kysely';

/**
 * Those of these pages that are there, each with a value that identifies its version: after a failover a transaction id alone comes
 * again.
 */
export async function listLiveVersions(
  db: Kysely<unknown>,
  ids: readonly string[],
): Promise<{ id: string; changed: string }[]> {
  const { rows } = await sql<{ id: string; changed: string }>`
    select id, changed_xact::text || ' ' || updated_at::text || ' ' || content_hash as changed from pages
     where id = any(${[...ids]}::uuid[]) and deleted_at is null order by id`.execute(db);
  return rows;
}
