import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { emitBoardChanged } from '../events.ts';
import { linkToEndId } from '../ids.ts';
import { lockBoard, touchBoard } from '../store/boards.ts';
import { findLink, removeLink } from '../store/links.ts';

export const deleteBoardLink = defineOperation({
  name: 'delete_board_link',
  summary: 'Delete a link with its dataset recipes. The rows that were read stay. Also for links through your account.',
  toolset: 'boards',
  effect: 'write',
  // A link through an account of the caller is found without its brain: its person may end it anywhere.
  access: { scope: 'boards:write', brain: { role: 'editor', of: 'link_id' } },
  rest: [{ method: 'DELETE', path: '/v1/board-links/{link_id}' }],
  input: z.strictObject({ link_id: linkToEndId }),
  output: z.object({ link_id: z.uuid(), deleted: z.literal(true) }),
  errors: ['not_found', 'forbidden'],
  examples: [{ title: 'No longer', input: { link_id: createExampleId('board_link') } }],
  async run(ctx, { link_id }) {
    const link = await findLink(ctx.db, link_id);
    const board = link && (await lockBoard(ctx.db, link.board_id));
    if (!board) throw createNotFoundError('link');
    await removeLink(ctx.db, link_id);
    await touchBoard(ctx.db, board.id, ctx.now);
    await emitBoardChanged(ctx, board);
    return { link_id, deleted: true as const };
  },
});
