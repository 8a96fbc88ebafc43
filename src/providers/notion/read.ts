// Notion: the pages that were shared with the account, with their words. https://developers.notion.com/reference
import { formatText, readValue } from '#providers/http';
import {
  createReadApi,
  createReadValue,
  defineStream,
  defineStreamSource,
  joinBlocks,
  readFields,
  writeText,
  type AnyStream,
  type ItemContent,
  type ReadApi,
} from '#providers/reading';
import { notionApi } from './account.ts';
import { listBlocks, mostBlocks, writeWords } from './blocks.ts';
import { readNotionColumns } from './columns.ts';
import { findPresentPages } from './find-present.ts';
import { createNameRelations, type NameRelations } from './relations.ts';

export const notion = defineStreamSource({
  name: 'notion',
  label: 'Notion',
  icon: 'NotebookText',
  description:
    'Pages you give access to become pages here, with their words. Pages, texts and comments are written with your approval.',
  provider: 'notion',
  // Notion has no scopes: people choose pages when they link it.
  scopes: [],
  coverage: {
    goesBack: 'Pages that were edited in the chosen days; then every edit, and newly shared pages.',
    notRead: [
      'Pages that are not shared with the connection.',
      'Comments, and the content of files.',
      'More than 5,000 blocks of a page, and more than 25 related pages of a column.',
      'Names of related pages that are not shared with the connection. A renamed related page shows its old name until the row is edited.',
    ],
  },
  revision: 2,
  openStreams: (reader) => [createSharedPages(createReadApi(notionApi, reader))],
});

const search = {
  filter: { property: 'object', value: 'page' },
  sort: { timestamp: 'last_edited_time', direction: 'descending' },
  page_size: 100,
};

function createSharedPages(api: ReadApi): AnyStream {
  const nameRelations = createNameRelations(api);
  return defineStream({
    name: 'shared pages',
    type: 'note',
    listPage: ({ page }) =>
      api.askPage(
        { path: '/search', body: { ...search, start_cursor: page ?? undefined } },
        { items: 'results', next: (data) => readValue(data, 'next_cursor') },
      ),
    // A newly shared page may have last been edited long ago.
    since: { as: 'iso', isUnsorted: true },
    readTimes: (page) => [readValue(page, 'last_edited_time')],
    // A search may miss pages: https://developers.notion.com/reference/search-optimizations-and-limitations
    absence: { findPresent: (missing) => findPresentPages(api, missing) },
    buildRef: (page) => formatText(readValue(page, 'id')),
    isGone: (page) => Boolean(readValue(page, 'in_trash')),
    hasDetails: true,
    readItem: (page) => readPage(api, page, nameRelations),
  });
}

async function readPage(api: ReadApi, page: unknown, nameRelations: NameRelations): Promise<ItemContent> {
  const read = createReadValue(page);
  const { page: named, isWhole } = await nameRelations(page);
  const blocks = await listBlocks(api, formatText(read('id')));
  const { columns } = readNotionColumns(named);
  return {
    title: formatText(read('properties.*.title.+.plain_text')).trim(),
    body: joinBlocks([
      columns.map(({ name, said }) => writeText`${name}: ${said}`).join('\n'),
      ...blocks.map(writeWords),
    ]),
    frontmatter: readFields(read, { link: 'url', created: 'created_time', updated: 'last_edited_time' }),
    author: '',
    occurredAt: read('created_time'),
    leftOut: [
      ...(isWhole ? [] : ['Names of related pages: there are too many, or they are not shared with the connection.']),
      ...(blocks.length >= mostBlocks ? [`More than ${mostBlocks} blocks: only the first are read.`] : []),
    ],
  };
}
