import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { row } from '../columns.ts';
import { datasetName } from '../create-board.ts';
import { boardId } from '../ids.ts';
import { queryRows, rowGroup, rowQuery } from '../rows/query-rows.ts';

export const queryBoardRows = defineOperation({
  name: 'query_board_rows',
  summary: 'Find rows of a board by their fields, sorted, page by page, and count, sum or average them in groups.',
  toolset: 'boards',
  effect: 'read',
  access: { scope: 'boards:read', brain: { role: 'viewer', of: 'board_id' } },
  rest: [{ method: 'POST', path: '/v1/boards/{board_id}/rows/query' }],
  input: z.strictObject({ board_id: boardId, dataset: datasetName.default('default'), ...rowQuery }),
  output: z.object({
    rows: z.array(row).describe('Fields, with `row_id` beside them.'),
    versions: z.array(z.number()).describe('The version of each row, in the same order.'),
    groups: z.array(rowGroup).optional(),
    total: z.number().describe('How many rows fit.'),
    next_cursor: z.string().nullable().describe('Null: this is the last page.'),
  }),
  errors: ['not_found', 'invalid_input'],
  examples: [
    {
      title: 'What customers owe',
      input: {
        board_id: createExampleId('board'),
        where: { status: 'open', amount: { gt: 0 } },
        sort: [{ field: 'amount', order: 'desc' }],
        aggregate: { by: ['customer'], sum: ['amount'] },
      },
    },
  ],
  run: (ctx, { board_id, ...query }) => queryRows(ctx, board_id, query),
});
