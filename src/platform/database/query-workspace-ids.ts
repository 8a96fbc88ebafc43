import type { Db } from '#kernel/database';
import { sql, type RawBuilder } from 'kysely';

/**
 * Calls a function of the database that answers ids of workspaces, in a transaction of the server itself (`asSystem`). Such a function
 * reads all workspaces with the rights of its owner, and no other column than the id of the workspace leaves it.
 */
export async function queryWorkspaceIds(db: Db, call: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from ${call} as found (id)`.execute(db);
  return rows.map(({ id }) => id);
}
