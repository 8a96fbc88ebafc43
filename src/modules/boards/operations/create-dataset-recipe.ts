import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { datasetName } from '../create-board.ts';
import { adapterOp, adapterParams } from '../dataset-fields.ts';
import { emitBoardChanged } from '../events.ts';
import { boardLinkId } from '../ids.ts';
import { limits } from '../limits.ts';
import { createCallerJudge, judgeLink } from '../links/read-link.ts';
import { checkNotFilled } from '../rows/assert-writable.ts';
import { presentRecipe, recipeOutput } from '../links/present-recipe.ts';
import { checkSettings, recipeFields } from '../refreshes/recipe-settings.ts';
import { lockBoard } from '../store/boards.ts';
import { ensureDataset, listDatasets } from '../store/datasets.ts';
import { findLink } from '../store/links.ts';
import { insertRecipe } from '../store/recipes.ts';

export const createDatasetRecipe = defineOperation({
  name: 'create_dataset_recipe',
  summary:
    'Fill a dataset of a board with what a link lists, by hand or on a schedule. Each refresh replaces its rows; edits there are refused.',
  toolset: 'boards',
  effect: 'write',
  access: {
    scope: 'boards:write',
    brain: { role: 'editor', of: 'link_id' },
    also: [
      {
        scope: 'syncs:write',
        when: async (ctx, { link_id }) => (await findLink(ctx.db, link_id))?.connection_id !== null,
      },
    ],
  },
  rest: [{ method: 'POST', path: '/v1/board-links/{link_id}/recipes' }],
  input: z.strictObject({
    link_id: boardLinkId,
    dataset_name: datasetName,
    adapter_op: adapterOp,
    params: adapterParams,
    ...recipeFields,
  }),
  output: recipeOutput,
  errors: ['not_found', 'forbidden', 'conflict', 'invalid_input', 'plan_limit'],
  examples: [
    {
      title: 'Open pull requests, each hour',
      input: {
        link_id: createExampleId('github_link'),
        dataset_name: 'prs',
        adapter_op: 'github.list_open_prs',
        refresh_cron: '0 * * * *',
        dedupe_key_field: 'id',
        dedupe_target_field: 'pr_id',
      },
    },
  ],
  async run(ctx, { link_id, dataset_name: dataset, ...given }) {
    const link = await findLink(ctx.db, link_id);
    const board = link && (await lockBoard(ctx.db, link.board_id));
    if (!board) throw createNotFoundError('link');
    const { adapter_op, params } = given;
    const { refresh_cron = null, dedupe_key_field = null, dedupe_target_field = null } = given;
    const asked = { adapter_op, params, refresh_cron, dedupe_key_field, dedupe_target_field };
    const settings = checkSettings(link, asked);
    await judgeLink(ctx.db, link, createCallerJudge(ctx.caller));
    await checkNotFilled(ctx.db, { boardId: board.id, dataset });
    const datasets = await listDatasets(ctx.db, board.id);
    if (datasets.length >= limits.datasets && !datasets.some(({ name }) => name === dataset))
      throw new AppError('plan_limit', `A board has at most ${limits.datasets} datasets.`);
    const { workspaceId } = ctx.caller;
    await ensureDataset(ctx.db, { boardId: board.id, workspaceId, at: ctx.now }, dataset);
    const recipe = await insertRecipe(ctx.db, {
      id: ctx.newId(),
      workspace_id: workspaceId,
      link_id,
      board_id: board.id,
      dataset,
      ...settings,
      created_at: ctx.now,
    });
    await emitBoardChanged(ctx, board);
    return presentRecipe(recipe, ctx.now);
  },
});
