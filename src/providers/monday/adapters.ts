// Rows of Monday for boards: its boards, and the items of one board. https://developer.monday.com/api-reference
import { AppError } from '#kernel/errors';
import { formatText, readValue, walkPages } from '#providers/http';
import { defineAdapter, defineAdapterOperation, type AdapterReader, type AdapterRow } from '#providers/kit';
import { createReadApi, createReadValue, readFields, readList, type ListForm } from '#providers/reading';
import { z } from 'zod';
import { mondayApi } from './account.ts';

const boardId = z.union([z.string().trim().min(1).max(20), z.number().int().positive()]).transform(String);

/** One board, or without it the whole account. */
const ref = z.strictObject({ board_id: boardId.optional() });

const boards = `query Boards($page: Int!) {
  boards(limit: 100, page: $page, state: active) { id name description type board_kind url updated_at items_count }
}`;
const boardsPerPage = 100;

/** In order of creation: an item that changes meanwhile stays on its page. */
const items = `query Items($board: ID!, $page: String) {
  boards(ids: [$board], limit: 1) { id items_page(limit: 100, cursor: $page) { cursor items {
    id name url created_at updated_at creator { name } group { title }
    column_values { text column { title } ... on MirrorValue { display_value } ... on BoardRelationValue { display_value } }
  } } }
}`;
const itemsOfBoard: ListForm = {
  items: 'data.boards.0.items_page.items',
  next: (data) => readValue(data, 'data.boards.0.items_page.cursor'),
};

async function* listRows(
  reader: AdapterReader,
  buildBody: (page: string | null) => object,
  form: ListForm,
  buildRow: (item: unknown) => AdapterRow,
): AsyncGenerator<AdapterRow[]> {
  const api = createReadApi(mondayApi, reader);
  const ask = (page: string | null) => api.askPage({ path: '/v2', body: buildBody(page) }, form, { page });
  for await (const page of walkPages(ask)) yield page.items.map(buildRow);
}

const listBoards = defineAdapterOperation({
  name: 'monday.list_boards',
  summary: 'The active boards of the account.',
  ref,
  params: z.strictObject({}),
  read: (reader, { ref: { board_id } }) => {
    if (board_id !== undefined)
      throw new AppError('invalid_input', 'adapter_op: this link points at one board. Use monday.list_items.');
    const form: ListForm = {
      items: 'data.boards',
      next: (_data, found, page) => (found.length < boardsPerPage ? null : Number(page ?? 1) + 1),
    };
    const buildBody = (page: string | null) => ({ query: boards, variables: { page: Number(page ?? 1) } });
    return listRows(reader, buildBody, form, (board) =>
      readFields(createReadValue(board), {
        id: 'id',
        name: 'name',
        description: 'description',
        type: 'type',
        access: 'board_kind',
        items: 'items_count',
        url: 'url',
        updated_at: 'updated_at',
      }),
    );
  },
});

const listItems = defineAdapterOperation({
  name: 'monday.list_items',
  summary: 'The items of a board, with a field for each of its columns.',
  ref,
  params: z.strictObject({ board_id: boardId.optional().describe('Where the link does not point at a board.') }),
  read: (reader, { ref: { board_id: ofLink }, params: { board_id: wanted } }) => {
    const board = ofLink ?? wanted;
    if (board === undefined || (wanted !== undefined && wanted !== board))
      throw new AppError('invalid_input', 'params.board_id: name the board, unless the link points at one.');
    const buildBody = (page: string | null) => ({ query: items, variables: { board, page } });
    return listRows(reader, buildBody, itemsOfBoard, buildItemRow);
  },
});

const longestName = 100;

/** The fields of an item, and its columns by their titles. A column that is called like a field does not replace it. */
function buildItemRow(item: unknown): AdapterRow {
  const own = readFields(createReadValue(item), {
    id: 'id',
    name: 'name',
    group: 'group.title',
    author: 'creator.name',
    url: 'url',
    created_at: 'created_at',
    updated_at: 'updated_at',
  });
  const columns = readList(item, 'column_values').flatMap((column) => {
    const title = formatText(readValue(column, 'column.title')).slice(0, longestName);
    // Mirrored values of other boards have no text.
    const text = readValue(column, 'text') ?? readValue(column, 'display_value');
    return title === '' ? [] : [[title, formatText(text) || null] as const];
  });
  return { ...Object.fromEntries(columns), ...own };
}

/** A board of Monday, or all of them; always through an account. */
export const mondayAdapter = defineAdapter({
  kind: 'monday',
  ref,
  hint: 'Such as {"board_id": "1234567890"}, or {} for the list of boards.',
  findPublicAddress: () => null,
  operations: [listItems, listBoards],
});
