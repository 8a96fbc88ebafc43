import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { brainId, listReadableBrainIds } from '#modules/brains';
import { z } from 'zod';
import { chooseColumns } from '../columns.ts';
import { datasetName } from '../create-board.ts';
import { boardId } from '../ids.ts';
import { limits } from '../limits.ts';
import { linkOutput, presentLinks } from '../links/present-link.ts';
import { skillsOutput } from '../skills/skill.ts';
import { presentRow } from '../rows/row-id.ts';
import { findBoard, findBoardsByName } from '../store/boards.ts';
import { listBoardLinks } from '../store/links.ts';
import { listDatasetTotals, measureRows, readRows, type RowWindow } from '../store/row-windows.ts';
import type { BoardRow } from '../store/tables.ts';

export const getBoard = defineOperation({
  name: 'get_board',
  summary: 'Show a board by id or name: its datasets with columns and rows.',
  toolset: 'boards',
  effect: 'read',
  access: { scope: 'boards:read', brain: { role: 'viewer', of: ['board_id', 'brain_id'], whenAbsent: 'allow' } },
  rest: [{ method: 'GET', path: '/v1/boards/{board_id}' }],
  input: z.strictObject({
    board_id: boardId.optional(),
    name: z.string().trim().min(1).max(200).optional().describe('Instead of board_id.'),
    brain_id: brainId.optional().describe('Where to look for a board with this name.'),
    dataset: datasetName.optional().describe('Only this dataset.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(limits.rowsPerDataset)
      .default(limits.rowsPerDataset)
      .describe('The most rows of each dataset.'),
    offset: z.coerce
      .number()
      .int()
      .min(0)
      .max(1_000_000)
      .default(0)
      .describe('Rows of each dataset to leave out, oldest first.'),
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
          rows: z.array(z.record(z.string(), z.unknown())).describe('Fields, with `row_id` beside them.'),
          versions: z.array(z.number()).describe('The version of each row, in the same order.'),
          total: z.number().describe('How many rows it has.'),
        }),
      ),
    }),
    skills: skillsOutput,
    dashboard: z.record(z.string(), z.unknown()),
    links: z.array(linkOutput).describe('What it points at in services.'),
    updated_at: z.iso.datetime(),
  }),
  errors: ['not_found', 'invalid_input', 'conflict'],
  examples: [{ title: 'By its id', input: { board_id: createExampleId('board') } }],
  async run(ctx, { board_id, name, brain_id, ...window }) {
    const board = board_id ? await findBoard(ctx.db, board_id) : await findBoardByName(ctx, name, brain_id);
    if (!board) throw createNotFoundError('board');
    const shown = await readDatasets(ctx, { boardId: board.id, ...window, dataset: window.dataset });
    const { id, brain_id: of, description, skills, dashboard, updated_at } = board;
    const links = await presentLinks(ctx, await listBoardLinks(ctx.db, id));
    return {
      id,
      name: board.name,
      description,
      brain_id: of,
      data: { datasets: shown },
      skills: skills as z.input<typeof skillsOutput>, // as it was parsed when it was stored
      dashboard: dashboard as Record<string, unknown>,
      links,
      updated_at: updated_at.toISOString(),
    };
  },
});

/** More rows than these are measured before they are read. */
const smallEnough = 1_000;

async function readDatasets({ db }: Context, window: RowWindow) {
  const datasets = await listDatasetTotals(db, window);
  // The first append makes a dataset; until then it reads as an empty one.
  if (window.dataset !== undefined && !datasets.length) datasets.push({ name: window.dataset, columns: [], total: 0 });
  const count = datasets.reduce((sum, { total }) => sum + clampCount(total - window.offset, window.limit), 0);
  if (count > smallEnough && (await measureRows(db, window)) > limits.bytesPerAnswer)
    throw new AppError(
      'invalid_input',
      'limit: these rows are too large for one answer. Read one dataset, and fewer rows at a time with limit and offset.',
    );
  const rows = Map.groupBy(await readRows(db, window), ({ dataset }) => dataset);
  const shown = datasets.map(({ name, columns, total }) => {
    const own = rows.get(name) ?? [];
    const fields = own.map((row) => row.fields);
    const versions = own.map(({ version }) => version);
    return [name, { columns: chooseColumns(columns, fields), rows: own.map(presentRow), versions, total }] as const;
  });
  return Object.fromEntries(shown);
}

function clampCount(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}

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
