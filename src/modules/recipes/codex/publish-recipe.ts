// Publishes a version of a recipe in the workspace.
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { recipeUpdateAvailable } from '../events.ts';
import { limits } from '../limits.ts';
import { hashRecipe } from '../manifest/hash-recipe.ts';
import type { Recipe } from '../manifest/recipe.ts';
import { compareVersions, getNextPatch } from '../manifest/versions.ts';
import { listInstallsOfRecipe } from '../store/installs.ts';
import { countRecipes, insertRecipe, insertVersion, listVersions, lockRecipe } from '../store/recipes.ts';
import type { LentSecret, RecipeRow } from '../store/tables.ts';
import type { CodexRecipe } from './codex-recipe.ts';
import { findCodexRecipe } from './find-recipe.ts';
import { bindLentSecrets } from './bind-lent-secrets.ts';
import { checkResolved, resolveDependencies } from './resolve-dependencies.ts';
import { getShippedRecipes } from './shipped.ts';

export type PublishedRecipe = { id: string; slug: string; version: string; isNew: boolean; lent: LentSecret[] };

/**
 * Stores a version; the same content again answers the version that has it. Throws `conflict` for a slug of somebody
 * else or of the server, for other content under a known version, for a version below the present one, and for
 * recipes that it needs and the codex does not have.
 */
export async function publishRecipe(ctx: Context, recipe: Recipe): Promise<PublishedRecipe> {
  const lent = await bindLentSecrets(ctx, recipe);
  const { id } = await openRecipe(ctx, recipe.slug);
  const versions = await listVersions(ctx.db, id);
  const [newest] = versions;
  const version = recipe.version ?? getNextPatch(newest?.version ?? null);
  const content = { sha256: hashRecipe(recipe), lent_secrets: lent };
  const same = recipe.version === undefined ? newest : versions.find((each) => each.version === version);
  const known = { id, slug: recipe.slug, lent };
  if (same && isSameContent(same, content)) return { ...known, version: same.version, isNew: false };
  checkNewVersion(version, versions);
  const manifest = { ...recipe, version };
  await checkDependencies(ctx, { id, recipe: manifest, version, sha256: content.sha256 });
  await insertVersion(ctx.db, {
    ...content,
    id: ctx.newId(),
    workspace_id: ctx.caller.workspaceId,
    recipe_id: id,
    version,
    manifest,
    created_by: ctx.caller.label,
    created_at: ctx.now,
    withdrawn_at: null,
  });
  await emitUpdateAvailable(ctx, id, version);
  return { ...known, version, isNew: true };
}

type ListedVersion = Awaited<ReturnType<typeof listVersions>>[number];

function isSameContent(
  { sha256, lent_secrets, withdrawn_at }: ListedVersion,
  content: Pick<ListedVersion, 'sha256' | 'lent_secrets'>,
): boolean {
  return withdrawn_at === null && isDeepStrictEqual({ sha256, lent_secrets }, content);
}

/** Throws `conflict` for a version that is there, or below one that is there. */
function checkNewVersion(version: string, versions: readonly ListedVersion[]): void {
  const same = versions.find((each) => each.version === version);
  const state = same?.withdrawn_at ? 'was withdrawn' : 'was published with other content';
  if (same) throw new AppError('conflict', `version: ${version} ${state}. Publish a higher version.`);
  const [newest] = versions;
  if (newest && compareVersions(version, newest.version) < 0)
    throw new AppError('conflict', `version: ${newest.version} is already published. Publish a higher version.`);
  if (versions.length >= limits.versionsPerRecipe)
    throw new AppError('conflict', `A recipe may have ${limits.versionsPerRecipe} versions. Choose another slug.`);
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

/** Throws where the recipe could not be installed because of what it needs. */
async function checkDependencies(
  ctx: Context,
  recipe: Pick<CodexRecipe, 'id' | 'recipe' | 'version' | 'sha256'>,
): Promise<void> {
  const { label, personId } = ctx.caller;
  const by = { author: label, publisherId: personId, lentSecrets: [], createdAt: ctx.now, updatedAt: ctx.now };
  checkResolved(await resolveDependencies((slug) => findCodexRecipe(ctx.db, { slug }), { ...recipe, ...by }));
}

/** Emits to each installer of a lower version that there is a newer one. */
async function emitUpdateAvailable(ctx: Context, recipeId: string, version: string): Promise<void> {
  for (const install of await listInstallsOfRecipe(ctx.db, recipeId)) {
    const { id, brain_id, slug, entity_kind, entity_id, person_id } = install;
    if (compareVersions(install.version, version) >= 0) continue;
    const payload = { install_id: id, brain_id, slug, version, entity_kind, entity_id };
    await ctx.emit(recipeUpdateAvailable(payload, { personId: person_id }));
  }
}
