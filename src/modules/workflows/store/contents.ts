import { exportLine, idCursor, type BrainContents } from '#kernel/brain-contents';
import type { Db } from './tables.ts';

export const workflowContents: BrainContents = {
  name: 'workflows',
  scope: 'workflows:read',
  cursor: idCursor,
  async count(db: Db, brainIds) {
    if (!brainIds.length) return new Map();
    const rows = await db
      .selectFrom('workflows')
      .select(['brain_id', (eb) => eb.fn.countAll<number>().as('count')])
      .where('brain_id', 'in', brainIds)
      .groupBy('brain_id')
      .execute();
    return new Map(rows.map((row) => [row.brain_id, Number(row.count)]));
  },
  async exportBatch(db: Db, brainId, { after, limit }) {
    const rows = await db
      .selectFrom('workflows')
      .selectAll()
      .where('brain_id', '=', brainId)
      .$if(after !== null, (query) => query.where('id', '>', after))
      .orderBy('id')
      .limit(limit)
      .execute();
    return {
      lines: rows.map((row) => exportLine('workflow', row, ['uninstalled_at', 'next_deadline_at'])),
      next: rows.at(-1)?.id ?? null,
    };
  },
};
