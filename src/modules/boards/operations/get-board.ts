import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { z } from 'zod';
import { chooseColumns } from '../columns.ts';
import { boardId } from '../ids.ts';
import { limits } from '../limits.ts';
import { findBoard, findBoardsByName, listDatasets, readRows, type BoardRow } from '../store.ts';

export const getBoard = defineOperation({
  name: 'get_board',
  summary: 'Read a board by its id or name: its datasets with columns and rows.',
  toolset: 'boards',
  effect: 'read',
  access: { scope: 'boards:read', brain: { role: 'viewer', of: ['board_id', 'brain_id'], whenAbsent: 'allow' } },
  rest: [{ method: 'GET', path: '/v1/boards/{board_id}' }],
  input: z.strictObject({
    board_id: boardId.optional(),
    name: z.string().trim().min(1).max(200).optional().describe('In the place of board_id.'),
    brain_id: brainId.optional().describe('Where a board of this name is looked for.'),
  }),
  output: z.object({
    id: z.uuid(),
    name: z.string(),
    description: z.string(),
    brain_id: z.uuid(),
    data: z.object({
      datasets: z.record(
        z.string(),
        z.object({
          columns: z.array(z.object({ name: z.string(), type: z.string() })),
          rows: z.array(z.record(z.string(), z.unknown())),
        }),
      ),
    }),
    skills: z.array(z.string()),
    dashboard: z.record(z.string(), z.unknown()),
    links: z.array(z.unknown()),
    updated_at: z.iso.datetime(),
  }),
  errors: ['not_found', 'invalid_input', 'conflict'],
  examples: [{ title: 'By its id', input: { board_id: createExampleId('board') } }],
  async run(ctx, { board_id, name, brain_id }) {
    const board = board_id ? await findBoard(ctx.db, board_id) : await findBoardByName(ctx, name, brain_id);
    if (!board) throw createNotFoundError('board');
    const datasets = await listDatasets(ctx.db, board.id);
    const rows = await readRows(ctx.db, board.id, limits.datasets * limits.rowsPerDataset);
    const shown = datasets.map(({ name: dataset, columns }) => {
      const own = rows.filter((each) => each.dataset === dataset).map(({ fields }) => fields);
      return [dataset, { columns: chooseColumns(columns, own), rows: own }] as const;
    });
    const { id, brain_id: of, description, skills, dashboard, links, updated_at } = board;
    return {
      id,
      name: board.name,
      description,
      brain_id: of,
      data: { datasets: Object.fromEntries(shown) },
      skills: skills as string[],
      dashboard: dashboard as Record<string, unknown>,
      links: links as unknown[],
      updated_at: updated_at.toISOString(),
    };
  },
});

/** Finds a board by name: in the given brain, else in the home brain, else in the only brain that has one. */
async function findBoardByName(
  ctx: Context,
  name: string | undefined,
  brainId: string | undefined,
): Promise<BoardRow | undefined> {
  if (name === undefined) throw new AppError('invalid_input', 'Send board_id or name.');
  const found = await findBoardsByName(ctx.db, await listReadableBrainIds(ctx, brainId), name);
  const home = found.find((board) => board.brain_id === ctx.caller.homeBrainId);
  if (home || found.length < 2) return home ?? found[0];
  const ids = found.map(({ id, brain_id }) => ({ board_id: id, brain_id }));
  throw new AppError('conflict', `Several brains have a board called ${name}. Send brain_id or board_id.`, {
    boards: ids,
  });
}
