import { sql, type Kysely } from 'kysely';

type Tables = { workspaces: { id: string; name: string; created_at: Date; ended_at: Date | null } };
type Db = Kysely<Tables>;

/** Ids of all workspaces, the oldest first; for work of the server itself. */
export async function listWorkspaceIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('workspaces').select('id').orderBy('created_at').execute();
  return rows.map((row) => row.id);
}

/**
 * The oldest workspace, which the server itself created: it stores what people need before they sign in. Undefined
 * before the first start.
 */
export async function findFirstWorkspaceId(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('workspaces').select('id').orderBy('created_at').limit(1).executeTakeFirst();
  return row?.id;
}

/** The ids of at most this many workspaces, to find out whether there is only one. */
export async function listSomeWorkspaceIds(db: Db, most: number): Promise<string[]> {
  const rows = await db.selectFrom('workspaces').select('id').where('ended_at', 'is', null).limit(most).execute();
  return rows.map((row) => row.id);
}

export async function hasWorkspace(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertWorkspace(db: Db, workspace: { id: string; name: string; at: Date }): Promise<void> {
  await db
    .insertInto('workspaces')
    .values({ id: workspace.id, name: workspace.name, created_at: workspace.at, ended_at: null })
    .execute();
}

export async function findWorkspaceName(db: Db, id: string): Promise<string> {
  const row = await db.selectFrom('workspaces').select('name').where('id', '=', id).executeTakeFirstOrThrow();
  return row.name;
}

export async function renameWorkspace(db: Db, id: string, name: string): Promise<void> {
  await db.updateTable('workspaces').set({ name }).where('id', '=', id).execute();
}

/** Serializes transactions that change the people of a workspace or their roles. */
export async function lockPeople(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('people' || current_workspace(), 0))`.execute(db);
}

/** Deletes the bound workspace with everything in it, even rows that nothing else may delete. */
export async function deleteWorkspace(db: Db): Promise<void> {
  await sql`select delete_current_workspace()`.execute(db);
}

/** Whether the bound workspace was deleted, and only must still be removed elsewhere. */
export async function isEnded(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('workspaces')
    .select('id')
    .where(sql<boolean>`id = current_workspace()`)
    .where('ended_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}
