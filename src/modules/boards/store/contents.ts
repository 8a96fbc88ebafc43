import { exportLine, idCursor, type BrainContents } from '#kernel/brain-contents';
import type { Db } from './tables.ts';

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
    return { lines: rows.map((row) => exportLine('board', row, ['uninstalled_at'])), next: rows.at(-1)?.id ?? null };
  },
};

/** Deleted rows do not count as content, although they can be restored for some days. */
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
      .where('deleted_at', 'is', null)
      .groupBy('brain_id')
      .execute();
    return new Map(rows.map((row) => [row.brain_id, Number(row.count)]));
  },
  async exportBatch(db: Db, brainId, { after, limit }) {
    const rows = await db
      .selectFrom('board_rows')
      .selectAll()
      .where('board_id', 'in', (eb) => eb.selectFrom('boards').select('id').where('brain_id', '=', brainId))
      .where('deleted_at', 'is', null)
      .$if(after !== null, (query) => query.where('id', '>', after))
      .orderBy('id')
      .limit(limit)
      .execute();
    const lines = rows.map((row) =>
      exportLine('board_row', { ...row, row_id: row.row_key ?? row.id }, ['row_key', 'deleted_at']),
    );
    return { lines, next: rows.at(-1)?.id ?? null };
  },
};
