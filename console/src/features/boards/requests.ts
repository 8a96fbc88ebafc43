import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const boardsQuery = queryOptions({
  queryKey: ['boards', 'list'],
  queryFn: async ({ signal }) => (await call('list_boards', { limit: 200 }, { signal })).boards,
});

export function buildBoardQuery(id: string) {
  return queryOptions({
    queryKey: ['boards', 'one', id],
    queryFn: ({ signal }) => call('get_board', { board_id: id }, { signal }),
  });
}
