// Finds recipes of the codex: those of the server, and those published in the workspace.
import { AppError, createNotFoundError } from '#kernel/errors';
import { recipeId } from '../ids.ts';
import { slug } from '../manifest/fields.ts';
import { findPublished, type PublishedVersion } from '../store/recipes.ts';
import type { Db } from '../store/tables.ts';
import type { CodexRecipe } from './codex-recipe.ts';
import { findShippedRecipe } from './shipped.ts';

/** How an operation names a recipe: by exactly one of the two. */
export const recipeReference = { slug: slug.optional(), id: recipeId.optional() };
export type RecipeReference = { slug?: string | undefined; id?: string | undefined };

/** Throws `invalid_input` unless exactly one of the two is given. */
export function checkReference({ slug: bySlug, id }: RecipeReference): void {
  if ((bySlug === undefined) === (id === undefined))
    throw new AppError('invalid_input', 'slug, id: give exactly one of the two.');
}

/** The newest version of a recipe that can be installed. Undefined: there is none. */
export async function findCodexRecipe(db: Db, reference: RecipeReference): Promise<CodexRecipe | undefined> {
  const shipped = findShippedRecipe(reference);
  if (shipped) return shipped;
  const published = await findPublished(db, reference);
  return published && toCodexRecipe(published);
}

/** As `findCodexRecipe`. Throws `not_found` where there is none. */
export async function getCodexRecipe(db: Db, reference: RecipeReference): Promise<CodexRecipe> {
  checkReference(reference);
  const found = await findCodexRecipe(db, reference);
  if (!found) throw createNotFoundError('recipe');
  return found;
}

function toCodexRecipe(row: PublishedVersion): CodexRecipe {
  return {
    id: row.recipe_id,
    recipe: row.manifest,
    version: row.version,
    sha256: row.sha256,
    author: row.manifest.author ?? row.publisher_name ?? 'Unknown',
    publisherId: row.person_id,
    lentSecrets: row.lent_secrets,
    createdAt: row.first_published_at,
    updatedAt: row.created_at,
  };
}
