import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { presentSummary, recipeSummary } from '../codex/present-recipe.ts';
import { searchCodex } from '../codex/search-codex.ts';
import { recipeKinds } from '../manifest/kinds.ts';

export function listStarterRecipes({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'list_starter_recipes',
    shortNames: ['list_recipes'],
    summary: 'Browse the codex: boards, automations, workflows, bundles and integrations that can be installed.',
    toolset: 'recipes',
    effect: 'read',
    access: { scope: 'recipes:read' },
    rest: [{ method: 'GET', path: '/v1/recipes' }],
    input: z.strictObject({
      kind: z.enum(recipeKinds).optional(),
      category: z.string().max(60).optional(),
      tag: z.string().max(60).optional().describe('One tag.'),
      search: z.string().trim().max(200).optional().describe('Words of the name or description.'),
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
    output: z.object({ recipes: z.array(recipeSummary) }),
    errors: ['invalid_input'],
    examples: [{ title: 'Boards to install', input: { kind: 'board' } }],
    async run(ctx, filter) {
      const rows = await searchCodex(ctx.db, filter);
      return { recipes: rows.map((row) => presentSummary(row, publicUrl)) };
    },
  });
}
