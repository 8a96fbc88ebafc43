import { exportLine, idCursor, type BrainContents } from '#kernel/brain-contents';
import type { Db } from './tables.ts';

/** Installs of recipes in brains. Uninstalled ones count nowhere. */
export const installContents: BrainContents = {
  name: 'recipe_installs',
  scope: 'recipes:read',
  cursor: idCursor,
  async count(db: Db, brainIds) {
    if (!brainIds.length) return new Map();
    const rows = await db
      .selectFrom('recipe_installs')
      .select(['brain_id', (eb) => eb.fn.countAll<number>().as('count')])
      .where('brain_id', 'in', brainIds)
      .where('uninstalled_at', 'is', null)
      .groupBy('brain_id')
      .execute();
    return new Map(rows.map((row) => [row.brain_id, Number(row.count)]));
  },
  async exportBatch(db: Db, brainId, { after, limit }) {
    const rows = await db
      .selectFrom('recipe_installs')
      .selectAll()
      .where('brain_id', '=', brainId)
      .where('uninstalled_at', 'is', null)
      .$if(after !== null, (query) => query.where('id', '>', after))
      .orderBy('id')
      .limit(limit)
      .execute();
    const lines = rows.map((row) =>
      exportLine('recipe_install', row, ['lease_token', 'lease_until', 'uninstalled_at']),
    );
    return { lines, next: rows.at(-1)?.id ?? null };
  },
};
