// The words of Block Kit blocks, including kinds that Slack adds later.
// https://docs.slack.dev/reference/block-kit/blocks
import { readSlackText, writeReference, type Names } from './text.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The deepest nesting of blocks that is read: Slack itself allows four levels. */
const deepest = 10;
/** The fields in which blocks and their parts have text, in reading order. */
const spokenFields = [
  'title',
  'subtitle',
  'label',
  'text',
  'body',
  'fields',
  'elements',
  'blocks',
  'rows',
  'cards',
  'tasks',
  'details',
  'output',
  'description',
  'caption',
  'alt_text',
  'accessory',
] as const;
/** Blocks whose parts are beside each other. */
const inOneLine: readonly unknown[] = ['context', 'actions', 'context_actions'];

/** The lines of a list of blocks. */
export function readBlocks(blocks: unknown, names: Names, depth = 0): string[] {
  return getList(blocks).flatMap((block) => readBlock(block, names, depth));
}

function readBlock(value: unknown, names: Names, depth: number): string[] {
  if (depth > deepest) return [];
  if (typeof value === 'string') return splitLines(readSlackText(value, names));
  if (Array.isArray(value))
    return joinParts(
      value.map((cell) => readBlock(cell, names, depth + 1).join(' ')),
      ' | ',
    );
  if (!isFields(value)) return [];
  if (String(value['type']).startsWith('rich_text')) return readRichText(value, names, depth);
  const lines = spokenFields.flatMap((name) => readField(value[name], names, depth));
  return inOneLine.includes(value['type']) ? joinParts(lines, ' ') : lines;
}

/** A list of lists is a table; a list of anything else has a line for each. */
function readField(value: unknown, names: Names, depth: number): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => readBlock(each, names, depth + 1));
  return value === undefined || value === null ? [] : readBlock(value, names, depth + 1);
}

const bullets: Readonly<Record<string, (position: number) => string>> = {
  bullet: () => '• ',
  ordered: (position) => `${position + 1}. `,
};

/** https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
function readRichText(block: Fields, names: Names, depth: number): string[] {
  const elements = getList(block['elements']);
  if (depth > deepest) return [];
  if (block['type'] === 'rich_text') return elements.flatMap((each) => readBlock(each, names, depth + 1));
  if (block['type'] === 'rich_text_list') {
    const bullet = bullets[String(block['style'])] ?? bullets['bullet'];
    const offset = typeof block['offset'] === 'number' ? block['offset'] : 0;
    return elements.flatMap((each, position) => {
      const [first = '', ...more] = readBlock(each, names, depth + 1);
      return [`${bullet?.(position + offset) ?? ''}${first}`, ...more];
    });
  }
  const lines = splitLines(elements.map((each) => readInline(each, names)).join(''));
  return block['type'] === 'rich_text_quote' ? lines.map((line) => `> ${line}`) : lines;
}

/** How each kind of inline element reads. Its text is plain, without escapes. */
const inline: Readonly<Record<string, (element: Fields, names: Names) => string>> = {
  link: ({ url, text }) => writeReference('', String(url ?? ''), String(text ?? ''), {}),
  user: ({ user_id: id }, names) => writeReference('@', String(id ?? ''), '', names),
  channel: ({ channel_id: id }) => writeReference('#', String(id ?? ''), '', {}),
  usergroup: ({ usergroup_id: id }) => `@${String(id ?? '')}`,
  broadcast: ({ range }) => `@${String(range ?? '')}`,
  emoji: ({ name }) => `:${String(name ?? '')}:`,
  date: ({ fallback, timestamp }) => String(fallback ?? new Date(Number(timestamp) * 1000 || 0).toISOString()),
  color: ({ value }) => String(value ?? ''),
};

function readInline(element: unknown, names: Names): string {
  if (!isFields(element)) return '';
  const read = inline[String(element['type'])];
  return read ? read(element, names) : typeof element['text'] === 'string' ? element['text'] : '';
}

function joinParts(parts: readonly string[], by: string): string[] {
  const said = parts.filter(Boolean);
  return said.length ? [said.join(by)] : [];
}

/** The lines of a text that are not empty. */
export function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** The value if it is a list, else an empty list. */
export function getList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a value has fields. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
