// Transaction ids of another cluster are meaningless here. After a copy into a younger cluster (`pg_restore`, logical
// replication) they lie in the future: rows always count as changed, and events as not yet committed.
import { sql, type Kysely } from 'kysely';
import { createKysely, createOwnerPool, type Connection } from './connect.ts';

const cluster = sql`split_part(database_history(), '.', 1)`;

type IdColumn = { table: string; column: string };

/**
 * Gives rows with transaction ids from the future the current id, like `thalamus restore`. Runs once for each cluster.
 * Returns the number of rows.
 */
export async function renewIds(owner: Connection): Promise<number> {
  const db = createKysely<unknown>(createOwnerPool(owner, 1));
  try {
    if (await isOfThisCluster(db)) return 0;
    return await db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(hashtext('thalamus renewed ids'))`.execute(transaction);
      if (await isOfThisCluster(transaction)) return 0; // another server did it meanwhile
      const workspaceIds = await listWorkspaces(transaction);
      let renewed = 0;
      for (const column of await listIdColumns(transaction))
        renewed += await renewColumn(transaction, column, workspaceIds);
      await noteCluster(transaction);
      return renewed;
    });
  } finally {
    await db.destroy();
  }
}

async function isOfThisCluster(db: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ is_same: boolean | null }>`
    select obj_description('database_history()'::regprocedure, 'pg_proc') = ${cluster} as is_same`.execute(db);
  return rows[0]?.is_same ?? false;
}

/** The comment on the function moves with a copy of the database. */
async function noteCluster(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select ${cluster} as name`.execute(db);
  await sql`comment on function database_history() is ${sql.lit(rows[0]?.name ?? '')}`.execute(db);
}

async function listWorkspaces(db: Kysely<unknown>): Promise<string[]> {
  await sql`select set_config('thalamus.system', 'on', true)`.execute(db);
  const { rows } = await sql<{ id: string }>`select id from workspaces order by id`.execute(db);
  return rows.map(({ id }) => id);
}

async function listIdColumns(db: Kysely<unknown>): Promise<IdColumn[]> {
  const { rows } = await sql<IdColumn>`
    select relname as table, attname as column from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and atttypid = 'xid8'::regtype and not attisdropped
     order by 1, 2`.execute(db);
  return rows;
}

/**
 * Workspace by workspace: row level security applies to the owner, too, and an index finds such rows without a scan.
 */
async function renewColumn(db: Kysely<unknown>, { table, column }: IdColumn, workspaceIds: readonly string[]) {
  const [name, id] = [sql.table(table), sql.ref(column)];
  let renewed = 0;
  for (const workspaceId of workspaceIds) {
    await sql`select set_config('thalamus.workspace_id', ${workspaceId}, true)`.execute(db);
    const { numAffectedRows } = await sql`
      update ${name} set ${id} = pg_current_xact_id()
       where workspace_id = ${workspaceId} and ${id} > pg_current_xact_id()
         and ${id} >= pg_snapshot_xmax(pg_current_snapshot())`.execute(db);
    renewed += Number(numAffectedRows ?? 0);
  }
  return renewed;
}
