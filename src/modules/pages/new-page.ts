import { withoutSignInTokens } from '#modules/accounts';
import { normalizeText } from '#platform/unicode';
import { createHash } from 'node:crypto';

/** The allowed values of frontmatter. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** A file of a page, as its source describes it. */
export type Attachment = {
  /** Its identity within the page, the same at every reading: `18c2f…/1.2`. */
  ref: string;
  filename: string;
  mime_type: string;
  /** In bytes. */
  size: number;
  /** The message that it was attached to. */
  message_id: string;
  /** How its source fetches it. Only the source reads this, and it may differ at every reading. */
  handle: Record<string, Json>;
  /** The file itself, if the source included it. */
  content?: Uint8Array;
};

/** A page ready to be stored. */
export type NewPage = {
  /** Its identity within a brain, such as `gmail:ada@example.com:18c2f…`. */
  sourceRef: string;
  /** Its origin, from general to special: `gmail:ada@example.com`. Null: made by this server. */
  source: string | null;
  type: string;
  title: string;
  body: string;
  frontmatter: Record<string, Json>;
  attachments?: Attachment[];
  author?: string | null;
  occurredAt: Date;
  /** Only for pages with a fixed slug; absent: made from the type, the title and the reference. */
  slug?: string;
  /** It grows bit by bit, such as a conversation: its former text is not kept as versions. */
  isGrowing?: boolean;
  /** It was deleted at its source: an existing page is hidden, and none is made. */
  isGone?: boolean;
};

const longestTitle = 500;
const longestBody = 400_000;
const longestReadable = 60;

/** The page without characters that Postgres cannot store and without sign-in tokens, cut at the limit of a page. */
export function storable(page: NewPage): NewPage {
  const { title, body, frontmatter, attachments = [], author = null } = page;
  return {
    ...page,
    title: clean(title).replaceAll(/\s+/g, ' ').trim().slice(0, longestTitle),
    body: clean(body).slice(0, longestBody),
    frontmatter: cleanJson(frontmatter) as NewPage['frontmatter'], // an object stays an object
    attachments: attachments.map((file) => ({
      ...file,
      filename: clean(file.filename).slice(0, longestTitle),
      mime_type: clean(file.mime_type).slice(0, longestTitle),
    })),
    author: author && clean(author),
  };
}

/** Equal for equal content. How attachments are fetched differs from one reading to the next and does not count. */
export function contentHash(page: NewPage): string {
  const { type, title, body, frontmatter, author = null, occurredAt, attachments = [], source } = page;
  const files = attachments.map(({ filename, mime_type, size, message_id }) => ({
    filename,
    mime_type,
    size,
    message_id,
  }));
  const content = { type, title, body, frontmatter, author, occurredAt: occurredAt.toISOString(), files, source };
  return createHash('sha256')
    .update(JSON.stringify(sorted(content)))
    .digest('hex');
}

/** A readable name that no other page of the brain has: the reference distinguishes pages of one title. */
export function slugOf({ type, title, sourceRef }: Pick<NewPage, 'type' | 'title' | 'sourceRef'>): string {
  const digest = createHash('sha256').update(sourceRef).digest();
  const own = BigInt(`0x${digest.toString('hex', 0, 8)}`)
    .toString(36)
    .padStart(13, '0')
    .slice(0, 10);
  return [kebab(type), kebab(title), own].filter(Boolean).join('-');
}

function kebab(text: string): string {
  const plain = normalizeText(text, 'NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words.reduce((slug, word) => {
    const longer = slug ? `${slug}-${word}` : word.slice(0, longestReadable);
    return longer.length <= longestReadable ? longer : slug;
  }, '');
}

/**
 * Text without NUL, which Postgres refuses, without halves of surrogate pairs, and without sign-in tokens of this
 * server.
 */
function clean(text: string): string {
  return withoutSignInTokens(text.replaceAll('\0', '').toWellFormed());
}

function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [clean(name), cleanJson(each)]));
}

/** The same value with the names of every object in order, so that their order does not count. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}
