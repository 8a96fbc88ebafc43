import type { ItemLocation } from '#kernel/resource';
import { toJsonColumn } from '#platform/database';
import { sql } from 'kysely';
import type { BoardRow, Db } from './tables.ts';

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

export async function findBoard(db: Db, id: string): Promise<BoardRow | undefined> {
  return db.selectFrom('boards').selectAll().where('id', '=', id).executeTakeFirst();
}

/** As `findBoard`, with a row lock, so that other changes of the board wait. */
export async function lockBoard(db: Db, id: string): Promise<BoardRow | undefined> {
  return db.selectFrom('boards').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
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
        .where('deleted_at', 'is', null)
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

/** Boards with their names. */
export async function listBoardNames(
  db: Db,
  ids: readonly string[],
): Promise<Pick<BoardRow, 'id' | 'brain_id' | 'name'>[]> {
  if (!ids.length) return [];
  return db.selectFrom('boards').select(['id', 'brain_id', 'name']).where('id', 'in', ids).orderBy('name').execute();
}

export async function touchBoard(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('boards').set({ updated_at: at }).where('id', '=', id).execute();
}

export type BoardChange = Partial<Pick<BoardRow, 'name' | 'description' | 'skills' | 'dashboard'>>;

/** Changes what a board is. Fails with 23505 when another board of the brain has the name. */
export async function changeBoard(
  db: Db,
  id: string,
  { skills, dashboard, ...texts }: BoardChange,
  at: Date,
): Promise<void> {
  const json = {
    ...(skills !== undefined && { skills: toJsonColumn(skills) }),
    ...(dashboard !== undefined && { dashboard: toJsonColumn(dashboard) }),
  };
  await db
    .updateTable('boards')
    .set({ ...texts, ...json, updated_at: at })
    .where('id', '=', id)
    .execute();
}

export async function removeBoard(db: Db, id: string): Promise<void> {
  await db.deleteFrom('boards').where('id', '=', id).execute();
}
