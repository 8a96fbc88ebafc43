// Where the items of a synced account were seen, by list. `listed`: the items of a list when it was last read to its
// end. `met`: the items that a complete reading has seen so far. `moved`: the list of an item that may move to another
// one. `left_out`: items that were left out, by reason.
import type { LeftOut, ListedItems } from '#providers/reading';
import { sql, type ColumnType, type Kysely } from 'kysely';
import type { SyncRow } from './syncs.ts';

type LocationRow = {
  sync_id: string;
  workspace_id: string;
  purpose: 'listed' | 'met' | 'moved' | 'left_out';
  list: string;
  source_ref: string;
  at: Date | null;
  /** The lease under which the item left its list; 0: before the current reading. Null: the item is in the list. */
  left_in: number | null;
  /** How many items the row stands for: one, or the number of older items that are left out. */
  items: ColumnType<number, number | undefined, number>;
};
type Db = Kysely<{ item_locations: LocationRow }>;
type Sync = Pick<SyncRow, 'id' | 'workspace_id'>;
type LeasedSync = Pick<SyncRow, 'id' | 'workspace_id' | 'lease_token'>;

function selectLocations(db: Db, { id }: Sync, purpose: LocationRow['purpose']) {
  return db.selectFrom('item_locations').where('sync_id', '=', id).where('purpose', '=', purpose);
}

/** The items of a list when it was last read to its end. */
export async function readListedItems(db: Db, sync: Sync, list: string): Promise<ListedItems> {
  const rows = await selectLocations(db, sync, 'listed')
    .where('list', '=', list)
    .select(['source_ref', 'at'])
    .execute();
  return rows.map((row) => [row.source_ref, row.at?.toISOString() ?? '']);
}

/** Stores the known items of a list. */
export async function keepListed(db: Db, sync: Sync, list: string, items: ListedItems): Promise<void> {
  const refs = items.map(([ref]) => ref);
  const times = items.map(([, at]) => at || null);
  await sql`
    delete from item_locations where sync_id = ${sync.id} and purpose = 'listed' and list = ${list}
      and source_ref <> all (${sql.val(refs)}::text[])`.execute(db);
  await sql`
    insert into item_locations (sync_id, workspace_id, purpose, list, source_ref, at)
      select ${sync.id}::uuid, ${sync.workspace_id}::uuid, 'listed', ${list}::text, ref, max(changed)
      from unnest(${sql.val(refs)}::text[], ${sql.val(times)}::timestamptz[]) as item (ref, changed) group by ref
    on conflict (sync_id, purpose, list, source_ref) do update set at = excluded.at
      where item_locations.at is distinct from excluded.at`.execute(db);
}

/** Deletes the known items of all lists, because all lists are read from their beginning. */
export async function forgetListed(db: Db, { id }: Sync): Promise<void> {
  await db.deleteFrom('item_locations').where('sync_id', '=', id).where('purpose', '=', 'listed').execute();
}

/** The key of the row that counts the older items that are left out. */
const older = '';
/** How many of the newest left-out items of a sync are stored by name. Older ones are only counted. */
const mostNoted = 10_000;

/**
 * Stores which of the read items are left out, in place of earlier notes about them. Only the newest items of a sync
 * are stored by name, so an older item that is read again is counted again.
 */
export async function keepLeftOut(
  db: Db,
  { id, workspace_id }: Sync,
  { refs, leftOut, at }: { refs: readonly string[]; leftOut: readonly LeftOut[]; at: Date },
): Promise<void> {
  const read = [...new Set([...refs, ...leftOut.map(({ ref }) => ref)])];
  if (!read.length) return;
  await sql`
    delete from item_locations where sync_id = ${id} and purpose = 'left_out'
      and source_ref = any (${sql.val(read)}::text[])`.execute(db);
  if (!leftOut.length) return;
  await sql`
    insert into item_locations (sync_id, workspace_id, purpose, list, source_ref, at)
      select ${id}::uuid, ${workspace_id}::uuid, 'left_out', why, ref, ${at}
      from unnest(${sql.val(leftOut.map(({ why }) => why))}::text[], ${sql.val(leftOut.map(({ ref }) => ref))}::text[]) as item (why, ref)
    on conflict do nothing`.execute(db);
  await countOlderLeftOut(db, { id, workspace_id });
}

/** Replaces all but the newest notes by their number. */
async function countOlderLeftOut(db: Db, { id, workspace_id }: Sync): Promise<void> {
  await sql`
    with dropped as (
      delete from item_locations where ctid = any (array(
        select ctid from item_locations where sync_id = ${id} and purpose = 'left_out' and source_ref <> ${older}
         order by at desc nulls last, list, source_ref offset ${mostNoted}))
      returning list
    )
    insert into item_locations (sync_id, workspace_id, purpose, list, source_ref, items)
      select ${id}::uuid, ${workspace_id}::uuid, 'left_out', list, ${older}, count(*)::integer from dropped group by list
    on conflict (sync_id, purpose, list, source_ref) do update set items = item_locations.items + excluded.items`.execute(
    db,
  );
}

/** Deletes all notes about left-out items, because everything is read again. */
export async function forgetLeftOut(db: Db, { id }: Pick<Sync, 'id'>): Promise<void> {
  await db.deleteFrom('item_locations').where('sync_id', '=', id).where('purpose', '=', 'left_out').execute();
}

