import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { datasetName } from '../create-board.ts';
import { boardId } from '../ids.ts';
import { restoreRow } from '../rows/delete-row.ts';
import { presentedRow, rowId } from '../rows/row-id.ts';

export const restoreBoardRow = defineOperation({
  name: 'restore_board_row',
  summary: 'Restore a deleted row of a board, with its id and its fields.',
  toolset: 'boards',
  effect: 'write',
  access: { scope: 'boards:write', brain: { role: 'editor', of: 'board_id' } },
  rest: [{ method: 'POST', path: '/v1/boards/{board_id}/rows/{row_id}/restore' }],
  input: z.strictObject({ board_id: boardId, row_id: rowId, dataset: datasetName.default('default') }),
  output: presentedRow,
  errors: ['not_found', 'forbidden', 'plan_limit'],
  examples: [
    { title: 'It was deleted by mistake', input: { board_id: createExampleId('board_with_rows'), row_id: 'inv-3' } },
  ],
  run: (ctx, { board_id, row_id, dataset }) => restoreRow(ctx, board_id, { dataset, rowId: row_id }),
});
