// The rows of the codex that fit a search: recipes of the server and of the workspace, by name.
import { searchPublished, splitWords, type RecipeFilter } from '../store/recipes.ts';
import type { Db } from '../store/tables.ts';
import { toSummaryRow, type SummaryRow } from './present-recipe.ts';
import { getShippedRecipes } from './shipped.ts';

export async function searchCodex(db: Db, filter: RecipeFilter): Promise<SummaryRow[]> {
  const published: SummaryRow[] = await searchPublished(db, filter);
  const shipped = [...getShippedRecipes().values()].map(toSummaryRow).filter((row) => isWanted(row, filter));
  const sorted = [...shipped, ...published].toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  return sorted.slice(0, filter.limit);
}

/** The same conditions as `searchPublished`. */
function isWanted(row: SummaryRow, { kind, category, tag, search = '' }: RecipeFilter): boolean {
  const text = `${row.slug} ${row.name} ${row.description}`.toLowerCase();
  return (
    (kind === undefined || row.kind === kind) &&
    (category === undefined || row.category?.toLowerCase() === category.toLowerCase()) &&
    (tag === undefined || row.tags.includes(tag)) &&
    splitWords(search).every((word) => text.includes(word))
  );
}
