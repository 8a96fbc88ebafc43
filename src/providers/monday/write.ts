// Writes at Monday. It stores no id of ours: a new item is found by its fingerprint among new items of the account.
// https://developer.monday.com/api-reference
import { z } from 'zod';
import { createGraphql, type ListRequest, type ProviderApi } from '#providers/http';
import {
  escapeHtml,
  normalizeValue,
  defineWrite,
  isLoosely,
  writeIfKnown,
  line,
  makeOptional,
  assertFound,
  pick,
  text,
  values as valuesField,
} from '#providers/writing';
import { mondayApi } from './account.ts';

const monday = { source: 'monday', api: mondayApi };
const { ask, change, request, answerOf } = createGraphql('/v2');

const board_id = line('Board', { about: "The board's id, such as 1234567890, or its name." });
const isId = (name: string) => /^[0-9]{1,20}$/.test(name);
const item_id = line('Item', {
  about: "The item's id, such as 1234567890.",
  shape: { pattern: '^[0-9]{1,20}$', says: 'must be the id of an item, such as 1234567890' },
});
const values = valuesField('Columns', {
  about:
    'Values by column id, such as {"status": "Done", "date4": "2026-06-01"}, in the format of Monday’s column_values.',
});

const id = z.union([z.string(), z.number()]).transform(String);
const boardOf = z.object({ id, name: z.string() });
/** A mutation asks for few fields: a field that the account may not see would make the whole request look refused. */
const itemMade = 'id name url';
const made = z.object({ id, name: z.string().nullish(), url: z.string().nullish() });
const itemFields = 'id name url updated_at board { id name } column_values { id text }';
const itemOf = made.extend({
  name: z.string(),
  updated_at: z.string().nullish(),
  board: boardOf.nullish(),
  column_values: z.array(z.object({ id: z.string(), text: z.string().nullish() })).nullish(),
});
type Item = z.output<typeof itemOf>;
type Board = z.output<typeof boardOf>;

async function findOwnUser(api: ProviderApi) {
  return (await ask(api, { me: z.object({ id }) }, 'query { me { id } }')).me;
}

const boardsAtOnce = 100;

async function findBoard(api: ProviderApi, name: string): Promise<Board> {
  const missing = `There is no board ${name} that this account can see.`;
  if (isId(name)) {
    const query = 'query($board: [ID!]) { boards(ids: $board, limit: 1) { id name url } }';
    const { boards } = await ask(api, { boards: z.array(boardOf).nullish() }, query, { board: name });
    return assertFound(boards?.[0], missing);
  }
  const all = api.list({
    answer: answerOf({ boards: z.array(boardOf) }),
    request: (page = '1') =>
      request('query($page: Int!) { boards(limit: 100, page: $page, state: active) { id name } }', {
        page: Number(page),
      }),
    items: ({ data }) => data.boards,
    next: ({ data }, page = '1') => (data.boards.length < boardsAtOnce ? null : Number(page) + 1),
  });
  const several = `Several boards are called ${name}: pass the board's id.`;
  return pick(all, (each) => normalizeValue(each.name) === name, { missing, several });
}

async function findGroup(api: ProviderApi, board: Board, name: string) {
  const { boards } = await ask(
    api,
    { boards: z.array(z.object({ groups: z.array(z.object({ id: z.string(), title: z.string() })) })) },
    'query($board: [ID!]) { boards(ids: $board, limit: 1) { groups { id title } } }',
    { board: board.id },
  );
  const isMeant = (group: { id: string; title: string }) => normalizeValue(group.title) === name || group.id === name;
  const found = await pick(boards[0]?.groups ?? [], isMeant, {
    missing: `The board ${board.name} has no group ${name}.`,
    several: `Several groups of the board ${board.name} are called ${name}: pass the group's id.`,
  });
  return { id: found.id };
}

async function getItem(api: ProviderApi, itemId: string): Promise<Item | undefined> {
  const query = `query($item: [ID!]) { items(ids: $item, limit: 1) { ${itemFields} } }`;
  return (await ask(api, { items: z.array(itemOf).nullish() }, query, { item: itemId })).items?.[0];
}

const showBoard = ({ id: of, name }: Board) => ({ label: 'Board', text: `${name} (${of})` });
const showItem = (item: { id: string; name: string }) => ({ label: 'Item', text: `${item.name} (${item.id})` });

