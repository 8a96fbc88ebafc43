// Installs that end and come back. Row level security hides uninstalled ones from every other query; what reads them here runs with
// `withVisibleUninstalled`.
import type { ItemLocation } from '#kernel/resource';
import { sql } from 'kysely';
import type { Db, RecipeInstallRow } from './tables.ts';

/** Installs by what they made. */
export async function locateInstalledEntities(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await db
    .selectFrom('recipe_installs')
    .select(['entity_id', 'brain_id'])
    .where('entity_id', 'in', ids)
    .where('uninstalled_at', 'is', null)
    .execute();
  return rows.map(({ entity_id, brain_id }) => ({ id: entity_id, brainId: brain_id }));
}

/** What can still be recovered. */
export async function locateUninstalledEntities(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await db
    .selectFrom('recipe_installs')
    .select(['entity_id', 'brain_id'])
    .where('entity_id', 'in', ids)
    .where('uninstalled_at', 'is not', null)
    .execute();
  return rows.map(({ entity_id, brain_id }) => ({ id: entity_id, brainId: brain_id }));
}

export type InstallSelection =
  | { entityId: string }
  | { slug: string; brainId: string }
  | { bundleIds: readonly string[] };

/** The brains of installs, sorted. */
export async function listBrainsOfInstalls(db: Db, selection: InstallSelection): Promise<string[]> {
  const rows = await selectInstalls(db, selection).select('brain_id').distinct().orderBy('brain_id').execute();
  return rows.map(({ brain_id }) => brain_id);
}

/** Installs that are there, with row locks. Everybody locks in this order. */
export async function lockInstalls(db: Db, selection: InstallSelection): Promise<RecipeInstallRow[]> {
  return selectInstalls(db, selection).selectAll().orderBy('id').forUpdate().execute();
}

function selectInstalls(db: Db, selection: InstallSelection) {
  return db
    .selectFrom('recipe_installs')
    .where('uninstalled_at', 'is', null)
    .where((eb) => {
      if ('entityId' in selection) return eb('entity_id', '=', selection.entityId);
      if ('bundleIds' in selection) return eb('bundle_id', 'in', selection.bundleIds);
      return eb.and([eb('slug', '=', selection.slug), eb('brain_id', '=', selection.brainId)]);
    });
}

/** The installs that were made with the ids of these entities, each with the entity that it needs. */
export async function listDependents(
  db: Db,
  entityIds: readonly string[],
): Promise<{ id: string; name: string; slug: string; entity_id: string; needed_id: string }[]> {
  if (!entityIds.length) return [];
  const { rows } = await sql<{ id: string; name: string; slug: string; entity_id: string; needed_id: string }>`
    select install.id, install.name, install.slug, install.entity_id, needed.value as needed_id
      from recipe_installs as install cross join lateral jsonb_each_text(install.base -> 'values' -> 'ids') as needed
     where install.uninstalled_at is null and needed.value = any(${[...entityIds]}::text[]) order by install.id`.execute(
    db,
  );
  return rows;
}

/** Ends installs. What works under a lease of theirs stores nothing any more. */
export async function markUninstalled(db: Db, ids: readonly string[], at: Date): Promise<void> {
  if (!ids.length) return;
  await db
    .updateTable('recipe_installs')
    .set({
      state: 'uninstalled',
      uninstalled_at: at,
      updated_at: at,
      next_at: null,
      lease_token: sql<number>`lease_token + 1`,
      lease_until: null,
    })
    .where('id', 'in', ids)
    .execute();
}

/** Makes parts of bundles standalone. */
export async function leaveBundle(db: Db, ids: readonly string[], at: Date): Promise<void> {
  if (!ids.length) return;
  await db.updateTable('recipe_installs').set({ bundle_id: null, updated_at: at }).where('id', 'in', ids).execute();
}

/** The uninstalled install of an entity that can be recovered, with a row lock. */
export async function lockUninstalled(
  db: Db,
  entityId: string,
  { since }: { since: Date },
): Promise<RecipeInstallRow | undefined> {
  return db
    .selectFrom('recipe_installs')
    .selectAll()
    .where('entity_id', '=', entityId)
    .where('uninstalled_at', '>', since)
    .forUpdate()
    .executeTakeFirst();
}

/** The parts that were uninstalled together with their bundle, with row locks. */
export async function lockPartsUninstalledWith(
  db: Db,
  { id, uninstalled_at }: Pick<RecipeInstallRow, 'id' | 'uninstalled_at'>,
): Promise<RecipeInstallRow[]> {
  return db
    .selectFrom('recipe_installs')
    .selectAll()
    .where('bundle_id', '=', id)
    .where('uninstalled_at', '=', uninstalled_at)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** The names of the installs of a recipe in a brain. */
export async function listInstallNames(
  db: Db,
  { brain_id, slug }: Pick<RecipeInstallRow, 'brain_id' | 'slug'>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('recipe_installs')
    .select('name')
    .where('brain_id', '=', brain_id)
    .where('slug', '=', slug)
    .where('uninstalled_at', 'is', null)
    .execute();
  return rows.map(({ name }) => name);
}

/** Shows an install again. Fails with 23505 when another one took the name meanwhile. */
export async function markRecovered(
  db: Db,
  id: string,
  { name, state, at }: { name: string; state: RecipeInstallRow['state']; at: Date },
): Promise<void> {
  await db
    .updateTable('recipe_installs')
    .set({ uninstalled_at: null, state, name, updated_at: at })
    .where('id', '=', id)
    .execute();
}

/** What can be recovered in these brains, the newest first. */
export async function listUninstalledInstalls(
  db: Db,
  { brainIds, since, limit }: { brainIds: readonly string[]; since: Date; limit: number },
): Promise<RecipeInstallRow[]> {
  if (!brainIds.length) return [];
  return db
    .selectFrom('recipe_installs')
    .selectAll()
    .where('brain_id', 'in', brainIds)
    .where('uninstalled_at', '>', since)
    .orderBy('uninstalled_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The installs of a brain or, without it, of the workspace, with what tells whether they still have what they made. */
export async function listInstallsToCheck(
  db: Db,
  brainId?: string,
): Promise<Pick<RecipeInstallRow, 'id' | 'entity_kind' | 'entity_id' | 'base'>[]> {
  return db
    .selectFrom('recipe_installs')
    .select(['id', 'entity_kind', 'entity_id', 'base'])
    .where('uninstalled_at', 'is', null)
    .$if(brainId !== undefined, (query) => query.where('brain_id', '=', brainId!)) // given right before
    .execute();
}

export async function removeInstalls(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length) await db.deleteFrom('recipe_installs').where('id', 'in', ids).execute();
}

/** Deletes the installs that were uninstalled before a time. */
export async function removeInstallsUninstalledBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('recipe_installs').where('uninstalled_at', '<', at).execute();
}

/** What was uninstalled last under a name in a brain, ignoring case, and can be recovered. */
export async function findUninstalledByName(
  db: Db,
  { brainId, slug, name, since }: { brainId: string; slug: string; name: string; since: Date },
): Promise<RecipeInstallRow | undefined> {
  return db
    .selectFrom('recipe_installs')
    .selectAll()
    .where('brain_id', '=', brainId)
    .where('slug', '=', slug)
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .where('uninstalled_at', '>', since)
    .orderBy('uninstalled_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}
