// Items of other products, in the form of an archive.
import { createHash } from 'node:crypto';

/** An item to import, a link between two items by their keys, or a reading error. */
export type Item =
  | { kind: 'memory'; key: string; content: string; at: Date; topics?: string[]; author?: string | null }
  | { kind: 'link'; from: string; to: string; reason: string }
  | {
      kind: 'page';
      key: string;
      type: string;
      title: string;
      body: string;
      frontmatter: Record<string, unknown>;
      at: Date;
    }
  | { kind: 'problem'; where: string; message: string };

/** The content of a file or folder of another product. Every item gets `source`; `brain` names the new brain. */
export type ForeignMemory = { source: string; brain: string; items: AsyncIterable<Item> | Iterable<Item> };

/** The longest memory of an archive. */
export const longestMemory = 400_000;
const longestBody = 100_000;

/**
 * The same id for the same item at every reading, ordered by time (RFC 9562, version 7, with a hash in place of random
 * bits).
 */
export function computeItemId(source: string, key: string, at: Date): string {
  const time = Math.max(0, at.getTime()).toString(16).padStart(12, '0').slice(-12);
  const hash = createHash('sha256').update(`${source}\0${key}`).digest('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

/** A line for a memory. */
export function buildMemoryLine(
  source: string,
  { key, content, at, topics = [], author = null }: Extract<Item, { kind: 'memory' }>,
) {
  return {
    id: computeItemId(source, key, at),
    content,
    type: 'fact',
    salience: 'normal',
    topics,
    triggers: [],
    session_id: null,
    thread_id: null,
    author,
    role: null,
    occurred_at: at.toISOString(),
    source: `${source}:import`,
    source_id: null,
    stored_by_label: `${source} import`,
    created_at: at.toISOString(),
    archived_at: null,
    archive_reason: null,
    superseded_by: null,
  };
}

/** Lines for a page; one that is too long is cut between paragraphs. */
export function buildPageLines(
  source: string,
  { key, type, title, body, frontmatter, at }: Extract<Item, { kind: 'page' }>,
) {
  return splitIntoParts(body).map((text, index) => {
    const id = computeItemId(source, `${key} ${index}`, at);
    const name = clean(title.trim().slice(0, 400)) || 'Untitled';
    return {
      id,
      slug: `${buildSlug(name)}-${id.slice(-8)}`,
      type,
      title: index ? `${name} (part ${index + 1})` : name,
      body: text,
      frontmatter,
      author: null,
      source: `${source}:import`,
      source_ref: null,
      content_hash: createHash('sha256').update(text).digest('hex'),
      version: 1,
      occurred_at: at.toISOString(),
      created_at: at.toISOString(),
      updated_at: at.toISOString(),
      deleted_at: null,
    };
  });
}

function splitIntoParts(body: string): string[] {
  const parts: string[] = [];
  for (let rest = body; ;) {
    if (rest.length <= longestBody) return [...parts, rest];
    const paragraph = rest.lastIndexOf('\n\n', longestBody);
    const end = paragraph > longestBody / 2 ? paragraph + 2 : longestBody;
    // Never cuts a character in half.
    const whole = /[\uD800-\uDBFF]/.test(rest[end - 1] ?? '') ? end - 1 : end;
    parts.push(rest.slice(0, whole));
    rest = rest.slice(whole);
  }
}

function buildSlug(title: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  return slug.slice(0, 80) || 'page';
}

/** Text that can be stored: without NUL and incomplete characters. */
export function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** As seconds since 1970 this number is in the year 5138, so larger numbers are milliseconds. */
const mostSeconds = 1e11;

/** A time from another product: text, or seconds or milliseconds since 1970; `otherwise` if it is not a time. */
export function parseMoment(value: unknown, otherwise: Date): Date {
  const number = typeof value === 'number' ? value * (value > mostSeconds ? 1 : 1000) : Number.NaN;
  const moment = new Date(typeof value === 'string' ? value : number);
  return Number.isNaN(moment.getTime()) || moment.getTime() < 0 ? otherwise : moment;
}
