import type { Descriptor } from '#providers/described';
import type { Call, Listing } from '#providers/http';
import { notionApi } from './account.ts';
import { readNotionColumns } from './columns.ts';

/** The words of a block are below its type; a block has one type. https://developers.notion.com/reference/block */
const blockTypes = [
  'paragraph',
  'heading_1',
  'heading_2',
  'heading_3',
  'heading_4',
  'bulleted_list_item',
  'numbered_list_item',
  'to_do',
  'toggle',
  'quote',
  'callout',
  'code',
  'template',
] as const;
const captionedTypes = ['code', 'bookmark', 'embed', 'image', 'video', 'audio', 'file', 'pdf'] as const;

const wordsOfBlock = [
  ...blockTypes.map((type) => `{{block.${type}.rich_text.+.plain_text}}`),
  '{{block.table_row.cells.*.+.plain_text}}',
  '{{block.equation.expression}}',
  ...['bookmark', 'embed', 'link_preview'].map((type) => `{{block.${type}.url}}`),
  ...captionedTypes.map((type) => `\n{{block.${type}.caption.+.plain_text}}`),
].join('');

function blocksBelow(id: string): Listing {
  return {
    call: {
      method: 'GET',
      path: `/blocks/{{${id}}}/children`,
      queryParams: { page_size: 100, start_cursor: '{{page}}' },
    },
    items: 'results',
    paging: { by: 'token', at: 'next_cursor' },
  };
}

function get(path: string): Call {
  return { method: 'GET', path };
}

/** Notion: the pages that were shared with the account, with their words. https://developers.notion.com/reference */
export const notion: Descriptor = {
  name: 'notion',
  label: 'Notion',
  description:
    'Pages you give access to become pages here, with their words. Pages, texts and comments are written once you confirm.',
  provider: 'notion',
  // Notion has no scopes: people choose pages when they link it.
  scopes: [],
  api: notionApi,
  coverage: {
    goesBack: 'Pages that were edited in the chosen days; then every edit, and pages that are shared later.',
    notRead: [
      'Pages that were not shared with the connection.',
      'Comments, and the content of files.',
      'Of a page, more than 5,000 blocks, and more than 25 related pages of a column.',
      'Names of related pages that are not shared with the connection, and later changes of names, until the row is edited.',
    ],
  },
  revision: 2,
  streams: [
    {
      name: 'shared pages',
      listing: {
        call: {
          method: 'POST',
          path: '/search',
          body: {
            filter: { property: 'object', value: 'page' },
            sort: { timestamp: 'last_edited_time', direction: 'descending' },
            page_size: 100,
            start_cursor: '{{page}}',
          },
        },
        items: 'results',
        paging: { by: 'token', at: 'next_cursor' },
      },
      // A newly shared page may have been edited long ago.
      since: { at: 'last_edited_time', as: 'iso', isUnsorted: true },
      // A search need not find everything: https://developers.notion.com/reference/search-optimizations-and-limitations
      absence: {
        check: {
          call: get('/pages/{{ref}}'),
          goneWhen: { at: 'in_trash' },
          above: [
            { at: 'parent.page_id', call: get('/pages/{{ref}}') },
            { at: 'parent.block_id', call: get('/blocks/{{ref}}') },
            { at: 'parent.data_source_id', call: get('/data_sources/{{ref}}') },
            { at: 'parent.database_id', call: get('/databases/{{ref}}') },
          ],
        },
      },
      // A relation has ids alone.
      references: {
        at: 'item.properties.*.relation',
        id: 'id',
        call: get('/pages/{{ref}}'),
        name: 'properties.*.title.+.plain_text',
        as: 'title',
        most: 25,
        leftOut: 'Names of related pages: there are too many, or they are not shared with the connection.',
      },
      messages: readNotionColumns,
      details: [
        {
          as: 'blocks',
          listing: blocksBelow('item.id'),
          most: 5_000,
          below: {
            // A page in a page is a page of its own.
            when: [{ at: 'has_children' }, { at: 'type', isNot: ['child_page', 'child_database'] }],
            as: 'block',
            listing: blocksBelow('block.id'),
            deepest: 10,
          },
        },
      ],
      page: {
        type: 'note',
        ref: '{{item.id}}',
        title: '{{item.properties.*.title.+.plain_text}}',
        body: [],
        parts: [
          {
            of: 'item.columns',
            as: 'column',
            text: '{{column.name}}: {{column.said}}',
            join: '\n',
          },
          { of: 'blocks', as: 'block', text: wordsOfBlock },
        ],
        frontmatter: {
          link: '{{item.url}}',
          created: '{{item.created_time}}',
          updated: '{{item.last_edited_time}}',
        },
        author: '',
        occurredAt: '{{item.created_time}}',
        goneWhen: { at: 'item.in_trash' },
      },
    },
  ],
};
