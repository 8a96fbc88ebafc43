// Replaces the rows of a dataset by those of a source, and writes no row that is equal.
import { sql } from 'kysely';
import type { DatasetLocation, Db } from './tables.ts';

/** A row of a source: an id for it if it is new, the id that is shown, and its fields as JSON. */
export type GivenRow = { id: string; key: string; fields: string };

export type ReplacedBy = { workspaceId: string; label: string; at: Date };

/**
 * One statement, so that readers see all old rows or all new ones. Rows that this source wrote and does not have any more are removed permanently;
 * those that somebody else wrote are deleted as by hand. Returns the shown ids of what changed.
 */
export async function swapRows(
  db: Db,
  { boardId, dataset }: DatasetLocation,
  rows: readonly GivenRow[],
  { workspaceId, label, at }: ReplacedBy,
): Promise<string[]> {
  const given = rows.map(({ id, key, fields }) => `{"id":"${id}","key":${JSON.stringify(key)},"fields":${fields}}`);
  const isOfDataset = sql`stored.board_id = ${boardId} and stored.dataset = ${dataset}`;
  const isGone = sql`not exists (select from given where given.key = stored.row_key)`;
  const { rows: changes } = await sql<{ row_id: string }>`
    with given as materialized (
      select id, key, fields from jsonb_to_recordset(${`[${given.join(',')}]`}::jsonb) as given (id uuid, key text, fields jsonb)
    ), removed as (
      delete from board_rows as stored where ${isOfDataset} and stored.created_by = ${label} and ${isGone}
      returning coalesce(row_key, id::text) as row_id
    ), hidden as (
      update board_rows as stored set deleted_at = ${at}, updated_at = ${at}, version = version + 1
       where ${isOfDataset} and stored.created_by <> ${label} and stored.deleted_at is null and ${isGone}
      returning coalesce(row_key, id::text) as row_id
    ), changed as (
      update board_rows as stored
         set fields = given.fields, created_by = ${label}, updated_at = ${at}, version = version + 1, deleted_at = null
        from given
       where ${isOfDataset} and stored.row_key = given.key
         and (stored.fields is distinct from given.fields or stored.deleted_at is not null)
      returning stored.row_key as row_id
    ), added as (
      insert into board_rows (id, workspace_id, board_id, dataset, fields, created_by, created_at, row_key)
      select given.id, ${workspaceId}::uuid, ${boardId}::uuid, ${dataset}, given.fields, ${label}, ${at}::timestamptz, given.key
        from given
       where not exists (select from board_rows as stored where ${isOfDataset} and stored.row_key = given.key)
      returning row_key as row_id
    )
    select row_id from removed union all select row_id from hidden union all select row_id from changed union all select row_id from added
  `.execute(db);
  return changes.map(({ row_id }) => row_id);
}
