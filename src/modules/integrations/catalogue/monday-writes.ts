// What is written at Monday. It keeps no handle: what was created is known by its likeness among what is new of the account.
// https://developer.monday.com/api-reference
import type { Call, Listing } from './pieces.ts';
import type { Before, Field, Write } from './write.ts';

/** A mutation answers little: what of it cannot be shown would make it look refused. */
const itemMade = 'id name url';

const board: Field = {
  kind: 'line',
  label: 'Board',
  about: 'Its id, such as 1234567890, or its name.',
  id: '^[0-9]{1,20}$',
};
const item: Field = {
  kind: 'line',
  label: 'Item',
  about: 'Its id, such as 1234567890.',
  shape: { pattern: '^[0-9]{1,20}$', says: 'must be the id of an item, such as 1234567890' },
};
const values: Field = {
  kind: 'values',
  label: 'Columns',
  about:
    'By the id of each column, such as {"status": "Done", "date4": "2026-06-01"}; in the forms of Monday’s column_values.',
};

function graphql(query: string, variables: Readonly<Record<string, string>>): Call {
  return { method: 'POST', path: '/v2', body: { query, variables } };
}

function list(query: string, variables: Readonly<Record<string, string>>, items: string): Listing {
  return { call: graphql(query, variables), items, paging: { by: 'none' } };
}

const me: Before = {
  as: 'me',
  one: { call: graphql('query { me { id } }', {}), at: 'data.me' },
  keep: { id: 'id' },
  missing: 'Monday does not say whose account this is.',
};

const findBoard: readonly Before[] = [
  {
    as: 'board',
    when: { at: 'ids.board_id' },
    one: {
      call: graphql('query($board: [ID!]) { boards(ids: $board, limit: 1) { id name url } }', {
        board: '{{ids.board_id}}',
      }),
      at: 'data.boards.0',
    },
    keep: { id: 'id', name: 'name' },
    missing: 'There is no board {{input.board_id}} that this account can see.',
  },
  {
    as: 'board',
    when: { at: 'names.board_id' },
    listing: {
      call: graphql('query($page: Int!) { boards(limit: 100, page: $page, state: active) { id name } }', {
        page: '{{page}}',
      }),
      items: 'data.boards',
      paging: { by: 'page', size: 100 },
    },
    where: [{ at: 'name', is: '{{names.board_id}}' }],
    keep: { id: 'id', name: 'name' },
    missing: 'There is no board {{input.board_id}} that this account can see.',
    several: 'Several boards are called {{input.board_id}}: pass the id of the one that is meant.',
  },
];

const boardShown = { label: 'Board', text: '{{board.name}} ({{board.id}})' };
const itemShown = { label: 'Item', text: '{{found.name}} ({{found.id}})' };

const itemOf =
  'query($item: [ID!]) { items(ids: $item, limit: 1) { id name url updated_at board { id name } column_values { id text } } }';

/** With the name as it is asked for alone: a board may have hundreds of thousands. */
const sameName = `query($board: [ID!], $name: CompareValue!) { boards(ids: $board, limit: 1) { items_page(limit: 500,
  query_params: { rules: [{ column_id: "name", compare_value: $name, operator: any_of }] }) { cursor items { ${itemMade} creator { id } } } } }`;
const moreOfSameName = `query($board: [ID!], $page: String!) { boards(ids: $board, limit: 1) {
  items_page(limit: 500, cursor: $page) { cursor items { ${itemMade} creator { id } } } } }`;

const createItem: Write = {
  name: 'create_item',
  example: { board_id: 'Tasks', name: 'Oil the gears', values: { status: 'Done' } },
  summary: 'Create an item on a board of Monday.',
  risk: 'write',
  scopes: ['boards:read', 'boards:write'],
  fields: {
    board_id: board,
    name: { kind: 'line', label: 'Name', most: 255 },
    group: {
      kind: 'line',
      label: 'Group',
      about: 'Its title or its id; the first of the board without it.',
      isOptional: true,
    },
    values: { ...values, isOptional: true },
  },
  editable: ['name', 'group', 'values'],
  target: 'board {{input.board_id}}',
  known: { names: ['board {{board.name}}', 'board {{board.id}}'], shown: [boardShown] },
  title: 'Item on board {{input.board_id}}: {{input.name}}',
  handle: 'likeness',
  before: [
    me,
    ...findBoard,
    {
      as: 'group',
      when: { at: 'input.group' },
      listing: list(
        'query($board: [ID!]) { boards(ids: $board, limit: 1) { groups { id title } } }',
        { board: '{{board.id}}' },
        'data.boards.0.groups',
      ),
      where: [{ at: ['title', 'id'], is: '{{input.group}}' }],
      keep: { id: 'id' },
      missing: 'The board {{board.name}} has no group {{input.group}}.',
      several:
        'Several groups of the board {{board.name}} are called {{input.group}}: pass the id of the one that is meant.',
    },
  ],
  call: graphql(
    `mutation($board: ID!, $name: String!, $group: String, $values: JSON) {
      create_item(board_id: $board, item_name: $name, group_id: $group, column_values: $values) { ${itemMade} } }`,
    { board: '{{board.id}}', name: '{{input.name}}', group: '{{group.id}}', values: '{{text.values}}' },
  ),
  at: 'data.create_item',
  result: { item_id: '{{item.id}}', board_id: '{{board.id}}', board: '{{board.name}}', link: '{{item.url}}' },
  lookups: [
    {
      listing: {
        call: graphql(sameName, { board: '{{board.id}}', name: '{{input.name}}' }),
        nextCall: graphql(moreOfSameName, { board: '{{board.id}}', page: '{{page}}' }),
        items: 'data.boards.0.items_page.items',
        paging: { by: 'token', at: 'data.boards.0.items_page.cursor' },
      },
      where: [
        { at: 'name', is: '{{input.name}}' },
        { at: 'creator.id', is: '{{me.id}}' },
      ],
      isNew: 'id',
    },
  ],
  undo: {
    says: 'Delete the item again',
    forMinutes: 60,
    steps: [
      { call: graphql('mutation($item: ID) { delete_item(item_id: $item) { id } }', { item: '{{result.item_id}}' }) },
    ],
  },
};

