import { idCursor } from '#kernel/brain-contents';
import { toJsonColumn, toStorableJson } from '#platform/database';
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

type RowsPlace = Pick<Tables['board_rows'], 'workspace_id' | 'board_id' | 'dataset' | 'created_by' | 'created_at'>;
export type NewRow = { id: string; row_key: string | null; fields: Record<string, unknown> };

/** Stores rows of one dataset, and that their board changed. */
export async function insertRows(
  db: Db,
  { workspace_id, board_id, dataset, created_by, created_at }: RowsPlace,
  rows: readonly NewRow[],
): Promise<void> {
  const given = JSON.stringify(toStorableJson(rows));
  await sql`
    with stored as (
      insert into board_rows (id, workspace_id, board_id, dataset, fields, created_by, created_at, row_key)
      select id, ${workspace_id}::uuid, ${board_id}::uuid, ${dataset}, fields, ${created_by}, ${created_at}::timestamptz, row_key
        from jsonb_to_recordset(${given}::jsonb) as given (id uuid, row_key text, fields jsonb)
    )
    update boards set updated_at = ${created_at} where id = ${board_id}
  `.execute(db);
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