/** Only items with the same name are listed: a board may have hundreds of thousands of items. */
function listItemsByName(board: Board, name: string) {
  const listed = z.object({
    cursor: z.string().nullish(),
    items: z.array(made.extend({ creator: z.object({ id }).nullish() })),
  });
  const answer = answerOf({ boards: z.array(z.object({ items_page: listed })).length(1) });
  const fields = `cursor items { ${itemMade} creator { id } }`;
  return {
    answer,
    request: (page) =>
      page === undefined
        ? request(
            `query($board: [ID!], $name: CompareValue!) { boards(ids: $board, limit: 1) { items_page(limit: 500,
  query_params: { rules: [{ column_id: "name", compare_value: $name, operator: any_of }] }) { ${fields} } } }`,
            { board: board.id, name },
          )
        : request(
            `query($board: [ID!], $page: String!) { boards(ids: $board, limit: 1) {
  items_page(limit: 500, cursor: $page) { ${fields} } } }`,
            { board: board.id, page },
          ),
    items: ({ data }) => data.boards[0]?.items_page.items ?? [],
    next: ({ data }) => data.boards[0]?.items_page.cursor,
  } satisfies ListRequest<typeof answer, unknown>;
}

const scopes = ['boards:read', 'boards:write'];

const createItem = defineWrite(monday, {
  name: 'create_item',
  example: { board_id: 'Tasks', name: 'Oil the gears', values: { status: 'Done' } },
  summary: 'Create an item on a board in Monday.',
  risk: 'write',
  scopes,
  fields: {
    board_id,
    name: line('Name', { most: 255 }),
    group: makeOptional(line('Group', { about: "The group's title or id; default: the first group of the board." })),
    values: makeOptional(values),
  },
  editable: ['name', 'group', 'values'],
  title: (input) => `Item on board ${input.board_id}: ${input.name}`,
  target: (input) => `board ${input.board_id}`,
  otherNames: 'board *',
  handle: 'fingerprint',

  async resolve(api, input) {
    const me = await findOwnUser(api);
    const board = await findBoard(api, input.board_id);
    const group = input.group === undefined ? undefined : await findGroup(api, board, input.group);
    return { me, board, ...(group && { group }) };
  },
  snapshot: (_api, { board }) => ({
    names: [writeIfKnown`board ${board.name}`, `board ${board.id}`],
    shown: [showBoard(board)],
  }),
  async send(api, input, { board, group }) {
    const { create_item: item } = await change(
      api,
      { create_item: made },
      `mutation($board: ID!, $name: String!, $group: String, $values: JSON) {
      create_item(board_id: $board, item_name: $name, group_id: $group, column_values: $values) { ${itemMade} } }`,
      { board: board.id, name: input.name, group: group?.id, values: input.values && JSON.stringify(input.values) },
    );
    return { item_id: item.id, board_id: board.id, board: board.name, link: item.url };
  },
  fingerprint: {
    async *list(api, input, { board, me }) {
      for await (const item of api.list(listItemsByName(board, input.name)))
        if (normalizeValue(item.name) === input.name && item.creator?.id === me.id) yield item;
    },
    getId: (item) => item.id,
    key: (input) => input.name,
    result: (item, { board }) => ({ item_id: item.id, board_id: board.id, board: board.name, link: item.url }),
    idIn: 'item_id',
  },
  undo: {
    says: 'Delete the item',
    forMinutes: 60,
    steps: (_input, { result }) => [
      {
        ...request('mutation($item: ID) { delete_item(item_id: $item) { id } }', { item: result['item_id'] }),
      },
    ],
  },
});

