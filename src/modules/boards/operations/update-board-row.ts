import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { row } from '../columns.ts';
import { datasetName } from '../create-board.ts';
import { boardId } from '../ids.ts';
import { patchRow } from '../rows/patch-row.ts';
import { presentedRow, rowId } from '../rows/row-id.ts';

export const updateBoardRow = defineOperation({
  name: 'update_board_row',
  summary: 'Change cells of one row of a board. With expected_version, a row that changed meanwhile stays as it is.',
  toolset: 'boards',
  effect: 'write',
  access: { scope: 'boards:write', brain: { role: 'editor', of: 'board_id' } },
  rest: [{ method: 'PATCH', path: '/v1/boards/{board_id}/rows/{row_id}' }],
  input: z.strictObject({
    board_id: boardId,
    row_id: rowId,
    dataset: datasetName.default('default'),
    patch: row
      .refine((cells) => Object.keys(cells).length > 0, 'give at least one cell')
      .describe('Cells to set, by column; the others stay. null empties a cell.'),
    expected_version: z.number().int().min(1).optional().describe('The version that you read.'),
  }),
  output: presentedRow,
  errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
  examples: [
    {
      title: 'It was paid',
      input: { board_id: createExampleId('board_with_rows'), row_id: 'inv-1', patch: { status: 'paid' } },
    },
  ],
  run: (ctx, { board_id, row_id, dataset, patch, expected_version: expectedVersion }) =>
    patchRow(ctx, board_id, { dataset, rowId: row_id, patch, expectedVersion }),
});
