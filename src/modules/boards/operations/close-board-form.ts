import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { emitBoardChanged } from '../events.ts';
import { boardFormId } from '../ids.ts';
import { lockBoard } from '../store/boards.ts';
import { closeForm, findForm } from '../store/forms.ts';

export const closeBoardForm = defineOperation({
  name: 'close_board_form',
  summary: 'Close a form permanently, so that its address takes nothing. Rows that came through it stay.',
  toolset: 'boards',
  effect: 'write',
  access: { scope: 'boards:share', brain: { role: 'editor', of: 'form_id' } },
  rest: [{ method: 'POST', path: '/v1/board-forms/{form_id}/close' }],
  input: z.strictObject({ form_id: boardFormId }),
  output: z.object({ form_id: z.uuid(), closed_at: z.iso.datetime() }),
  errors: ['not_found', 'forbidden', 'invalid_input'],
  examples: [{ title: 'No more guests', input: { form_id: createExampleId('board_form') } }],
  async run(ctx, { form_id }) {
    const form = await findForm(ctx.db, form_id);
    const board = form && (await lockBoard(ctx.db, form.board_id));
    if (!form || !board) throw createNotFoundError('form');
    const closedAt = form.closed_at ?? ctx.now;
    if (!form.closed_at) {
      await closeForm(ctx.db, form_id, ctx.now);
      await emitBoardChanged(ctx, board);
    }
    return { form_id, closed_at: closedAt.toISOString() };
  },
});
