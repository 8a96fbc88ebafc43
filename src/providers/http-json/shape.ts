// Detects in a JSON answer where its items are, and what their fields mean.
import { AppError } from '#kernel/errors';
import { parseMoment } from '#providers/reading';
import { type Paging, readValue } from '#providers/http';

/** The detected fields of an item, by purpose; null if there is none. */
export type Shape = {
  items: string;
  paging: Paging;
  id: string | null;
  title: string | null;
  body: string | null;
  isHtml: boolean;
  changedAt: string | null;
  madeAt: string | null;
  author: string | null;
  link: string | null;
  /** Fields with short values. */
  fields: string[];
  /** The path of the total number of items in the answer. */
  total: string | null;
};

const names = {
  items: ['items', 'data', 'results', 'records', 'entries', 'value', 'values', 'list', 'rows', 'objects'],
  id: ['id', '_id', 'uuid', 'guid', 'key', 'slug', 'url', 'link'],
  title: ['title', 'name', 'subject', 'headline', 'label', 'displayName', 'display_name', 'summary'],
  body: [
    'body',
    'content',
    'content_text',
    'content_html',
    'text',
    'description',
    'message',
    'notes',
    'excerpt',
    'summary',
  ],
  changedAt: [
    'updated_at',
    'updatedAt',
    'updated',
    'modified_at',
    'modifiedAt',
    'modified',
    'last_modified',
    'lastModified',
    'date_modified',
    'changed_at',
    'changedAt',
  ],
  madeAt: [
    'created_at',
    'createdAt',
    'created',
    'published_at',
    'publishedAt',
    'published',
    'date_published',
    'date',
    'timestamp',
    'time',
  ],
  author: ['author.name', 'author', 'creator.name', 'creator', 'user.name', 'user', 'created_by'],
  link: ['html_url', 'web_url', 'webUrl', 'permalink', 'url', 'link', 'href'],
  total: ['total', 'total_count', 'totalCount', 'count', 'meta.total', 'pagination.total', 'paging.total'],
  nextUrl: [
    'next',
    'next_url',
    'nextUrl',
    'next_page_url',
    'nextLink',
    "'@odata.nextLink'",
    'links.next',
    'links.next.href',
    '_links.next.href',
    'paging.next',
    'pagination.next',
    'meta.next',
  ],
} as const;

/** The path of the next-page token, and the parameter that takes it. */
const tokens: readonly (readonly [at: string, parameter: string])[] = [
  ['next_cursor', 'cursor'],
  ['nextCursor', 'cursor'],
  ['meta.next_cursor', 'cursor'],
  ['pagination.next_cursor', 'cursor'],
  ['response_metadata.next_cursor', 'cursor'],
  ['next_page_token', 'page_token'],
  ['nextPageToken', 'pageToken'],
];

const deepest = 3;
const mostSamples = 50;
const mostFields = 30;
const longestField = 300;

/** The parameter that sends the found token back. */
export function findParameter(paging: Paging): string | null {
  return paging.by === 'token' ? (tokens.find(([at]) => at === paging.at)?.[1] ?? null) : null;
}

/**
 * Inspects an answer. `items`: the path of the items, when it is known. Throws an error that says what must be
 * described.
 */
export function detectShape(data: unknown, items = detectItems(data)): Shape {
  const list = readValue(data, items);
  if (!Array.isArray(list))
    throw createUnclearError(`items: there is no list ${items === '' ? 'at the top' : `at ${items}`} of the answer.`);
  const samples = list.slice(0, mostSamples);
  const first = (known: readonly string[], fits: (value: unknown) => boolean) =>
    known.find((name) => samples.some((item) => fits(readValue(item, name)))) ?? null;
  const title = first(names.title, isText);
  const body = first(
    names.body.filter((name) => name !== title),
    isText,
  );
  return {
    items,
    paging: detectPaging(data),
    id: names.id.find((name) => isOwn(samples, name)) ?? null,
    title,
    body,
    isHtml:
      body !== null &&
      samples.some((item) => /<(p|div|br|a|span|ul|ol|h\d|img|table)\b[^<>]*>/i.test(String(readValue(item, body)))),
    changedAt: first(names.changedAt, isTime),
    madeAt: first(names.madeAt, isTime),
    author: first(names.author, isText),
    link: first(names.link, (value) => typeof value === 'string' && /^https?:/i.test(value)),
    fields: listFields(samples),
    total: names.total.find((at) => isTotal(readValue(data, at), list.length)) ?? null,
  };
}

function detectItems(data: unknown): string {
  if (Array.isArray(data)) return '';
  const lists = findLists(data, '', 1);
  const filled = lists.filter(({ list }) => list.some((each) => typeof each === 'object' && each !== null));
  const [only, ...others] = filled.length ? filled : lists;
  if (only && others.length === 0) return only.path;
  const usual = names.items.find((name) => filled.some(({ path }) => path === name));
  if (usual) return usual;
  if (!only) throw createUnclearError('The answer has no list of items.');
  throw createUnclearError(
    `items: the answer has several lists. Choose one: ${filled.map(({ path }) => path).join(', ')}.`,
  );
}

function findLists(value: unknown, path: string, depth: number): { path: string; list: unknown[] }[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > deepest) return [];
  return Object.entries(value)
    .filter(([name]) => /^[\w-]+$/.test(name))
    .flatMap(([name, each]) => {
      const own = path === '' ? name : `${path}.${name}`;
      return Array.isArray(each) ? [{ path: own, list: each }] : findLists(each, own, depth + 1);
    });
}

/** The `Link` header is always checked: it does no harm where it is absent. */
function detectPaging(data: unknown): Paging {
  const token = tokens.find(([at]) => readValue(data, at) !== undefined);
  if (token) return { by: 'token', at: token[0] };
  const isAddress = (value: unknown) =>
    value === null || (typeof value === 'string' && /^(https?:|\/|\?|$)/.test(value));
  const url = names.nextUrl.find((at) => readValue(data, at) !== undefined && isAddress(readValue(data, at)));
  return url === undefined ? { by: 'link' } : { by: 'url', at: url };
}

function isTotal(value: unknown, count: number): boolean {
  return Number.isInteger(value) && Number(value) >= count;
}

/** Every item has a value, and all values differ. */
function isOwn(items: readonly unknown[], name: string): boolean {
  const found = items.map((item) => readValue(item, name));
  const isPlain = found.every((value) => typeof value === 'number' || (typeof value === 'string' && value !== ''));
  return isPlain && found.length > 0 && new Set(found.map(String)).size === found.length;
}

function listFields(items: readonly unknown[]): string[] {
  const found = new Set<string>();
  for (const item of items) {
    if (typeof item !== 'object' || item === null) continue;
    for (const [name, value] of Object.entries(item)) if (isShort(value) && /^[\w-]{1,60}$/.test(name)) found.add(name);
  }
  return [...found].slice(0, mostFields);
}

function isShort(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean' || (isText(value) && value.length <= longestField);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isTime(value: unknown): boolean {
  return (isText(value) || typeof value === 'number') && !Number.isNaN(parseMoment(value));
}

function createUnclearError(message: string): AppError {
  return new AppError('invalid_input', message);
}
