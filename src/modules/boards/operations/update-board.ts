import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { changeColumns } from '../change-columns.ts';
import { boardDescription, boardName, columns, dashboard, datasetName } from '../create-board.ts';
import { emitBoardChanged } from '../events.ts';
import { boardId } from '../ids.ts';
import { skills } from '../skills/skill.ts';
import { changeBoard, findBoardsByName, lockBoard, type BoardChange } from '../store/boards.ts';

const input = z
  .strictObject({
    board_id: boardId,
    name: boardName.optional(),
    description: boardDescription.optional(),
    datasets: z
      .record(datasetName, z.strictObject({ columns }))
      .optional()
      .describe('New columns of the datasets named; others stay. Fields without a column are kept, and not shown.'),
    skills: skills.optional(),
    dashboard: dashboard.optional(),
  })
  .refine(
    (given) => Object.keys(given).length > 1,
    'give at least one of name, description, datasets, skills, dashboard',
  );

export function updateBoard({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'update_board',
    summary: 'Change the name, description, columns, skills or dashboard of a board. Its rows stay.',
    toolset: 'boards',
    effect: 'write',
    access: { scope: 'boards:write', brain: { role: 'editor', of: 'board_id' } },
    rest: [{ method: 'PATCH', path: '/v1/boards/{board_id}' }],
    input,
    output: z.object({ board_id: z.uuid(), name: z.string(), updated_at: z.iso.datetime(), url: uri() }),
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input', 'plan_limit'],
    examples: [
      {
        title: 'What it is for',
        input: { board_id: createExampleId('board'), description: 'Open invoices by customer' },
      },
    ],
    async run(ctx, { board_id, datasets, name, description, skills, dashboard }) {
      const board = await lockBoard(ctx.db, board_id);
      if (!board) throw createNotFoundError('board');
      if (datasets) await changeColumns(ctx, board_id, datasets);
      const change: BoardChange = {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(skills && { skills }),
        ...(dashboard && { dashboard }),
      };
      const taken = name === undefined ? [] : await findBoardsByName(ctx.db, [board.brain_id], name);
      if (taken.some(({ id }) => id !== board_id)) throw createNameError(String(name));
      await changeBoard(ctx.db, board_id, change, ctx.now).catch((error: unknown) => {
        throw (error as { code?: unknown }).code === '23505' ? createNameError(String(name)) : error; // another took it meanwhile
      });
      await emitBoardChanged(ctx, board);
      return {
        board_id,
        name: name ?? board.name,
        updated_at: ctx.now.toISOString(),
        url: `${publicUrl}/boards/${board_id}`,
      };
    },
  });
}

function createNameError(name: string): AppError {
  return new AppError('conflict', `This brain has another board called ${name}. Choose another name.`);
}
