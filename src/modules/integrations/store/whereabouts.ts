// In which list of a service each thing was met last, where things are moved from one to another.
import { sql, type Kysely } from 'kysely';
import type { SyncRow } from './syncs.ts';

type WhereaboutsRow = {
  sync_id: string;
  workspace_id: string;
  source_ref: string;
  list: string;
  has_left: boolean;
  /** By which lease it was noted; 0: before what is read now. */
  left_in: number;
};
type Db = Kysely<{ sync_whereabouts: WhereaboutsRow }>;
type Sync = Pick<SyncRow, 'id' | 'workspace_id' | 'lease_token'>;

/** Notes that these were met in a list: they are there, whatever other lists tell. */
export async function noteMet(db: Db, sync: Sync, list: string, refs: readonly string[]): Promise<void> {
  if (!refs.length) return;
  await sql`${rowsOf(sync, list, refs, false)}
    on conflict (sync_id, source_ref) do update set list = excluded.list, has_left = false
    where sync_whereabouts.list <> excluded.list or sync_whereabouts.has_left`.execute(db);
}

/** Notes that these are in a list no more. Who was met in another since has only been moved. */
export async function noteLeft(db: Db, sync: Sync, list: string, refs: readonly string[]): Promise<void> {
  if (!refs.length) return;
  await sql`${rowsOf(sync, list, refs, true)}
    on conflict (sync_id, source_ref) do update set has_left = true, left_in = excluded.left_in
    where sync_whereabouts.list = excluded.list`.execute(db);
}

function rowsOf({ id, workspace_id, lease_token }: Sync, list: string, refs: readonly string[], hasLeft: boolean) {
  return sql`
    insert into sync_whereabouts (sync_id, workspace_id, source_ref, list, has_left, left_in)
      select ${id}::uuid, ${workspace_id}::uuid, ref, ${list}::text, ${hasLeft}::boolean, ${lease_token}::integer
      from (select distinct unnest(${sql.val([...refs])}::text[]) as ref) as refs`;
}

/** Notes that a list is there no more, and so nothing of what was met in it. */
export async function noteListGone(db: Db, sync: Sync, list: string): Promise<void> {
  await db
    .updateTable('sync_whereabouts')
    .set({ has_left: true, left_in: sync.lease_token })
    .where('sync_id', '=', sync.id)
    .where('list', '=', list)
    .execute();
}

/** Takes out those that had left before what is read now and are nowhere else, at most so many. */
export async function takeLeft(db: Db, sync: Sync, most: number): Promise<string[]> {
  const left = db
    .selectFrom('sync_whereabouts')
    .select('source_ref')
    .where('sync_id', '=', sync.id)
    .where('has_left', '=', true)
    .where('left_in', '<', sync.lease_token)
    .orderBy('source_ref')
    .limit(most);
  const rows = await db
    .deleteFrom('sync_whereabouts')
    .where('sync_id', '=', sync.id)
    .where('source_ref', 'in', left)
    .returning('source_ref')
    .execute();
  return rows.map((row) => row.source_ref);
}

/** Has all that has left so far count as left before what is read from now on. */
export async function countAsLeftBefore(db: Db, sync: Sync): Promise<void> {
  await db
    .updateTable('sync_whereabouts')
    .set({ left_in: 0 })
    .where('sync_id', '=', sync.id)
    .where('has_left', '=', true)
    .execute();
}

/** Forgets where everything is, since all of it is about to be met again. */
export async function forgetWhereabouts(db: Db, sync: Sync): Promise<void> {
  await db.deleteFrom('sync_whereabouts').where('sync_id', '=', sync.id).execute();
}
