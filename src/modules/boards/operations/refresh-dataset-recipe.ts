import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { datasetRecipeId } from '../ids.ts';
import { createCallerJudge } from '../links/read-link.ts';
import {
  prepareRefresh,
  refreshDataset,
  refreshLeaseMs,
  type Refresh,
  type RefreshDeps,
} from '../refreshes/refresh-dataset.ts';
import { beginRefresh, findRecipe } from '../store/recipes.ts';

export function refreshDatasetRecipe(deps: RefreshDeps) {
  return defineOperation({
    name: 'refresh_dataset_recipe',
    summary: 'Read the rows of a dataset from its link now. If that fails, the rows that are there stay.',
    toolset: 'boards',
    effect: 'external_read',
    access: { scope: 'boards:write', brain: { role: 'editor', of: 'recipe_id' } },
    rest: [{ method: 'POST', path: '/v1/dataset-recipes/{recipe_id}/refresh' }],
    input: z.strictObject({ recipe_id: datasetRecipeId }),
    output: z.object({
      recipe_id: z.uuid(),
      rows: z.number().int().describe('How many rows the dataset has.'),
      changed: z.number().int().describe('How many of them are new, changed or gone.'),
    }),
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input', 'plan_limit', 'upstream_failed', 'unavailable'],
    examples: [{ title: 'Now', input: { recipe_id: createExampleId('dataset_recipe') } }],
    async run(ctx, { recipe_id }): Promise<Refresh> {
      if (!(await findRecipe(ctx.db, recipe_id))) throw createNotFoundError('recipe');
      const recipe = await beginRefresh(ctx.db, recipe_id, { forMs: refreshLeaseMs, isDue: false });
      if (!recipe) throw new AppError('conflict', 'It is being refreshed at this moment. Read the board in a minute.');
      return prepareRefresh(ctx.db, recipe, createCallerJudge(ctx.caller));
    },
    async afterCommit(ctx, refresh, { recipe_id }) {
      const judge = createCallerJudge(ctx.caller);
      const transact = <T>(work: Parameters<typeof ctx.transact<T>>[0]) => ctx.transact(work);
      return { recipe_id, ...(await refreshDataset(deps, refresh, { judge, transact })) };
    },
  });
}