const updateItem = defineWrite(monday, {
  name: 'update_item',
  example: { board_id: 'Tasks', item_id: '1234567890', values: { status: 'Done' } },
  summary: 'Change columns of an item in Monday.',
  risk: 'write',
  scopes,
  fields: { board_id, item_id, values },
  editable: ['values'],
  title: (input) => `Change item ${input.item_id} on board ${input.board_id}`,
  target: (input) => `item ${input.item_id} on board ${input.board_id}`,
  otherNames: 'item * on board *',
  handle: 'state',

  async resolve(api, input) {
    const board = await findBoard(api, input.board_id);
    const item = await getItem(api, input.item_id);
    const missing = `The board ${board.name} has no item ${input.item_id} that this account can see.`;
    const found = assertFound(item?.board?.id === board.id ? item : undefined, missing);
    return { board, found: { id: found.id, name: found.name, version: found.updated_at } };
  },
  snapshot: (_api, { board, found }) => ({
    names: [`item ${found.id} on board ${board.name}`, `item ${found.id} on board ${board.id}`],
    about: found.name,
    shown: [showBoard(board), showItem(found)],
  }),
  async send(api, input, { board, found }) {
    const { change_multiple_column_values: item } = await change(
      api,
      { change_multiple_column_values: made },
      `mutation($board: ID!, $item: ID, $values: JSON!) {
      change_multiple_column_values(board_id: $board, item_id: $item, column_values: $values) { ${itemMade} } }`,
      { board: board.id, item: found.id, values: JSON.stringify(input.values) },
    );
    return { item_id: item.id, item: item.name, board: board.name, link: item.url };
  },
  state: {
    read: (api, _input, { found }) => getItem(api, found.id),
    version: (item: Item) => item.updated_at,
    was: ({ found }) => found.version,
    has: {
      values: (item) => Object.fromEntries((item.column_values ?? []).map((column) => [column.id, column.text])),
    },
    result: (item, { board }) => ({ item_id: item.id, item: item.name, board: board.name, link: item.url }),
  },
});

const createUpdate = defineWrite(monday, {
  name: 'create_update',
  aliases: [{ name: 'add_comment', fields: { comment: 'body', text: 'body' } }],
  example: { item_id: '1234567890', body: 'Oiled this morning.' },
  summary: 'Post an update on an item in Monday (Monday’s word for a comment).',
  risk: 'write',
  scopes: ['boards:read', 'updates:read', 'updates:write'],
  fields: { item_id, body: text('Update', { about: 'Plain text.' }) },
  editable: ['body'],
  title: (input) => `Update on item ${input.item_id}`,
  target: (input) => `item ${input.item_id}`,
  otherNames: 'item *',
  handle: 'fingerprint',

  async resolve(api, { item_id: itemId }) {
    const me = await findOwnUser(api);
    const item = assertFound(await getItem(api, itemId), `There is no item ${itemId} that this account can see.`);
    return { me, found: { id: item.id, name: item.name, board: item.board?.name, board_id: item.board?.id } };
  },
  snapshot: (_api, { found }) => ({
    names: [found.board, found.board_id].map((board) => writeIfKnown`item ${found.id} on board ${board}`),
    about: found.name,
    shown: [showItem(found), { label: 'Board', text: writeIfKnown`${found.board} (${found.board_id})` }],
  }),
  async send(api, input, { found }) {
    const { create_update: update } = await change(
      api,
      { create_update: z.object({ id }) },
      'mutation($item: ID, $body: String!) { create_update(item_id: $item, body: $body) { id } }',
      { item: found.id, body: escapeHtml(input.body) },
    );
    return { update_id: update.id, item_id: input.item_id };
  },
  fingerprint: {
    async *list(api, input, { me }) {
      const updateOf = z.object({
        id,
        body: z.string().nullish(),
        text_body: z.string().nullish(),
        creator_id: id.nullish(),
      });
      const { items } = await ask(
        api,
        { items: z.array(z.object({ updates: z.array(updateOf) })).min(1) },
        'query($item: [ID!]) { items(ids: $item, limit: 1) { updates(limit: 100) { id body text_body creator_id } } }',
        { item: input.item_id },
      );
      for (const update of items[0]?.updates ?? []) if (update.creator_id === me.id) yield update;
    },
    getId: (update) => update.id,
    isLike: (update, input) => isLoosely(update.text_body, input.body) || isLoosely(update.body, input.body),
    key: (input) => input.body,
    result: (update, { found }) => ({ update_id: update.id, item_id: found.id }),
    idIn: 'update_id',
  },
  undo: {
    says: 'Delete the update',
    forMinutes: 60,
    steps: (_input, { result }) => [
      request('mutation($id: ID!) { delete_update(id: $id) { id } }', { id: result['update_id'] }),
    ],
  },
});

/** The writes at Monday. */
export const mondayWrites = [createItem, updateItem, createUpdate];