const updateItem: Write = {
  name: 'update_item',
  example: { board_id: 'Tasks', item_id: '1234567890', values: { status: 'Done' } },
  summary: 'Change columns of an item of Monday.',
  risk: 'write',
  scopes: ['boards:read', 'boards:write'],
  fields: { board_id: board, item_id: item, values },
  editable: ['values'],
  target: 'item {{input.item_id}} on board {{input.board_id}}',
  known: {
    names: ['item {{found.id}} on board {{board.name}}', 'item {{found.id}} on board {{board.id}}'],
    about: '{{found.name}}',
    shown: [boardShown, itemShown],
  },
  title: 'Change item {{input.item_id}} on board {{input.board_id}}',
  handle: 'state',
  before: [
    ...findBoard,
    {
      as: 'found',
      one: { call: graphql(itemOf, { item: '{{input.item_id}}' }), at: 'data.items.0' },
      where: [{ at: 'board.id', is: '{{board.id}}' }],
      keep: { id: 'id', name: 'name', version: 'updated_at' },
      missing: 'The board {{board.name}} has no item {{input.item_id}} that this account can see.',
    },
  ],
  call: graphql(
    `mutation($board: ID!, $item: ID, $values: JSON!) {
      change_multiple_column_values(board_id: $board, item_id: $item, column_values: $values) { ${itemMade} } }`,
    { board: '{{board.id}}', item: '{{found.id}}', values: '{{text.values}}' },
  ),
  at: 'data.change_multiple_column_values',
  result: { item_id: '{{item.id}}', item: '{{item.name}}', board: '{{board.name}}', link: '{{item.url}}' },
  lookups: [
    {
      one: { call: graphql(itemOf, { item: '{{found.id}}' }), at: 'data.items.0' },
      where: [{ at: 'column_values', entries: { of: 'input.values', name: 'id', value: 'text' } }],
      version: { at: 'updated_at', was: '{{found.version}}' },
    },
  ],
};

const createUpdate: Write = {
  name: 'create_update',
  example: { item_id: '1234567890', body: 'Oiled this morning.' },
  summary: 'Comment on an item of Monday: an update, as Monday calls it.',
  risk: 'write',
  scopes: ['boards:read', 'updates:read', 'updates:write'],
  fields: { item_id: item, body: { kind: 'text', label: 'Update', about: 'Plain text.' } },
  editable: ['body'],
  target: 'item {{input.item_id}}',
  known: {
    names: ['item {{found.id}} on board {{found.board}}', 'item {{found.id}} on board {{found.board_id}}'],
    about: '{{found.name}}',
    shown: [itemShown, { label: 'Board', text: '{{found.board}} ({{found.board_id}})' }],
  },
  title: 'Update on item {{input.item_id}}',
  handle: 'likeness',
  before: [
    me,
    {
      as: 'found',
      one: { call: graphql(itemOf, { item: '{{input.item_id}}' }), at: 'data.items.0' },
      keep: { id: 'id', name: 'name', board: 'board.name', board_id: 'board.id' },
      missing: 'There is no item {{input.item_id}} that this account can see.',
    },
  ],
  // It takes HTML.
  call: graphql('mutation($item: ID, $body: String!) { create_update(item_id: $item, body: $body) { id } }', {
    item: '{{found.id}}',
    body: '{{html.body}}',
  }),
  at: 'data.create_update',
  result: { update_id: '{{item.id}}', item_id: '{{input.item_id}}' },
  lookups: [
    {
      listing: list(
        'query($item: [ID!]) { items(ids: $item, limit: 1) { updates(limit: 100) { id body text_body creator_id } } }',
        { item: '{{input.item_id}}' },
        'data.items.0.updates',
      ),
      where: [{ at: 'creator_id', is: '{{me.id}}' }],
      like: [{ at: ['text_body', 'body'], is: '{{input.body}}', isLoose: true }],
      isNew: 'id',
    },
  ],
  undo: {
    says: 'Delete the update again',
    forMinutes: 60,
    steps: [{ call: graphql('mutation($id: ID!) { delete_update(id: $id) { id } }', { id: '{{result.update_id}}' }) }],
  },
};

/** What can be written at Monday. */
export const mondayWrites: readonly Write[] = [createItem, updateItem, createUpdate];
