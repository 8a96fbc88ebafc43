import { createHash } from 'node:crypto';
import type { Recipe } from './recipe.ts';

/** The SHA-256 of a recipe, whatever the order of its fields. The version does not count. */
export function hashRecipe({ version: _version, ...recipe }: Recipe): string {
  return createHash('sha256')
    .update(JSON.stringify(sortFields(recipe)))
    .digest('hex');
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, each]) => [name, sortFields(each)]));
}
