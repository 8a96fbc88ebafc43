// Reads the items of a list as pages, in batches.
import { AppError } from '#kernel/errors';
import type { NewPage } from '#kernel/page';
import { formatText, readValue, type Values } from '#providers/http';
import { parseMoment } from '../moments.ts';
import { readItems } from '../read-items.ts';
import { createGonePage, type Changes, type IsSkippable } from '../source.ts';
import type { AnyStream } from './stream.ts';

/** The number of items that are stored together; fewer if each item needs further requests. */
const batchSize = 100;
const detailedBatchSize = 25;

/** Items to store together, and items that are left out. */
type Items = { items: readonly unknown[]; leftOut: readonly unknown[]; isLast: boolean };

/** The wanted items in batches. Without items, one empty batch, so that the position is stored. */
export function splitItems({ isLeftOut, hasDetails }: AnyStream, items: readonly unknown[]): Items[] {
  const wanted = isLeftOut ? items.filter((item) => !isLeftOut(item)) : items;
  const leftOut = isLeftOut ? items.filter((item) => isLeftOut(item)) : [];
  const size = hasDetails ? detailedBatchSize : batchSize;
  const count = Math.max(1, Math.ceil(wanted.length / size));
  return Array.from({ length: count }, (_, n) => ({
    items: wanted.slice(n * size, (n + 1) * size),
    leftOut: n === 0 ? leftOut : [],
    isLast: n === count - 1,
  }));
}

/** `refs`: the references of all existing items, also of unreadable ones. */
type Batch = Pick<Changes, 'pages' | 'errors' | 'leftOut'> & { refs: string[] };

/** The items of a batch as pages. */
export async function readBatch(
  { source, account, isSkippable }: { source: string; account: string; isSkippable: IsSkippable },
  stream: AnyStream,
  of: unknown,
  { items, leftOut: without }: Pick<Items, 'items' | 'leftOut'>,
): Promise<Batch> {
  const names = items.length && stream.readNames ? await stream.readNames(of) : {};
  const read = (item: unknown) => readPage({ source, account }, stream, { item, of, names });
  const { results, errors } = await readItems(items, (item) => formatItemName(stream, item), read, isSkippable);
  const nameRef = (ref: string) => `${source}:${ref}`;
  const refs = listRefs(stream, items, of).map(nameRef);
  const unwanted = stream.leftOut ? listRefs(stream, without, of) : [];
  const leftOut = [
    ...results.flatMap(({ page, whys }) => whys.map((why) => ({ ref: page.sourceRef, why }))),
    ...unwanted.map((ref) => ({ ref: nameRef(ref), why: stream.leftOut ?? '' })),
  ];
  return { pages: results.map(({ page }) => page), errors, refs, ...(leftOut.length && { leftOut }) };
}

/** The references of the items that are not deleted. */
function listRefs(stream: AnyStream, items: readonly unknown[], of: unknown): string[] {
  return items.filter((item) => !stream.isGone?.(item, of)).map((item) => stream.buildRef(item, of));
}

/** `source` is the prefix of a page's reference, such as `github:ada`. Throws when the item's time cannot be read. */
async function readPage(
  { source, account }: { source: string; account: string },
  stream: AnyStream,
  { item, of, names }: { item: unknown; of: unknown; names: Values },
): Promise<{ page: NewPage; whys: readonly string[] }> {
  const { type } = stream;
  const ref = stream.buildRef(item, of);
  if (ref === '') throw createUnreadable('It has no id.');
  if (stream.isGone?.(item, of)) return { page: createGonePage({ source, ref, type }), whys: [] };
  const content = await stream.readItem(item, of, names);
  const { title, body, frontmatter, author, occurredAt, attachments = [], leftOut = [] } = content;
  const page: NewPage = {
    sourceRef: `${source}:${ref}`,
    source,
    type,
    title: title.trim() || '(no title)',
    body,
    frontmatter: { ...frontmatter, account },
    author: author.trim() || null,
    occurredAt: 'occurredAt' in content ? parseTime(occurredAt) : new Date(0),
    attachments,
  };
  return { page, whys: leftOut };
}

function createUnreadable(message: string): AppError {
  return new AppError('upstream_failed', message, { errorCategory: 'bad_response' });
}

function parseTime(value: unknown): Date {
  const time = value === undefined || value === null ? 0 : parseMoment(value);
  if (!Number.isNaN(time)) return new Date(time);
  throw createUnreadable(`Its time cannot be read: ${formatText(value).slice(0, 100)}.`);
}

function formatItemName({ name }: AnyStream, item: unknown): string {
  return `${name} ${String(readValue(item, 'id') ?? '')}`.trim();
}
