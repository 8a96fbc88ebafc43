import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { getCodexRecipe, recipeReference } from '../codex/find-recipe.ts';
import { presentRecipe, recipeOutput } from '../codex/present-recipe.ts';

export function getStarterRecipe({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'get_starter_recipe',
    summary: 'Read one recipe of the codex, with the template that installing it uses.',
    toolset: 'recipes',
    effect: 'read',
    access: { scope: 'recipes:read' },
    rest: [{ method: 'GET', path: '/v1/recipes/{slug}' }],
    input: z.strictObject(recipeReference),
    output: z.object({ recipe: recipeOutput }),
    errors: ['not_found', 'invalid_input'],
    examples: [{ title: 'By its slug', input: { slug: 'coinmarketcap-top10' } }],
    async run(ctx, reference) {
      return { recipe: presentRecipe(await getCodexRecipe(ctx.db, reference), publicUrl) };
    },
  });
}
