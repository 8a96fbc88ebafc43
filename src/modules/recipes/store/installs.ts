import type { ItemLocation } from '#kernel/resource';
import { toJsonColumn } from '#platform/database';
import { sql } from 'kysely';
import type { Db, RecipeInstallRow } from './tables.ts';

/** Makes installs in a brain wait for each other until this transaction ends. */
export async function lockInstallsOfBrain(db: Db, brainId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`installs ${brainId}`}, 0))`.execute(db);
}

/** Installs that are there. */
export async function locateInstalls(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await selectInstalled(db).select(['id', 'brain_id']).where('id', 'in', ids).execute();
  return rows.map(({ id, brain_id }) => ({ id, brainId: brain_id }));
}

function selectInstalled(db: Db) {
  return db.selectFrom('recipe_installs').where('uninstalled_at', 'is', null);
}

/** The installs of some recipes in a brain, the oldest first. */
export async function listInstallsOfSlugs(
  db: Db,
  brainId: string,
  slugs: readonly string[],
): Promise<RecipeInstallRow[]> {
  if (!slugs.length) return [];
  return selectInstalled(db)
    .selectAll()
    .where('brain_id', '=', brainId)
    .where('slug', 'in', slugs)
    .orderBy('id')
    .execute();
}

/** The install of a recipe in a brain under a name, ignoring case. */
export async function findInstallByName(
  db: Db,
  { brainId, slug, name }: { brainId: string; slug: string; name: string },
): Promise<RecipeInstallRow | undefined> {
  return selectInstalled(db)
    .selectAll()
    .where('brain_id', '=', brainId)
    .where('slug', '=', slug)
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst();
}

/** Stores an install. False: the brain already has one of this recipe and name. */
export async function insertInstall(db: Db, install: RecipeInstallRow): Promise<boolean> {
  const json = {
    inputs: toJsonColumn(install.inputs),
    base: toJsonColumn(install.base),
    counters: toJsonColumn(install.counters),
  };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('recipe_installs')
    .values({ ...install, ...json })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return Boolean(numInsertedOrUpdatedRows);
}

/** The installs of a published recipe. */
export async function listInstallsOfRecipe(db: Db, recipeId: string): Promise<RecipeInstallRow[]> {
  return selectInstalled(db).selectAll().where('recipe_id', '=', recipeId).orderBy('id').execute();
}
