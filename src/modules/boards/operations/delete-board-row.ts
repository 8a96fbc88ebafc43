import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { datasetName } from '../create-board.ts';
import { boardId } from '../ids.ts';
import { limits } from '../limits.ts';
import { deleteRow } from '../rows/delete-row.ts';
import { rowId } from '../rows/row-id.ts';

export const deleteBoardRow = defineOperation({
  name: 'delete_board_row',
  summary: `Delete one row of a board. restore_board_row brings it back within ${limits.daysToRestore} days.`,
  toolset: 'boards',
  effect: 'write',
  access: { scope: 'boards:write', brain: { role: 'editor', of: 'board_id' } },
  rest: [{ method: 'DELETE', path: '/v1/boards/{board_id}/rows/{row_id}' }],
  input: z.strictObject({ board_id: boardId, row_id: rowId, dataset: datasetName.default('default') }),
  output: z.object({ row_id: z.string(), deleted_at: z.iso.datetime(), restorable_until: z.iso.datetime() }),
  errors: ['not_found', 'forbidden'],
  examples: [
    { title: 'It was entered twice', input: { board_id: createExampleId('board_with_rows'), row_id: 'inv-2' } },
  ],
  run: (ctx, { board_id, row_id, dataset }) => deleteRow(ctx, board_id, { dataset, rowId: row_id }),
});
