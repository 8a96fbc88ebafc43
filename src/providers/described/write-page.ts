// Writes an item as a page, by a template.
import { AppError } from '#kernel/errors';
import type { Attachment, Json, NewPage } from '#kernel/page';
import { fill, holds, partsOf, textOf, valueAt, valueOf, type Values, written } from '#providers/http';
import { gonePage, momentOf, textOfHtml } from '#providers/reading';
import type { Descriptor, PageTemplate, Parts, Stream } from './descriptor.ts';
import { readEventTimes } from './event-times.ts';

/** `source` precedes the reference of a page: `github:ada`. Throws when the time of the item is unreadable. */
export async function pageOf(
  template: PageTemplate,
  values: Values,
  { source, account }: { source: string; account: string },
): Promise<NewPage> {
  const { type, title, frontmatter, author, occurredAt, goneWhen, event } = template;
  const ref = refOf(template, values);
  if (ref === '') throw unreadable('It has nothing it is known by.');
  if (goneWhen !== undefined && holds(goneWhen, values)) return gonePage({ source, ref, type });
  const times = event && readEventTimes(event, values);
  const fields = Object.entries(frontmatter).map(([name, path]) => [name, jsonOf(valueOf(path, values))] as const);
  return {
    sourceRef: `${source}:${ref}`,
    source,
    type,
    title: written(title, values) || '(no title)',
    body: await bodyOf(template, { ...values, ...(times && { when: times.when }) }),
    frontmatter: { ...Object.fromEntries(fields), ...times?.fields, account },
    author: written(author, values) || null,
    occurredAt: occurredAt === undefined ? new Date(0) : timeOf(valueOf(occurredAt, values)),
  };
}

/** A file of an item: its metadata, and its complete request. */
export function attachmentOf(
  { files, page }: Pick<Stream, 'files' | 'page'>,
  values: Values,
  { baseUrl, headers }: Descriptor['api'],
): Attachment {
  if (!files) throw new Error('a stream that tells no files has none');
  const { path, ...call } = files.content;
  const request = fill({ ...call, url: `${baseUrl}${path}`, headers: { ...headers, ...call.headers } }, values);
  const item = written(page.ref, values);
  return {
    ref: `${item}/${written(files.id, values)}`,
    filename: written(files.name, values),
    mime_type: written(files.type, values) || 'application/octet-stream',
    size: Number(written(files.size, values)) || 0,
    message_id: item,
    handle: { url: request.url, headers: request.headers },
  };
}

async function bodyOf(template: PageTemplate, values: Values): Promise<string> {
  const { body, parts = [], isHtml } = template;
  const blocks = [
    ...body.flatMap((block) => blockOf(block, values)),
    ...parts.flatMap((each) => partsOfPage(each, values)),
  ];
  return isHtml ? textOfHtml(blocks.join('<br><br>')) : blocks.join('\n\n');
}

/** The identity of an item at its provider; empty without one. */
export function refOf({ ref }: PageTemplate, values: Values): string {
  return written(ref, values);
}

function unreadable(message: string): AppError {
  return new AppError('upstream_failed', message, { errorCategory: 'bad_response' });
}

/** A block, unless none of its placeholders has a value. */
function blockOf(block: string, values: Values): string[] {
  const paths = partsOf(block).flatMap((part) => ('path' in part ? [part.path] : []));
  const isKnown = paths.length === 0 || paths.some((path) => textOf(valueAt(values, path)) !== '');
  return isKnown ? [written(block, values)] : [];
}

function partsOfPage({ of, as, text, said, skip = 0, only, join, isReversed }: Parts, values: Values): string[] {
  const texts = listOf(valueAt(values, of))
    .slice(skip)
    .map((each) => ({ ...values, [as]: each }))
    .filter((known) => !only || holds(only, known))
    .map((known) => (said === undefined ? known : { ...known, said: written(said, known) }))
    .filter((known) => !('said' in known) || known.said !== '')
    .map((known) => written(text, known))
    .filter(Boolean);
  if (isReversed) texts.reverse();
  return join === undefined || texts.length === 0 ? texts : [texts.join(join)];
}

/** The fields of an object are known by their names there. */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([name, each]) => ({ ...(each as object | null), name })); // other values have no fields
}

function jsonOf(value: unknown): Json {
  return (value ?? null) as Json; // it was read from JSON
}

function timeOf(value: unknown): Date {
  const time = value === undefined || value === null ? 0 : momentOf(value);
  if (!Number.isNaN(time)) return new Date(time);
  throw unreadable(`Its time cannot be read: ${textOf(value).slice(0, 100)}.`);
}
