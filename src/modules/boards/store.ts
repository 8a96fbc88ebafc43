import { exportLine, idCursor, type BrainContents } from '#kernel/brain-contents';
import type { ItemLocation } from '#kernel/resource';
import { toJsonColumn } from '#platform/database';
import { sql, type Kysely } from 'kysely';
import type { Column } from './columns.ts';

export type BoardRow = {
  id: string;
  workspace_id: string;
  brain_id: string;
  name: string;
  description: string;
  skills: unknown;
  dashboard: unknown;
  links: unknown;
  created_by: string;
  created_at: Date;
  updated_at: Date;
};
type Fields = Record<string, unknown>;
type Tables = {
  boards: BoardRow;
  board_datasets: { board_id: string; workspace_id: string; name: string; columns: Column[]; created_at: Date };
  board_rows: {
    id: string;
    workspace_id: string;
    board_id: string;
    dataset: string;
    fields: Fields;
    created_by: string;
    created_at: Date;
  };
};
type Db = Kysely<Tables>;

export async function locateBoards(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await db.selectFrom('boards').select(['id', 'brain_id']).where('id', 'in', ids).execute();
  return rows.map(({ id, brain_id }) => ({ id, brainId: brain_id }));
}

/** Stores a board. False: its brain already has one with that name. */
export async function insertBoard(db: Db, board: Omit<BoardRow, 'links'>): Promise<boolean> {
  const texts = {
    skills: toJsonColumn(board.skills),
    dashboard: toJsonColumn(board.dashboard),
    links: toJsonColumn([]),
  };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('boards')
    .values({ ...board, ...texts })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return Boolean(numInsertedOrUpdatedRows);
}

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

export async function findBoard(db: Db, id: string): Promise<BoardRow | undefined> {
  return db.selectFrom('boards').selectAll().where('id', '=', id).executeTakeFirst();
}

/** As `findBoard`, with a row lock, so that other appends wait. */
export async function lockBoard(db: Db, id: string): Promise<BoardRow> {
  return db.selectFrom('boards').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

/** Boards with a name in these brains, ignoring case. */
export async function findBoardsByName(db: Db, brainIds: readonly string[], name: string): Promise<BoardRow[]> {
  if (!brainIds.length) return [];
  return db
    .selectFrom('boards')
    .selectAll()
    .where('brain_id', 'in', brainIds)
    .where(sql<string>`lower(name)`, '=', name.toLowerCase())
    .execute();
}

/** Boards by name, each with its number of rows. */
export async function listBoards(
  db: Db,
  brainIds: readonly string[],
  { limit, offset }: { limit: number; offset: number },
) {
  if (!brainIds.length) return { rows: [], total: 0 };
  const of = db.selectFrom('boards').where('brain_id', 'in', brainIds);
  const rows = await of
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('board_rows')
        .whereRef('board_id', '=', 'boards.id')
        .select((r) => r.fn.countAll<number>().as('n'))
        .as('row_count'),
    )
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await of.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
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

/** All rows of a board, oldest first. */
export async function readRows(db: Db, boardId: string, limit: number) {
  return db
    .selectFrom('board_rows')
    .select(['id', 'dataset', 'fields'])
    .where('board_id', '=', boardId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function countRows(db: Db, boardId: string, dataset: string): Promise<number> {
  const row = await db
    .selectFrom('board_rows')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('board_id', '=', boardId)
    .where('dataset', '=', dataset)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

type DatasetLocation = { boardId: string; dataset: string };

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

export async function insertRows(db: Db, rows: readonly Tables['board_rows'][]): Promise<void> {
  if (!rows.length) return;
  await db
    .insertInto('board_rows')
    .values(rows.map((row) => ({ ...row, fields: toJsonColumn(row.fields) })))
    .execute();
}

export async function touchBoard(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('boards').set({ updated_at: at }).where('id', '=', id).execute();
}

export async function deleteBoardRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom('boards').where('id', '=', id).execute();
}

export const boardContents: BrainContents = {
  name: 'boards',
  scope: 'boards:read',
  cursor: idCursor,
  async count(db: Db, brainIds) {
    if (!brainIds.length) return new Map();
    const rows = await db
      .selectFrom('boards')
      .select(['brain_id', (eb) => eb.fn.countAll<number>().as('count')])
      .where('brain_id', 'in', brainIds)
      .groupBy('brain_id')
      .execute();
    return new Map(rows.map((row) => [row.brain_id, Number(row.count)]));
  },
  async exportBatch(db: Db, brainId, { after, limit }) {
    const rows = await db
      .selectFrom('boards')
      .selectAll()
      .where('brain_id', '=', brainId)
      .$if(after !== null, (query) => query.where('id', '>', after))
      .orderBy('id')
      .limit(limit)
      .execute();
    return { lines: rows.map((row) => exportLine('board', row)), next: rows.at(-1)?.id ?? null };
  },
};

export const boardRowContents: BrainContents = {
  name: 'board_rows',
  scope: 'boards:read',
  cursor: idCursor,
  async count(db: Db, brainIds) {
    if (!brainIds.length) return new Map();
    const rows = await db
      .selectFrom('board_rows')
      .innerJoin('boards', 'boards.id', 'board_rows.board_id')
      .select(['brain_id', (eb) => eb.fn.countAll<number>().as('count')])
      .where('brain_id', 'in', brainIds)
      .groupBy('brain_id')
      .execute();
    return new Map(rows.map((row) => [row.brain_id, Number(row.count)]));
  },
  async exportBatch(db: Db, brainId, { after, limit }) {
    const rows = await db
      .selectFrom('board_rows')
      .selectAll()
      .where('board_id', 'in', (eb) => eb.selectFrom('boards').select('id').where('brain_id', '=', brainId))
      .$if(after !== null, (query) => query.where('id', '>', after))
      .orderBy('id')
      .limit(limit)
      .execute();
    return { lines: rows.map((row) => exportLine('board_row', row)), next: rows.at(-1)?.id ?? null };
  },
};
