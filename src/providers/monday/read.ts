import type { Descriptor } from '#providers/described';
import type { Call } from '#providers/http';
import { mondayApi } from './account.ts';

const items = `items {
  id name url created_at updated_at
  creator { name } group { title }
  column_values { text column { title } ... on MirrorValue { display_value } ... on BoardRelationValue { display_value } }
  updates(limit: 100) { text_body created_at creator { name } }
}`;

/** A cursor includes the first request, so neither order nor filter may come with it. */
const first = `query Items($board: ID!) {
  boards(ids: [$board], limit: 1) {
    items_page(limit: 50, query_params: { order_by: [{ column_id: "__last_updated__", direction: desc }] }) { cursor ${items} }
  }
}`;
const next = `query MoreItems($board: ID!, $page: String!) {
  boards(ids: [$board], limit: 1) { items_page(limit: 50, cursor: $page) { cursor ${items} } }
}`;
/** Only active items are listed: archived and deleted ones are missing. */
const ids = `query Ids($board: ID!, $page: String) {
  boards(ids: [$board], limit: 1) { items_page(limit: 500, cursor: $page) { cursor items { id } } }
}`;
const boards = `query Boards($page: Int!) { boards(limit: 100, page: $page, state: active) { id name type } }`;

function ask(query: string, variables: Readonly<Record<string, string>>): Call {
  return { method: 'POST', path: '/v2', body: { query, variables } };
}

/** Monday: items of all boards, with their columns and updates. https://developer.monday.com/api-reference */
export const monday: Descriptor = {
  name: 'monday',
  label: 'Monday',
  description:
    'Items of your boards become pages, with their columns and updates. Items and updates are written once you confirm.',
  provider: 'monday',
  scopes: [
    { scope: 'boards:read', why: 'Read the items of boards you can see.' },
    { scope: 'updates:read', why: 'Read what people wrote about them.' },
    { scope: 'boards:write', why: 'Create and change the items that you confirmed.', for: 'act' },
    { scope: 'updates:write', why: 'Write the updates that you confirmed.', for: 'act' },
  ],
  coverage: {
    goesBack: 'Items that changed in the chosen days; then every change.',
    notRead: [
      'Subitems, docs, and archived items and boards.',
      'Of an item, more than its last 100 updates, replies to updates, and the content of files.',
    ],
  },
  api: mondayApi,
  streams: [
    {
      name: 'items',
      each: [
        {
          listing: {
            call: ask(boards, { page: '{{page}}' }),
            items: 'data.boards',
            paging: { by: 'page', size: 100 },
          },
          as: 'board',
          id: 'id',
          // The others are documents, and what apps keep.
          only: { at: 'type', isOneOf: ['board', 'sub_items_board'] },
        },
      ],
      listing: {
        call: ask(first, { board: '{{board.id}}' }),
        nextCall: ask(next, { board: '{{board.id}}', page: '{{page}}' }),
        items: 'data.boards.0.items_page.items',
        paging: { by: 'token', at: 'data.boards.0.items_page.cursor' },
      },
      since: { at: 'updated_at', as: 'iso', isNewestFirst: true },
      absence: {
        listing: {
          call: ask(ids, { board: '{{board.id}}', page: '{{page}}' }),
          items: 'data.boards.0.items_page.items',
          paging: { by: 'token', at: 'data.boards.0.items_page.cursor' },
        },
      },
      page: {
        type: 'board_item',
        ref: '{{item.id}}',
        title: '{{item.name}}',
        body: ['{{board.name}}, {{item.group.title}}'],
        parts: [
          {
            of: 'item.column_values',
            as: 'value',
            text: '{{value.column.title}}: {{value.text}}',
            only: { at: 'value.text' },
            join: '\n',
          },
          // Mirrored values of other boards have no text.
          {
            of: 'item.column_values',
            as: 'value',
            text: '{{value.column.title}}: {{value.display_value}}',
            only: { at: 'value.display_value' },
            join: '\n',
          },
          {
            of: 'item.updates',
            as: 'update',
            text: '---\n\n{{update.creator.name}}, {{update.created_at}}\n\n{{update.text_body}}',
          },
        ],
        frontmatter: {
          board: '{{board.name}}',
          board_id: '{{board.id}}',
          group: '{{item.group.title}}',
          link: '{{item.url}}',
          created: '{{item.created_at}}',
          updated: '{{item.updated_at}}',
        },
        author: '{{item.creator.name}}',
        occurredAt: '{{item.created_at}}',
      },
    },
  ],
};
