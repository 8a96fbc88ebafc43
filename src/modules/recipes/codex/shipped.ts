// The recipes that the server brings: files in `recipes/` at the root of the project, one for each recipe.
import type { ItemLocation } from '#kernel/resource';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hashRecipe } from '../manifest/hash-recipe.ts';
import { recipeSchema } from '../manifest/recipe-schema.ts';
import type { CodexRecipe } from './codex-recipe.ts';

const folder = join(import.meta.dirname, '../../../../recipes');

/** A file: the day of this version, and the manifest. */
const shippedFile = z.strictObject({ published_on: z.iso.date(), recipe: recipeSchema });

let loaded: ReadonlyMap<string, CodexRecipe> | null = null;

/** The recipes of the server by slug; their files are read once. Throws for a file without a recipe. */
export function getShippedRecipes(): ReadonlyMap<string, CodexRecipe> {
  loaded ??= new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .toSorted()
      .map((file) => parseShipped(readFileSync(join(folder, file), 'utf8')))
      .map((shipped) => [shipped.recipe.slug, shipped]),
  );
  return loaded;
}

function parseShipped(text: string): CodexRecipe {
  const { recipe, published_on } = shippedFile.parse(JSON.parse(text));
  const day = new Date(published_on);
  return {
    id: buildShippedId(recipe.slug),
    recipe,
    version: recipe.version ?? '1.0.0',
    sha256: hashRecipe(recipe),
    author: recipe.author ?? 'Thalamus',
    publisherId: null,
    lentSecrets: [],
    createdAt: day,
    updatedAt: day,
  };
}

/** The id of a recipe of the server: the same on every server, made of its slug (UUID version 8, RFC 9562). */
function buildShippedId(slug: string): string {
  const digits = createHash('sha256').update(`recipe ${slug}`).digest('hex');
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
  return [...parts, digits.slice(20, 32)].join('-');
}

/** Those of some ids that are recipes of the server. */
export function locateShippedRecipes(ids: readonly string[]): ItemLocation[] {
  const known = new Set([...getShippedRecipes().values()].map(({ id }) => id));
  return ids.filter((id) => known.has(id)).map((id) => ({ id, brainId: null }));
}

/** A recipe of the server; undefined: there is none. */
export function findShippedRecipe({ slug, id }: { slug?: string | undefined; id?: string | undefined }) {
  if (slug !== undefined) return getShippedRecipes().get(slug);
  return [...getShippedRecipes().values()].find((shipped) => shipped.id === id);
}
