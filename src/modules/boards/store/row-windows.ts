import { sql } from 'kysely';
import type { Column } from '../columns.ts';
import type { Db } from './tables.ts';

/** Which rows of a board are read: of each dataset, or of one, from `offset` on, oldest first. */
export type RowWindow = { boardId: string; dataset: string | undefined; limit: number; offset: number };

export type WindowedRow = { dataset: string; row_id: string; fields: Record<string, unknown>; version: number };

/** The datasets of a window with all they have. */
export async function listDatasetTotals(db: Db, { boardId, dataset }: RowWindow) {
  const { rows } = await sql<{ name: string; columns: Column[]; total: number }>`
    select name, columns, (select count(*)::integer from board_rows
        where board_id = set.board_id and dataset = set.name and deleted_at is null) as total
      from board_datasets as set
     where board_id = ${boardId} and ${dataset === undefined ? sql`true` : sql`name = ${dataset}`}
     order by created_at, name
  `.execute(db);
  return rows;
}

export async function readRows(db: Db, window: RowWindow): Promise<WindowedRow[]> {
  const { rows } = await sql<WindowedRow>`
    select name as dataset, row_id, fields, version from ${selectWindow(window)} order by name, id`.execute(db);
  return rows;
}

/** The size of the rows of a window as JSON. */
export async function measureRows(db: Db, window: RowWindow): Promise<number> {
  const { rows } = await sql<{ bytes: string | null }>`
    select sum(octet_length(fields::text)) as bytes from ${selectWindow(window)}`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

function selectWindow({ boardId, dataset, limit, offset }: RowWindow) {
  return sql`board_datasets as set cross join lateral (
    select id, coalesce(row_key, id::text) as row_id, fields, version from board_rows
     where board_id = set.board_id and dataset = set.name and deleted_at is null
     order by id limit ${limit} offset ${offset}) as window_rows
    where set.board_id = ${boardId} and ${dataset === undefined ? sql`true` : sql`set.name = ${dataset}`}`;
}
