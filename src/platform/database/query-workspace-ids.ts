import type { Db } from '#kernel/database';
import { sql, type RawBuilder } from 'kysely';

/**
 * Calls a database function that returns ids of workspaces, in a transaction of the server itself (`asSystem`). Such a
 * function reads all workspaces with its owner's rights, and returns only their ids.
 */
export async function queryWorkspaceIds(db: Db, call: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from ${call} as found (id)`.execute(db);
  return rows.map(({ id }) => id);
}
