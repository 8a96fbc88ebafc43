import { idCursor } from '#kernel/brain-contents';
import { toJsonColumn } from '#platform/database';
import { sql } from 'kysely';
import type { DatasetLocation, Db, Tables } from './tables.ts';

/** A row as operations need it. `row_id` is the id that is shown. */
export type StoredRow = {
  row_id: string;
  fields: Record<string, unknown>;
  version: number;
  deleted_at: Date | null;
};

export const shownId = sql<string>`coalesce(row_key, id::text)`;

/** Live rows of a dataset. */
export async function countRows(db: Db, { boardId, dataset }: DatasetLocation): Promise<number> {
  const row = await db
    .selectFrom('board_rows')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('board_id', '=', boardId)
    .where('dataset', '=', dataset)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Which of these ids rows have, deleted ones included: a row that a person deleted does not come back by an append. */
export async function findKnownRowIds(
  db: Db,
  { boardId, dataset }: DatasetLocation,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select row_key as id from board_rows
     where board_id = ${boardId} and dataset = ${dataset} and row_key = any(${[...ids]}::text[])
    union all
    select id::text from board_rows
     where board_id = ${boardId} and dataset = ${dataset} and row_key is null
       and id = any(${ids.filter((id) => idCursor.test(id))}::uuid[])
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The keys that exist as values of a field. */
export async function findKnownKeys(
  db: Db,
  { boardId, dataset }: DatasetLocation,
  field: string,
  keys: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select distinct fields ->> ${field} as key from board_rows
     where board_id = ${boardId} and dataset = ${dataset} and fields ->> ${field} = any(${[...keys]}::text[])
  `.execute(db);
  return new Set(rows.map(({ key }) => key));
}

/** The keys that exist in a list of a row: as values, or as the same field of objects. */
export async function findKnownKeysInLists(
  db: Db,
  { boardId, dataset }: DatasetLocation,
  of: { list: string; field: string },
  keys: readonly string[],
) {
  const { rows } = await sql<{ key: string }>`
    select distinct key from board_rows
      cross join lateral jsonb_array_elements(case when jsonb_typeof(fields -> ${of.list}) = 'array' then fields -> ${of.list} else '[]' end) as element
      cross join lateral (select case when jsonb_typeof(element) = 'object' then element ->> ${of.field} else element #>> '{}' end as key) as known
     where board_id = ${boardId} and dataset = ${dataset} and key = any(${[...keys]}::text[])
  `.execute(db);
  return new Set(rows.map(({ key }) => key));
}

export type NewRow = { id: string; row_key: string | null; fields: Record<string, unknown> };

/** Stores rows of one dataset. */
export async function insertRows(
  db: Db,
  of: Pick<Tables['board_rows'], 'workspace_id' | 'board_id' | 'dataset' | 'created_by' | 'created_at'>,
  rows: readonly NewRow[],
): Promise<void> {
  if (!rows.length) return;
  const values = rows.map(({ id, row_key, fields }) => ({ ...of, id, row_key, fields: toJsonColumn(fields) }));
  await db.insertInto('board_rows').values(values).execute();
}

/** A row of a dataset by the id that is shown, also a deleted one. */
export async function findRow(db: Db, location: DatasetLocation, rowId: string): Promise<StoredRow | undefined> {
  return selectRow(db, location, rowId).executeTakeFirst();
}

function selectRow(db: Db, { boardId, dataset }: DatasetLocation, rowId: string) {
  return db
    .selectFrom('board_rows')
    .select([shownId.as('row_id'), 'fields', 'version', 'deleted_at'])
    .where('board_id', '=', boardId)
    .where('dataset', '=', dataset)
    .where(isRow(rowId));
}

/** The uuid stands for a row only where its writer chose no id. */
function isRow(rowId: string) {
  const isUuid = idCursor.test(rowId);
  return isUuid
    ? sql<boolean>`(row_key = ${rowId} or (row_key is null and id = ${rowId}::uuid))`
    : sql<boolean>`row_key = ${rowId}`;
}

type RowChange = { fields?: Record<string, unknown>; deleted_at?: Date | null };

/** Changes a row, and counts its version up. Returns the new version. */
export async function changeRow(
  db: Db,
  { boardId, dataset }: DatasetLocation,
  rowId: string,
  { fields, ...change }: RowChange,
  at: Date,
): Promise<number> {
  const { version } = await db
    .updateTable('board_rows')
    .set({
      ...change,
      ...(fields && { fields: toJsonColumn(fields) }),
      version: (eb) => eb('version', '+', 1),
      updated_at: at,
    })
    .where('board_id', '=', boardId)
    .where('dataset', '=', dataset)
    .where(isRow(rowId))
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/** Permanently removes all but the newest deleted rows of a dataset, so that they do not accumulate. */
export async function removeDeletedBeyond(db: Db, { boardId, dataset }: DatasetLocation, kept: number): Promise<void> {
  await sql`
    delete from board_rows where id in (
      select id from board_rows where board_id = ${boardId} and dataset = ${dataset} and deleted_at is not null
       order by deleted_at desc, id desc offset ${kept})
  `.execute(db);
}

/** Permanently removes the rows that were deleted before a time. */
export async function removeRowsDeletedBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('board_rows').where('deleted_at', '<', at).execute();
}
