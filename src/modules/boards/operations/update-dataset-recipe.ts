import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { adapterOp } from '../dataset-fields.ts';
import { emitBoardChanged } from '../events.ts';
import { datasetRecipeId } from '../ids.ts';
import { createCallerJudge, judgeLink } from '../links/read-link.ts';
import { presentRecipe, recipeOutput } from '../links/present-recipe.ts';
import { checkSettings, recipeFields } from '../refreshes/recipe-settings.ts';
import { lockBoard } from '../store/boards.ts';
import { findLink } from '../store/links.ts';
import { changeRecipe, findRecipe } from '../store/recipes.ts';

const input = z
  .strictObject({
    recipe_id: datasetRecipeId,
    adapter_op: adapterOp.optional(),
    params: z.record(z.string().max(100), z.unknown()).optional().describe('Instead of the present ones.'),
    ...recipeFields,
  })
  .refine((given) => Object.keys(given).length > 1, 'give at least one field to change');

export const updateDatasetRecipe = defineOperation({
  name: 'update_dataset_recipe',
  summary: 'Change what a dataset recipe reads, and when. With a schedule it is refreshed at once.',
  toolset: 'boards',
  effect: 'write',
  access: {
    scope: 'boards:write',
    brain: { role: 'editor', of: 'recipe_id' },
    also: [
      {
        scope: 'syncs:write',
        async when(ctx, { recipe_id }) {
          const recipe = await findRecipe(ctx.db, recipe_id);
          return recipe !== undefined && (await findLink(ctx.db, recipe.link_id))?.connection_id !== null;
        },
      },
    ],
  },
  rest: [{ method: 'PATCH', path: '/v1/dataset-recipes/{recipe_id}' }],
  input,
  output: recipeOutput,
  errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
  examples: [
    { title: 'By hand from now on', input: { recipe_id: createExampleId('dataset_recipe'), refresh_cron: null } },
  ],
  async run(ctx, { recipe_id, ...change }) {
    const recipe = await findRecipe(ctx.db, recipe_id);
    const link = recipe && (await findLink(ctx.db, recipe.link_id));
    const board = link && (await lockBoard(ctx.db, link.board_id));
    if (!recipe || !board) throw createNotFoundError('recipe');
    const { adapter_op, params, refresh_cron, dedupe_key_field, dedupe_target_field } = recipe;
    const before = { adapter_op, params, refresh_cron, dedupe_key_field, dedupe_target_field };
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const settings = checkSettings(link, { ...before, ...given });
    await judgeLink(ctx.db, link, createCallerJudge(ctx.caller));
    await changeRecipe(ctx.db, recipe_id, settings);
    await emitBoardChanged(ctx, board);
    const changed = await findRecipe(ctx.db, recipe_id);
    if (!changed) throw createNotFoundError('recipe');
    return presentRecipe(changed, ctx.now);
  },
});
