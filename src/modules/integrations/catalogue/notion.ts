import type { Descriptor } from './descriptor.ts';
import { notionWrites } from './notion-writes.ts';
import type { Call } from './pieces.ts';

/** The words of a block stand below its type; a block has one type. */
const blockTypes = [
  'paragraph',
  'heading_1',
  'heading_2',
  'heading_3',
  'bulleted_list_item',
  'numbered_list_item',
  'to_do',
  'toggle',
  'quote',
  'callout',
  'code',
] as const;

function get(path: string): Call {
  return { method: 'GET', path };
}

/** Notion: the pages that the account was given, with their words. https://developers.notion.com/reference */
export const notion: Descriptor = {
  name: 'notion',
  label: 'Notion',
  description:
    'Pages you give access to become pages here, with their words. Pages, texts and comments are written once you confirm.',
  provider: 'notion',
  // Notion has no scopes: people choose pages when they link it.
  scopes: [],
  api: { baseUrl: 'https://api.notion.com/v1', headers: { 'notion-version': '2025-09-03' } },
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
      // What is shared only now may have been edited long ago.
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
      details: [
        {
          as: 'blocks',
          listing: {
            call: {
              method: 'GET',
              path: '/blocks/{{item.id}}/children',
              queryParams: { page_size: 100, start_cursor: '{{page}}' },
            },
            items: 'results',
            paging: { by: 'token', at: 'next_cursor' },
          },
        },
      ],
      page: {
        type: 'note',
        ref: '{{item.id}}',
        title: '{{item.properties.*.title.+.plain_text}}',
        body: ['{{item.properties.*.rich_text.+.plain_text}}'],
        parts: [
          {
            of: 'blocks',
            as: 'block',
            text: blockTypes.map((type) => `{{block.${type}.rich_text.+.plain_text}}`).join(''),
          },
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
  writes: notionWrites,
};
