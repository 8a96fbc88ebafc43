import { toJsonColumn } from '#platform/database';
import { sql } from 'kysely';
import type { Column } from '../columns.ts';
import type { DatasetLocation, Db } from './tables.ts';

/** Creates a dataset if it does not exist. An existing one keeps its columns. */
export async function ensureDataset(
  db: Db,
  of: { boardId: string; workspaceId: string; at: Date },
  name: string,
  columns: readonly Column[] = [],
) {
  await db
    .insertInto('board_datasets')
    .values({
      board_id: of.boardId,
      workspace_id: of.workspaceId,
      name,
      columns: toJsonColumn([...columns]),
      created_at: of.at,
    })
    .onConflict((oc) => oc.doNothing())
    .execute();
}

export async function listDatasets(db: Db, boardId: string) {
  return db
    .selectFrom('board_datasets')
    .select(['name', 'columns'])
    .where('board_id', '=', boardId)
    .orderBy('created_at')
    .orderBy('name')
    .execute();
}

export async function setColumns(db: Db, { boardId, dataset }: DatasetLocation, columns: readonly Column[]) {
  await db
    .updateTable('board_datasets')
    .set({ columns: toJsonColumn([...columns]) })
    .where('board_id', '=', boardId)
    .where('name', '=', dataset)
    .execute();
}

/** Deletes datasets that have no row, also none that can be restored, and that no recipe fills. */
export async function removeEmptyDatasets(db: Db, boardId: string, names: readonly string[]): Promise<void> {
  await sql`
    delete from board_datasets as empty where board_id = ${boardId} and name = any(${[...names]}::text[])
      and not exists (select from board_rows where board_id = ${boardId} and dataset = empty.name)
      and not exists (select from dataset_recipes where board_id = ${boardId} and dataset = empty.name)`.execute(db);
}

/** The longest text that can be a date. */
const longestDate = 64;

/** The first row whose field has another JSON type. Deleted rows count, because they can be restored. */
export async function findMisfit(
  db: Db,
  { boardId, dataset }: DatasetLocation,
  field: string,
  jsonType: 'string' | 'number' | 'boolean',
): Promise<string | undefined> {
  const { rows } = await sql<{ row_id: string }>`
    select coalesce(row_key, id::text) as row_id from board_rows
     where board_id = ${boardId} and dataset = ${dataset} and jsonb_typeof(fields -> ${field}) not in (${jsonType}, 'null')
     order by id limit 1
  `.execute(db);
  return rows[0]?.row_id;
}

/** The texts of a field by row, each cut to somewhat more than a date has. */
export async function listDateTexts(db: Db, { boardId, dataset }: DatasetLocation, field: string) {
  const { rows } = await sql<{ row_id: string; text: string }>`
    select coalesce(row_key, id::text) as row_id, left(fields ->> ${field}, ${longestDate}) as text from board_rows
     where board_id = ${boardId} and dataset = ${dataset} and jsonb_typeof(fields -> ${field}) = 'string' order by id
  `.execute(db);
  return rows;
}