/** How many items of each sync are left out, by reason, the most frequent reason first. */
export async function countLeftOut(
  db: Db,
  syncIds: readonly string[],
): Promise<Map<string, { why: string; items: number }[]>> {
  if (!syncIds.length) return new Map();
  const rows = await db
    .selectFrom('item_locations')
    .where('sync_id', 'in', syncIds)
    .where('purpose', '=', 'left_out')
    .groupBy(['sync_id', 'list'])
    .select(['sync_id', 'list as why', sql<number>`sum(items)::integer`.as('items')])
    .orderBy(sql`sum(items) desc, list`)
    .execute();
  const counts = new Map<string, { why: string; items: number }[]>();
  for (const { sync_id: id, ...count } of rows) counts.set(id, [...(counts.get(id) ?? []), count]);
  return counts;
}

/** A part of an account that is read completely. */
type SyncPart = { sync: Sync; part: string };

/** The row that marks the start of watching a part. */
const beginning = '';

/** Starts to watch a part, and deletes earlier observations of it. */
export async function watchPart(db: Db, part: SyncPart, at: Date): Promise<void> {
  await forgetPart(db, part);
  await addMet(db, part, [beginning], at);
}

/** When watching a part started; null: it is not watched. */
export async function readWatchStart(db: Db, { sync, part }: SyncPart): Promise<Date | null> {
  const row = await selectLocations(db, sync, 'met')
    .where('list', '=', part)
    .where('source_ref', '=', beginning)
    .select('at')
    .executeTakeFirst();
  return row?.at ?? null;
}

export async function addMet(db: Db, { sync, part }: SyncPart, refs: readonly string[], at: Date): Promise<void> {
  if (!refs.length) return;
  await sql`
    insert into item_locations (sync_id, workspace_id, purpose, list, source_ref, at)
      select ${sync.id}::uuid, ${sync.workspace_id}::uuid, 'met', ${part}::text, ref, ${at}::timestamptz
      from unnest(${sql.val([...refs])}::text[]) as ref
    on conflict do nothing`.execute(db);
}

/** The references that were not seen. */
export async function listUnmetRefs(db: Db, { sync, part }: SyncPart, refs: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ ref: string }>`
    select ref from unnest(${sql.val([...refs])}::text[]) as ref
    where not exists (
      select from item_locations
       where sync_id = ${sync.id} and purpose = 'met' and list = ${part} and source_ref = ref
    )`.execute(db);
  return rows.map(({ ref }) => ref);
}

/** Stops watching a part. */
export async function forgetPart(db: Db, { sync, part }: SyncPart): Promise<void> {
  await db
    .deleteFrom('item_locations')
    .where('sync_id', '=', sync.id)
    .where('purpose', '=', 'met')
    .where('list', '=', part)
    .execute();
}

/** Stores that these items are in a list, whatever other lists contain. */
export async function noteThere(db: Db, sync: LeasedSync, list: string, refs: readonly string[]): Promise<void> {
  if (!refs.length) return;
  await db
    .deleteFrom('item_locations')
    .where('sync_id', '=', sync.id)
    .where('purpose', '=', 'moved')
    .where('list', '<>', list)
    .where('source_ref', '=', sql<string>`any (${sql.val([...refs])}::text[])`)
    .execute();
  await sql`
    ${buildMovedInsert(sync, list, refs, null)}
    on conflict (sync_id, purpose, list, source_ref) do update set left_in = null
      where item_locations.left_in is not null`.execute(db);
}

/** Stores that these items left a list. An item that was seen in another list since then has only moved. */
export async function noteLeft(db: Db, sync: LeasedSync, list: string, refs: readonly string[]): Promise<void> {
  if (!refs.length) return;
  await sql`
    ${buildMovedInsert(sync, list, refs, sync.lease_token)}
    where not exists (
      select from item_locations as other where other.sync_id = ${sync.id} and other.purpose = 'moved'
         and other.source_ref = ref and other.list <> ${list}
    )
    on conflict (sync_id, purpose, list, source_ref) do update set left_in = excluded.left_in`.execute(db);
}

function buildMovedInsert(
  { id, workspace_id }: LeasedSync,
  list: string,
  refs: readonly string[],
  leftIn: number | null,
) {
  return sql`
    insert into item_locations (sync_id, workspace_id, purpose, list, source_ref, left_in)
      select ${id}::uuid, ${workspace_id}::uuid, 'moved', ${list}::text, ref, ${leftIn}::integer
      from (select distinct unnest(${sql.val([...refs])}::text[]) as ref) as refs`;
}

function updateMoved(db: Db, sync: Sync) {
  return db.updateTable('item_locations').where('sync_id', '=', sync.id).where('purpose', '=', 'moved');
}

/** Stores that a list no longer exists, and with it none of its items. */
export async function noteListGone(db: Db, sync: LeasedSync, list: string): Promise<void> {
  await updateMoved(db, sync).where('list', '=', list).set({ left_in: sync.lease_token }).execute();
}

/** Removes items that left their list before this reading and are in no other list; at most `most` of them. */
export async function takeLeft(db: Db, sync: LeasedSync, most: number): Promise<string[]> {
  const left = selectLocations(db, sync, 'moved')
    .where('left_in', '<', sync.lease_token)
    .select('source_ref')
    .orderBy('source_ref')
    .limit(most);
  const rows = await db
    .deleteFrom('item_locations')
    .where('sync_id', '=', sync.id)
    .where('purpose', '=', 'moved')
    .where('source_ref', 'in', left)
    .returning('source_ref')
    .execute();
  return rows.map((row) => row.source_ref);
}

/** Marks the items that have left so far as gone before the next reading. */
export async function countAsLeftBefore(db: Db, sync: LeasedSync): Promise<void> {
  await updateMoved(db, sync).where('left_in', 'is not', null).set({ left_in: 0 }).execute();
}

/** Deletes all known locations, because all items are about to be read again. */
export async function forgetMoved(db: Db, { id }: Sync): Promise<void> {
  await db.deleteFrom('item_locations').where('sync_id', '=', id).where('purpose', '=', 'moved').execute();
}
