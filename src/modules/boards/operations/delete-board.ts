import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { emitBoardChanged } from '../events.ts';
import { boardId } from '../ids.ts';
import { lockBoard, removeBoard } from '../store/boards.ts';

export const deleteBoard = defineOperation({
  name: 'delete_board',
  summary: 'Delete a board with all its rows, permanently.',
  toolset: 'boards',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'boards:delete', brain: { role: 'admin', of: 'board_id' } },
  rest: [{ method: 'DELETE', path: '/v1/boards/{board_id}' }],
  input: z.strictObject({ board_id: boardId, confirm: z.string().max(200).describe('The exact name of the board.') }),
  output: z.object({ board_id: z.uuid(), deleted: z.literal(true) }),
  errors: ['not_found', 'forbidden', 'invalid_input'],
  examples: [
    { title: 'It is no longer needed', input: { board_id: createExampleId('deleted_board'), confirm: 'Deleted' } },
  ],
  async run(ctx, { board_id, confirm }) {
    const board = await lockBoard(ctx.db, board_id);
    if (!board) throw createNotFoundError('board');
    if (confirm !== board.name) throw new AppError('invalid_input', `confirm: write the exact name of the board.`);
    await removeBoard(ctx.db, board_id);
    await emitBoardChanged(ctx, board);
    return { board_id, deleted: true as const };
  },
});
