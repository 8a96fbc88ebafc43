// Monday: items of all boards, with their columns and updates. https://developer.monday.com/api-reference
import { formatText, readValue } from '#providers/http';
import {
  createReadApi,
  createReadValue,
  defineStream,
  defineStreamSource,
  joinBlocks,
  describeList,
  readFields,
  readList,
  writeBlock,
  writeText,
  type AnyStream,
  type ItemContent,
  type ListForm,
  type ReadApi,
} from '#providers/reading';
import { mondayApi } from './account.ts';

export const monday = defineStreamSource({
  name: 'monday',
  label: 'Monday',
  icon: 'KanbanSquare',
  description:
    'Items of your boards become pages, with their columns and updates. Items and updates are written with your approval.',
  provider: 'monday',
  scopes: [
    { scope: 'boards:read', why: 'Read the items of boards you can see.' },
    { scope: 'updates:read', why: 'Read updates that people wrote on items.' },
    { scope: 'boards:write', why: 'Create and change items with your approval.', for: 'act' },
    { scope: 'updates:write', why: 'Write updates with your approval.', for: 'act' },
  ],
  coverage: {
    goesBack: 'Items that changed in the chosen days; then every change.',
    notRead: [
      'Subitems, docs, and archived items and boards.',
      'Of an item, more than its last 100 updates, replies to updates, and the content of files.',
    ],
  },
  openStreams: (reader) => [createItems(createReadApi(mondayApi, reader))],
});

const items = `items {
  id name url created_at updated_at
  creator { name } group { title }
  column_values { text column { title } ... on MirrorValue { display_value } ... on BoardRelationValue { display_value } }
  updates(limit: 100) { text_body created_at creator { name } }
}`;

/** A cursor includes the first request, so a request with a cursor may have neither order nor filter. */
const first = `query Items($board: ID!) {
  boards(ids: [$board], limit: 1) {
    items_page(limit: 50, query_params: { order_by: [{ column_id: "__last_updated__", direction: desc }] }) { cursor ${items} }
  }
}`;
const next = `query MoreItems($board: ID!, $page: String!) {
  boards(ids: [$board], limit: 1) { items_page(limit: 50, cursor: $page) { cursor ${items} } }
}`;
/** Only active items are listed: archived and deleted items are missing. */
const ids = `query Ids($board: ID!, $page: String) {
  boards(ids: [$board], limit: 1) { items_page(limit: 500, cursor: $page) { cursor items { id } } }
}`;
const boards = `query Boards($page: Int!) { boards(limit: 100, page: $page, state: active) { id name type } }`;
const boardsPerPage = 100;
/** Boards of other types are documents and data of apps. */
const readTypes: readonly unknown[] = ['board', 'sub_items_board'];

function buildQuery(query: string, variables: Readonly<Record<string, unknown>>) {
  return { path: '/v2', body: { query, variables } };
}

const itemsOfBoard: ListForm = {
  items: 'data.boards.0.items_page.items',
  next: (data) => readValue(data, 'data.boards.0.items_page.cursor'),
};

function createItems(api: ReadApi): AnyStream {
  const name = 'items';
  return defineStream<unknown>({
    name,
    type: 'board_item',
    findLists: async () => ({
      lists: (await listBoards(api)).map((of) => {
        const id = String(readValue(of, 'id'));
        return { ...describeList({ name }, [{ id, label: String(readValue(of, 'name') ?? id) }]), of };
      }),
      isWhole: true,
    }),
    listPage({ of, page }) {
      const board = readValue(of, 'id');
      return api.askPage(
        page === null ? buildQuery(first, { board }) : buildQuery(next, { board, page }),
        itemsOfBoard,
      );
    },
    since: { as: 'iso', isNewestFirst: true },
    readTimes: (item) => [readValue(item, 'updated_at')],
    absence: {
      async listRefs(of) {
        const board = readValue(of, 'id');
        const all = await api.listAll((page) => buildQuery(ids, { board, page: page ?? undefined }), itemsOfBoard);
        return all.map((item) => formatText(readValue(item, 'id')));
      },
    },
    buildRef: (item) => formatText(readValue(item, 'id')),
    readItem: async (item, board) => readItem(item, board),
  });
}

async function listBoards(api: ReadApi): Promise<unknown[]> {
  const all = await api.listAll((page) => buildQuery(boards, { page: Number(page ?? 1) }), {
    items: 'data.boards',
    next: (_data, found, page) => (found.length < boardsPerPage ? null : Number(page ?? 1) + 1),
  });
  return all.filter((board) => readTypes.includes(readValue(board, 'type')));
}

function readItem(item: unknown, board: unknown): ItemContent {
  const read = createReadValue(item);
  const columns = readList(item, 'column_values');
  return {
    title: formatText(read('name')),
    body: joinBlocks([
      writeBlock`${readValue(board, 'name')}, ${read('group.title')}`,
      writeColumns(columns, 'text'),
      // Mirrored values of other boards have no text.
      writeColumns(columns, 'display_value'),
      ...readList(item, 'updates').map(writeUpdate),
    ]),
    frontmatter: {
      ...readFields(createReadValue(board), { board: 'name', board_id: 'id' }),
      ...readFields(read, { group: 'group.title', link: 'url', created: 'created_at', updated: 'updated_at' }),
    },
    author: formatText(read('creator.name')),
    occurredAt: read('created_at'),
  };
}

/** The columns that have a value, one on each line. */
function writeColumns(columns: readonly unknown[], value: 'text' | 'display_value'): string {
  const filled = columns.filter((column) => readValue(column, value));
  return filled
    .map((column) => writeText`${readValue(column, 'column.title')}: ${readValue(column, value)}`)
    .join('\n');
}

function writeUpdate(update: unknown): string {
  const read = createReadValue(update);
  return writeText`---\n\n${read('creator.name')}, ${read('created_at')}\n\n${read('text_body')}`;
}
