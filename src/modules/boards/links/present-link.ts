import type { Context } from '#kernel/context';
import { z } from 'zod';
import { listRecipesOfLinks } from '../store/recipes.ts';
import type { BoardLinkRow, DatasetRecipeRow } from '../store/tables.ts';
import { isWithoutAccount } from './read-link.ts';
import { presentRecipe, recipeOutput } from './present-recipe.ts';

/** A link in answers. */
export const linkOutput = z.object({
  id: z.uuid(),
  link_id: z.uuid().describe('The same id.'),
  board_id: z.uuid(),
  kind: z.string(),
  ref: z.record(z.string(), z.unknown()),
  display_name: z.string(),
  integration_provider: z.string().nullable().describe('Null: it is read without an account, as anybody may.'),
  needs_account: z.boolean().describe('It was imported without its account. Make the link again.'),
  integration_user_id: z.uuid().nullable().describe('Whose account it reads through; null: none, or the workspace’s.'),
  created_by: z.string(),
  created_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable().describe('When reading ended because a person left. Make the link again.'),
  recipes: z.array(recipeOutput).describe('The datasets that it fills.'),
});

/** A link, with the dataset recipes that read through it. */
export function presentLink(
  link: BoardLinkRow,
  recipes: readonly DatasetRecipeRow[],
  now: Date,
): z.input<typeof linkOutput> {
  const { id, board_id, kind, ref, display_name, created_by } = link;
  return {
    id,
    link_id: id,
    board_id,
    kind,
    ref,
    display_name,
    integration_provider: link.integration_provider,
    needs_account: isWithoutAccount(link),
    integration_user_id: link.account_person_id,
    created_by,
    created_at: link.created_at.toISOString(),
    ended_at: link.ended_at?.toISOString() ?? null,
    recipes: recipes.filter(({ link_id }) => link_id === id).map((recipe) => presentRecipe(recipe, now)),
  };
}

/** Links with their dataset recipes. */
export async function presentLinks({ db, now }: Context, links: readonly BoardLinkRow[]) {
  const recipes = await listRecipesOfLinks(
    db,
    links.map(({ id }) => id),
  );
  return links.map((link) => presentLink(link, recipes, now));
}
