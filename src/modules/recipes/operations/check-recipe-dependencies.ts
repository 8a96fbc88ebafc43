import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { getCodexRecipe, recipeReference } from '../codex/find-recipe.ts';
import { presentSummary, recipeSummary, toSummaryRow } from '../codex/present-recipe.ts';
import { compareDependencies } from '../installs/compare-dependencies.ts';

const needed = z.object({ slug: z.string(), min_version: z.string().nullable(), reason: z.string().optional() });

export function checkRecipeDependencies({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'check_recipe_dependencies',
    summary: 'See which recipes another one needs, which of them a brain has, and which are installed with it.',
    toolset: 'recipes',
    effect: 'read',
    access: { scope: 'recipes:read', brain: { role: 'viewer', of: 'brain_id' } },
    rest: [{ method: 'GET', path: '/v1/recipes/{slug}/dependencies' }],
    input: z.strictObject({
      ...recipeReference,
      brain_id: brainId.optional().describe('The brain to look at; your home brain without it.'),
    }),
    output: z.object({
      recipe: recipeSummary,
      declared: z.array(needed).describe('What the recipe itself names.'),
      satisfied: z.array(needed.extend({ install_id: z.uuid(), version: z.string() })),
      missing: z.array(
        needed.extend({
          available: z.object({ has_recipe: z.boolean(), latest_version: z.string().nullable() }),
          problem: z
            .enum(['missing', 'too_old', 'circular', 'too_deep'])
            .nullable()
            .describe('Null: it is installed with the recipe.'),
        }),
      ),
      chain: z.array(z.array(z.string())).describe('For each recipe that is needed, the way to it.'),
    }),
    errors: ['not_found', 'invalid_input'],
    examples: [{ title: 'Before installing', input: { slug: 'github-pulse' } }],
    async run(ctx, { brain_id = ctx.caller.homeBrainId, ...reference }) {
      const target = await getCodexRecipe(ctx.db, reference);
      return {
        recipe: presentSummary(toSummaryRow(target), publicUrl),
        ...(await compareDependencies(ctx.db, target, brain_id)),
      };
    },
  });
}
