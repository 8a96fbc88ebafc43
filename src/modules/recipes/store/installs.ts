import type { ItemLocation } from '#kernel/resource';
import type { Db } from './tables.ts';

/** Installs that are there. */
export async function locateInstalls(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await db
    .selectFrom('recipe_installs')
    .select(['id', 'brain_id'])
    .where('id', 'in', ids)
    .where('uninstalled_at', 'is', null)
    .execute();
  return rows.map(({ id, brain_id }) => ({ id, brainId: brain_id }));
}
