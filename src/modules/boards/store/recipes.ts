// The dataset recipes: what is read through links, and when.
import type { ItemLocation } from '#kernel/resource';
import { computeTimeFromNow, toJsonColumn } from '#platform/database';
import { buildExtendedLease, buildTakenLease, isFree, isLeaseHeld, noLease, released } from '#platform/lease';
import { sql } from 'kysely';
import type { DatasetLocation, DatasetRecipeRow, Db } from './tables.ts';

export type RecipeSettings = Pick<
  DatasetRecipeRow,
  'adapter_op' | 'params' | 'refresh_cron' | 'dedupe_key_field' | 'dedupe_target_field'
>;
type NewRecipe = RecipeSettings &
  Pick<DatasetRecipeRow, 'id' | 'workspace_id' | 'link_id' | 'board_id' | 'dataset' | 'created_at'>;

/** Stores a recipe. One with a schedule is due at once, so that its dataset is filled. */
export async function insertRecipe(db: Db, { params, ...recipe }: NewRecipe): Promise<DatasetRecipeRow> {
  return db
    .insertInto('dataset_recipes')
    .values({
      ...recipe,
      params: toJsonColumn(params),
      status: 'waiting',
      next_at: recipe.refresh_cron === null ? null : computeTimeFromNow(),
      refreshed_at: null,
      row_count: 0,
      failure: null,
      failed_at: null,
      failures: 0,
      ...noLease,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes what is read and when. It is due at once if it has a schedule. */
export async function changeRecipe(db: Db, id: string, { params, ...settings }: RecipeSettings): Promise<void> {
  await db
    .updateTable('dataset_recipes')
    .set({
      ...settings,
      params: toJsonColumn(params),
      status: 'waiting',
      failure: null,
      failures: 0,
      next_at: settings.refresh_cron === null ? null : computeTimeFromNow(),
      lease_token: sql<number>`lease_token + 1`, // one that is under way would store what was asked before
      lease_until: null,
    })
    .where('id', '=', id)
    .execute();
}

export async function findRecipe(db: Db, id: string): Promise<DatasetRecipeRow | undefined> {
  return db.selectFrom('dataset_recipes').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The recipe that fills a dataset, with the name of its link. */
export async function findRecipeOfDataset(db: Db, { boardId, dataset }: DatasetLocation) {
  return db
    .selectFrom('dataset_recipes')
    .innerJoin('board_links', 'board_links.id', 'dataset_recipes.link_id')
    .select(['dataset_recipes.id', 'board_links.id as link_id', 'board_links.display_name'])
    .where('dataset_recipes.board_id', '=', boardId)
    .where('dataset', '=', dataset)
    .executeTakeFirst();
}

/** The recipes of links, the oldest first. */
export async function listRecipesOfLinks(db: Db, linkIds: readonly string[]): Promise<DatasetRecipeRow[]> {
  if (!linkIds.length) return [];
  return db.selectFrom('dataset_recipes').selectAll().where('link_id', 'in', linkIds).orderBy('created_at').execute();
}

export async function removeRecipe(db: Db, id: string): Promise<void> {
  await db.deleteFrom('dataset_recipes').where('id', '=', id).execute();
}

export async function locateRecipes(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await db
    .selectFrom('dataset_recipes')
    .innerJoin('boards', 'boards.id', 'dataset_recipes.board_id')
    .select(['dataset_recipes.id', 'boards.brain_id'])
    .where('dataset_recipes.id', 'in', ids)
    .execute();
  return rows.map(({ id, brain_id }) => ({ id, brainId: brain_id }));
}

/** Due recipes of all workspaces. */
export async function listDueRecipes(db: Db, most: number): Promise<{ id: string; workspace_id: string }[]> {
  const { rows } = await sql<{ id: string; workspace_id: string }>`
    select recipe_id as id, workspace_id from list_due_dataset_recipes(${most})`.execute(db);
  return rows;
}

/** Takes the right to refresh for so long. Undefined: another process has it, or it is not due where it has to be. */
export async function beginRefresh(
  db: Db,
  id: string,
  { forMs, isDue }: { forMs: number; isDue: boolean },
): Promise<DatasetRecipeRow | undefined> {
  return db
    .updateTable('dataset_recipes')
    .set(buildTakenLease(forMs))
    .where('id', '=', id)
    .where(isFree)
    .$if(isDue, (query) => query.where('next_at', '<=', computeTimeFromNow()))
    .returningAll()
    .executeTakeFirst();
}

/** Keeps the right to refresh, unless another process has it by now. */
export async function keepRefresh(db: Db, recipe: DatasetRecipeRow, forMs: number): Promise<boolean> {
  const still = await updateLeased(db, recipe).set(buildExtendedLease(forMs)).returning('id').executeTakeFirst();
  return still !== undefined;
}

/** Notes that the rows were replaced. False: another process has the lease by now, or the recipe was changed or deleted. */
export async function noteRefreshed(
  db: Db,
  recipe: DatasetRecipeRow,
  { rows, at, nextAt }: { rows: number; at: Date; nextAt: Date | null },
): Promise<boolean> {
  const noted = await updateLeased(db, recipe)
    .set({
      status: 'waiting',
      refreshed_at: at,
      row_count: rows,
      failure: null,
      failures: 0,
      next_at: nextAt,
      ...released,
    })
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

/** Notes why a refresh failed. The rows stay, with their age. */
export async function noteFailure(
  db: Db,
  recipe: DatasetRecipeRow,
  { failure, at, nextAt, isStopped }: { failure: string; at: Date; nextAt: Date | null; isStopped: boolean },
): Promise<void> {
  await updateLeased(db, recipe)
    .set({
      status: isStopped ? 'stopped' : 'failing',
      failure,
      failed_at: at,
      failures: sql`failures + 1`,
      next_at: isStopped ? null : nextAt,
      ...released,
    })
    .execute();
}

function updateLeased(db: Db, recipe: DatasetRecipeRow) {
  return db.updateTable('dataset_recipes').where('id', '=', recipe.id).where(isLeaseHeld(recipe));
}

/** Ends the schedules of uninstalled boards until they are recovered. A refresh that is under way stores nothing any more. */
export async function suspendRecipes(db: Db, boardIds: readonly string[]): Promise<void> {
  await db
    .updateTable('dataset_recipes')
    .set({ next_at: null, lease_token: sql<number>`lease_token + 1`, lease_until: null })
    .where('board_id', 'in', boardIds)
    .execute();
}

/** Makes the schedules of recovered boards due now. */
export async function resumeRecipes(db: Db, boardIds: readonly string[]): Promise<void> {
  await db
    .updateTable('dataset_recipes')
    .set({ next_at: computeTimeFromNow() })
    .where('board_id', 'in', boardIds)
    .where('refresh_cron', 'is not', null)
    .where('status', '!=', 'stopped')
    .execute();
}

/** Makes failing recipes that read through an account due now, because it was linked again. */
export async function wakeRecipes(db: Db, connectionId: string): Promise<void> {
  await db
    .updateTable('dataset_recipes')
    .set({ next_at: computeTimeFromNow() })
    .where('status', '=', 'failing')
    .where('refresh_cron', 'is not', null)
    .where('link_id', 'in', (eb) => eb.selectFrom('board_links').select('id').where('connection_id', '=', connectionId))
    .execute();
}

/** Stops the recipes of links that ended. Their rows stay. */
export async function stopRecipesOfEndedLinks(db: Db, failure: string): Promise<void> {
  await db
    .updateTable('dataset_recipes')
    .set({ status: 'stopped', next_at: null, failure, lease_token: sql<number>`lease_token + 1`, lease_until: null })
    .where('status', '!=', 'stopped')
    .where('link_id', 'in', (eb) => eb.selectFrom('board_links').select('id').where('ended_at', 'is not', null))
    .execute();
}
