// Rows that are there, for work on many of them at once.
import { idCursor } from '#kernel/brain-contents';
import { sql, type RawBuilder } from 'kysely';
import type { DatasetLocation, Db } from './tables.ts';

export type LiveRow = { row_id: string; fields: Record<string, unknown>; version: number };

const columns = sql`coalesce(row_key, id::text) as row_id, fields, version`;

/** The rows with these shown ids; deleted ones and unknown ones are left out. */
export async function listLiveRows(
  db: Db,
  { boardId, dataset }: DatasetLocation,
  ids: readonly string[],
): Promise<LiveRow[]> {
  const { rows } = await sql<LiveRow>`
    select ${columns} from board_rows
     where board_id = ${boardId} and dataset = ${dataset} and deleted_at is null
       and (row_key = any(${[...ids]}::text[])
         or (row_key is null and id = any(${ids.filter((id) => idCursor.test(id))}::uuid[])))
     order by id
  `.execute(db);
  return rows;
}

/** The oldest rows with an empty cell in one of these columns. */
export async function listRowsToFill(
  db: Db,
  location: DatasetLocation,
  fills: readonly string[],
  most: number,
): Promise<LiveRow[]> {
  const { rows } = await sql<LiveRow>`
    select ${columns} from board_rows where ${isToFill(location, fills)} order by id limit ${most}`.execute(db);
  return rows;
}

export async function countRowsToFill(db: Db, location: DatasetLocation, fills: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from board_rows where ${isToFill(location, fills)}`.execute(db);
  return rows[0]?.count ?? 0;
}

function isToFill({ boardId, dataset }: DatasetLocation, fills: readonly string[]): RawBuilder<unknown> {
  return sql`board_id = ${boardId} and dataset = ${dataset} and deleted_at is null
    and exists (select from unnest(${[...fills]}::text[]) as name where coalesce(fields ->> name, '') = '')`;
}
