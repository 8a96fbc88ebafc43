// The blocks of a Notion page, and their words. https://developers.notion.com/reference/block
import { writePath, formatText, readValue } from '#providers/http';
import { createReadValue, listNested, type ListForm, type ReadApi } from '#providers/reading';

/** The most blocks of a page that are read. */
export const mostBlocks = 5_000;
const deepest = 10;

/** The text of a block is below the name of its type; a block has one type. */
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
const linkTypes = ['bookmark', 'embed', 'link_preview'] as const;
const captionedTypes = ['code', 'bookmark', 'embed', 'image', 'video', 'audio', 'file', 'pdf'] as const;
/** A page inside a page is read as a page of its own. */
const ownPages: readonly unknown[] = ['child_page', 'child_database'];

const form: ListForm = { items: 'results', next: (data) => readValue(data, 'next_cursor') };

/** All blocks of a page, each followed by those below it. */
export async function listBlocks(api: ReadApi, pageId: string): Promise<unknown[]> {
  const listBelow = (id: string, most: number) => {
    const path = writePath`/blocks/${id}/children`;
    return api.listAll((page) => ({ path, query: { page_size: 100, start_cursor: page ?? undefined } }), form, most);
  };
  return listNested(await listBelow(pageId, mostBlocks), {
    hasBelow: (block) => Boolean(readValue(block, 'has_children')) && !ownPages.includes(readValue(block, 'type')),
    listBelow: (block, most) => listBelow(formatText(readValue(block, 'id')), most),
    most: mostBlocks,
    deepest,
  });
}

/** The words of a block. */
export function writeWords(block: unknown): string {
  const read = createReadValue(block);
  const texts = [
    ...blockTypes.map((type) => formatText(read(`${type}.rich_text.+.plain_text`))),
    formatText(read('table_row.cells.*.+.plain_text')),
    formatText(read('equation.expression')),
    ...linkTypes.map((type) => formatText(read(`${type}.url`))),
    ...captionedTypes.map((type) => `\n${formatText(read(`${type}.caption.+.plain_text`))}`),
  ];
  return texts.join('').trim();
}
