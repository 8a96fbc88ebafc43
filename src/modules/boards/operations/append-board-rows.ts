import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { appendRows } from '../rows/append-rows.ts';
import { row } from '../columns.ts';
import { datasetName } from '../create-board.ts';
import { boardId } from '../ids.ts';
import { limits } from '../limits.ts';

const field = z.string().min(1).max(100);

export const appendBoardRows = defineOperation({
  name: 'append_board_rows',
  summary: 'Append rows to a board. Rows with an existing row_id, or an existing key in dedupe_key_field, are skipped.',
  toolset: 'boards',
  effect: 'write',
  access: { scope: 'boards:write', brain: { role: 'editor', of: 'board_id' } },
  rest: [{ method: 'POST', path: '/v1/boards/{board_id}/rows' }],
  input: z.strictObject({
    board_id: boardId,
    rows: z
      .array(row)
      .min(1)
      .max(limits.rowsPerCall)
      .describe('Fields by name. A row may contain its own `row_id`; a row with an existing one is skipped.'),
    dataset: datasetName.default('default'),
    dedupe_key_field: field.optional().describe("The field with the source's stable id, such as email_id."),
    dedupe_target_field: field.optional().describe('A list field of existing rows; ids in it count as existing keys.'),
  }),
  output: z.object({ appended: z.number(), skipped: z.number() }),
  errors: ['not_found', 'forbidden', 'invalid_input', 'plan_limit'],
  examples: [
    {
      title: 'Once for each mail',
      input: {
        board_id: createExampleId('board'),
        rows: [{ email_id: 'm1', subject: 'Hello' }],
        dedupe_key_field: 'email_id',
      },
    },
  ],
  run: (ctx, { board_id, rows, dataset, dedupe_key_field: keyField, dedupe_target_field: targetField }) =>
    appendRows(ctx, board_id, { dataset, rows, keyField, targetField }),
});
