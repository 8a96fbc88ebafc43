import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { publishRecipe } from '../codex/publish-recipe.ts';
import { recipeSchema } from '../manifest/recipe-schema.ts';

export const publishRecipeVersion = defineOperation({
  name: 'publish_recipe_version',
  summary: 'Publish a recipe, or its next version, for everybody in the workspace. A version never changes.',
  toolset: 'recipes',
  effect: 'write',
  access: { scope: 'recipes:publish', isForPeople: true },
  rest: [{ method: 'POST', path: '/v1/recipes' }],
  input: z.strictObject({ recipe: recipeSchema }),
  maxBodyBytes: 2_000_000,
  output: z.object({
    id: z.uuid(),
    slug: z.string(),
    version: z.string(),
    is_new: z.boolean().describe('False: this content was published already, as this version.'),
  }),
  errors: ['invalid_input', 'conflict'],
  examples: [
    {
      title: 'A board for meetings',
      input: {
        recipe: {
          slug: 'meeting-notes',
          name: 'Meeting notes',
          kind: 'board',
          template: { name: 'Meetings', datasets: { default: { columns: [{ name: 'topic' }] } } },
        },
      },
    },
  ],
  async run(ctx, { recipe }) {
    const { recipeId, version, isNew } = await publishRecipe(ctx, recipe, []);
    return { id: recipeId, slug: recipe.slug, version, is_new: isNew };
  },
});
