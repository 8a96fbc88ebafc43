import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { emitBoardChanged } from '../events.ts';
import { datasetRecipeId } from '../ids.ts';
import { lockBoard } from '../store/boards.ts';
import { findRecipe, removeRecipe } from '../store/recipes.ts';

export const deleteDatasetRecipe = defineOperation({
  name: 'delete_dataset_recipe',
  summary: 'Stop filling a dataset. Its rows stay, and can be edited again.',
  toolset: 'boards',
  effect: 'write',
  access: { scope: 'boards:write', brain: { role: 'editor', of: 'recipe_id' } },
  rest: [{ method: 'DELETE', path: '/v1/dataset-recipes/{recipe_id}' }],
  input: z.strictObject({ recipe_id: datasetRecipeId }),
  output: z.object({ recipe_id: z.uuid(), deleted: z.literal(true) }),
  errors: ['not_found', 'forbidden'],
  examples: [{ title: 'No longer', input: { recipe_id: createExampleId('dataset_recipe') } }],
  async run(ctx, { recipe_id }) {
    const recipe = await findRecipe(ctx.db, recipe_id);
    const board = recipe && (await lockBoard(ctx.db, recipe.board_id));
    if (!board) throw createNotFoundError('recipe');
    await removeRecipe(ctx.db, recipe_id);
    await emitBoardChanged(ctx, board);
    return { recipe_id, deleted: true as const };
  },
});
