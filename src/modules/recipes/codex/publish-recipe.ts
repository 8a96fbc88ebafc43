// Publishes a version of a recipe in the workspace.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { limits } from '../limits.ts';
import { hashRecipe } from '../manifest/hash-recipe.ts';
import type { Recipe } from '../manifest/recipe.ts';
import { compareVersions, getNextPatch } from '../manifest/versions.ts';
import { countRecipes, insertRecipe, insertVersion, listVersions, lockRecipe } from '../store/recipes.ts';
import type { LentSecret, RecipeRow } from '../store/tables.ts';
import { getShippedRecipes } from './shipped.ts';

export type PublishedRecipe = { recipeId: string; version: string; isNew: boolean };

/**
 * Stores a version; the same content again answers the version that has it. Throws `conflict` for a slug of somebody
 * else or of the server, for other content under a known version, and for a version below the present one.
 */
export async function publishRecipe(
  ctx: Context,
  recipe: Recipe,
  lentSecrets: readonly LentSecret[],
): Promise<PublishedRecipe> {
  const { id: recipeId } = await openRecipe(ctx, recipe.slug);
  const versions = await listVersions(ctx.db, recipeId);
  const [newest] = versions;
  const version = recipe.version ?? getNextPatch(newest?.version ?? null);
  const sha256 = hashRecipe(recipe);
  const same = recipe.version === undefined ? newest : versions.find((each) => each.version === version);
  if (same?.sha256 === sha256 && same.withdrawn_at === null) return { recipeId, version: same.version, isNew: false };
  if (versions.some((each) => each.version === version))
    throw new AppError('conflict', `version: ${version} was published with other content. Publish a higher version.`);
  if (newest && compareVersions(version, newest.version) < 0)
    throw new AppError('conflict', `version: ${newest.version} is already published. Publish a higher version.`);
  if (versions.length >= limits.versionsPerRecipe)
    throw new AppError(
      'conflict',
      `A recipe may have ${limits.versionsPerRecipe} versions. Publish it under another slug.`,
    );
  await insertVersion(ctx.db, {
    id: ctx.newId(),
    workspace_id: ctx.caller.workspaceId,
    recipe_id: recipeId,
    version,
    sha256,
    manifest: { ...recipe, version },
    lent_secrets: [...lentSecrets],
    created_by: ctx.caller.label,
    created_at: ctx.now,
    withdrawn_at: null,
  });
  return { recipeId, version, isNew: true };
}

/** The caller's recipe of a slug, locked; it is made where there is none. */
async function openRecipe(ctx: Context, slug: string): Promise<RecipeRow> {
  if (getShippedRecipes().has(slug))
    throw new AppError('conflict', `slug: the server has a recipe called ${slug}. Choose another slug.`);
  const { workspaceId, personId, label } = ctx.caller;
  const fresh = { id: ctx.newId(), workspace_id: workspaceId, slug, person_id: personId };
  const row = { ...fresh, created_by: label, created_at: ctx.now };
  const isNew = await insertRecipe(ctx.db, row);
  if (isNew && (await countRecipes(ctx.db)) > limits.recipesPerWorkspace)
    throw new AppError('conflict', `A workspace may have ${limits.recipesPerWorkspace} recipes.`);
  const recipe = isNew ? row : await lockRecipe(ctx.db, slug);
  if (recipe?.person_id === personId) return recipe;
  throw new AppError('conflict', `slug: somebody else published a recipe called ${slug}. Choose another slug.`);
}
