import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

export type Board = Output<'get_board'>;
export type BoardLink = Board['links'][number];
export type DatasetRecipe = BoardLink['recipes'][number];
export type BoardSkill = Board['skills'][number];
export type BoardForm = Output<'list_board_forms'>['forms'][number];
export type NewForm = Output<'create_board_form'>;
export type Dataset = Board['data']['datasets'][string];
export type BoardCells = Dataset['rows'][number];

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

export function buildFormsQuery(id: string) {
  return queryOptions({
    queryKey: ['boards', 'forms', id],
    queryFn: async ({ signal }) => (await call('list_board_forms', { board_id: id }, { signal })).forms,
  });
}

/** A row of a board. */
export type RowAddress = { boardId: string; dataset: string; rowId: string };

let lastChange: Promise<unknown> = Promise.resolve();

/**
 * Changes one cell of a row. It is shown changed at once, and sent after the changes before it, so that each knows the version
 * that the one before made. Throws for a row that somebody else changed meanwhile.
 */
export function changeCell(
  queryClient: QueryClient,
  address: RowAddress,
  column: string,
  value: unknown,
): Promise<unknown> {
  void queryClient.cancelQueries({ queryKey: buildBoardQuery(address.boardId).queryKey });
  showCell(queryClient, address, column, value);
  const change = lastChange.then(() => sendCell(queryClient, address, column, value));
  lastChange = change.catch(() => null); // a change that failed stops no other
  return change;
}

async function sendCell(queryClient: QueryClient, address: RowAddress, column: string, value: unknown) {
  const { boardId, dataset, rowId } = address;
  const version = findVersion(queryClient, address);
  const answer = await call('update_board_row', {
    board_id: boardId,
    dataset,
    row_id: rowId,
    patch: { [column]: value },
    ...(version !== undefined && { expected_version: version }),
  });
  await queryClient.cancelQueries({ queryKey: buildBoardQuery(boardId).queryKey });
  showCell(queryClient, address, column, value, answer.version);
}

function findVersion(queryClient: QueryClient, { boardId, dataset, rowId }: RowAddress): number | undefined {
  const found = queryClient.getQueryData(buildBoardQuery(boardId).queryKey)?.data.datasets[dataset];
  return found?.versions[found.rows.findIndex(({ row_id }) => row_id === rowId)];
}

function showCell(
  queryClient: QueryClient,
  { boardId, dataset, rowId }: RowAddress,
  column: string,
  value: unknown,
  version?: number,
): void {
  queryClient.setQueryData(buildBoardQuery(boardId).queryKey, (board) => {
    const found = board?.data.datasets[dataset];
    const at = found?.rows.findIndex(({ row_id }) => row_id === rowId) ?? -1;
    const row = found?.rows[at];
    if (!board || !found || !row) return board;
    const changed = {
      ...found,
      rows: found.rows.with(at, { ...row, [column]: value }),
      versions: version === undefined ? found.versions : found.versions.with(at, version),
    };
    return { ...board, data: { ...board.data, datasets: { ...board.data.datasets, [dataset]: changed } } };
  });
}

export function addRow(boardId: string, dataset: string) {
  return call('append_board_rows', { board_id: boardId, dataset, rows: [{}] });
}

export function deleteRow({ boardId, dataset, rowId }: RowAddress) {
  return call('delete_board_row', { board_id: boardId, dataset, row_id: rowId });
}

export function restoreRow({ boardId, dataset, rowId }: RowAddress) {
  return call('restore_board_row', { board_id: boardId, dataset, row_id: rowId });
}

export function testLink(linkId: string) {
  return call('test_board_link', { link_id: linkId });
}

export function refreshRecipe(recipeId: string) {
  return call('refresh_dataset_recipe', { recipe_id: recipeId });
}

export function deleteLink(linkId: string) {
  return call('delete_board_link', { link_id: linkId });
}

export function runSkill(boardId: string, skill: string) {
  return call('run_board_skill', { board_id: boardId, skill });
}

export function setSkills(board: Board, skills: BoardSkill[]) {
  return call('update_board', { board_id: board.id, skills });
}

export function createForm(form: Input<'create_board_form'>) {
  return call('create_board_form', form);
}

export function closeForm(formId: string) {
  return call('close_board_form', { form_id: formId });
}
