// Writes what is known of an item as a page, after a template.
import type { Attachment, Json, NewPage } from '#modules/pages';
import { partsOf } from '../executor/endpoint.ts';
import { fill } from '../executor/fill.ts';
import { valueAt, type Values } from '../executor/values.ts';
import { gonePage } from '../sources/source.ts';
import { holds } from './conditions.ts';
import type { Descriptor, PageTemplate, Stream } from './descriptor.ts';

/** `source` stands before the reference of a page: `github:ada`. Throws when the item has no time that can be read. */
export function pageOf(
  template: PageTemplate,
  values: Values,
  { source, account }: { source: string; account: string },
): NewPage {
  const { type, ref, title, body, parts, frontmatter, author, occurredAt, goneWhen } = template;
  const gone = goneWhen !== undefined && holds(goneWhen, values);
  if (gone) return gonePage({ source, ref: written(ref, values), type });
  const fields = Object.entries(frontmatter).map(([name, path]) => [name, jsonOf(valueOf(path, values))] as const);
  return {
    sourceRef: `${source}:${written(ref, values)}`,
    source,
    type,
    title: written(title, values) || '(no title)',
    body: [...body.flatMap((block) => blockOf(block, values)), ...partsOfPage(parts, values)].join('\n\n'),
    frontmatter: { ...Object.fromEntries(fields), account },
    author: written(author, values) || null,
    occurredAt: timeOf(valueOf(occurredAt, values)),
  };
}

/** A file that comes with an item: what is told of it, and the request that is made for it, which has its values already. */
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

/** A block, unless none of its placeholders has a value. */
function blockOf(block: string, values: Values): string[] {
  const paths = partsOf(block).flatMap((part) => ('path' in part ? [part.path] : []));
  const isKnown = paths.length === 0 || paths.some((path) => textOf(valueAt(values, path)) !== '');
  return isKnown ? [written(block, values)] : [];
}

function partsOfPage(parts: PageTemplate['parts'], values: Values): string[] {
  const list = parts ? valueAt(values, parts.of) : undefined;
  if (!parts || !Array.isArray(list)) return [];
  return list
    .slice(parts.skip ?? 0)
    .map((each) => written(parts.text, { ...values, [parts.as]: each }))
    .filter(Boolean);
}

function written(template: string, values: Values): string {
  return partsOf(template)
    .map((part) => ('literal' in part ? part.literal : textOf(valueAt(values, part.path))))
    .join('')
    .trim();
}

/** A template that is one placeholder has its value with its type, any other is text. */
function valueOf(template: string, values: Values): unknown {
  const [only, ...others] = partsOf(template);
  return only && 'path' in only && others.length === 0 ? valueAt(values, only.path) : written(template, values);
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function jsonOf(value: unknown): Json {
  return (value ?? null) as Json; // it was read from JSON
}

/** ISO 8601, or seconds since 1970 as a number or a text. */
function timeOf(value: unknown): Date {
  const isSeconds = typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value));
  const time = isSeconds ? new Date(Number(value) * 1000) : new Date(String(value));
  if (Number.isNaN(time.getTime())) throw new RangeError(`${String(value)} is no time`);
  return time;
}
