import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { formOutput, presentForm } from '../forms/present-form.ts';
import { boardId } from '../ids.ts';
import { listForms } from '../store/forms.ts';

export const listBoardForms = defineOperation({
  name: 'list_board_forms',
  summary: 'List the forms of a board, open and closed, with how many rows came through each.',
  toolset: 'boards',
  effect: 'read',
  access: { scope: 'boards:read', brain: { role: 'viewer', of: 'board_id' } },
  rest: [{ method: 'GET', path: '/v1/boards/{board_id}/forms' }],
  input: z.strictObject({ board_id: boardId }),
  output: z.object({ forms: z.array(formOutput) }),
  errors: ['not_found', 'invalid_input'],
  examples: [{ title: 'Of a board', input: { board_id: createExampleId('board') } }],
  run: async ({ db }, { board_id }) => ({ forms: (await listForms(db, board_id)).map(presentForm) }),
});
