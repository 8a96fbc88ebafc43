import { withoutSignInTokens } from '#modules/accounts';
import { normalizeText } from '#platform/unicode';
import type { NewPage } from '#kernel/page';
import { createHash } from 'node:crypto';

const longestTitle = 500;
const longestBody = 400_000;
const longestReadable = 60;

/**
 * The page without characters that Postgres cannot store and without sign-in tokens, cut to the longest allowed page.
 */
export function toStorablePage(page: NewPage): NewPage {
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

/** Equal for equal content. The handles of attachments differ between readings and do not count. */
export function hashPageContent(page: NewPage): string {
  const { type, title, body, frontmatter, author = null, occurredAt, attachments = [], source } = page;
  const files = attachments.map(({ filename, mime_type, size, message_id }) => ({
    filename,
    mime_type,
    size,
    message_id,
  }));
  const content = { type, title, body, frontmatter, author, occurredAt: occurredAt.toISOString(), files, source };
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(content)))
    .digest('hex');
}

/** A readable name that no other page of the brain has: the reference distinguishes pages with the same title. */
export function buildPageSlug({ type, title, sourceRef }: Pick<NewPage, 'type' | 'title' | 'sourceRef'>): string {
  const digest = createHash('sha256').update(sourceRef).digest();
  const own = BigInt(`0x${digest.toString('hex', 0, 8)}`)
    .toString(36)
    .padStart(13, '0')
    .slice(0, 10);
  return [toKebabCase(type), toKebabCase(title), own].filter(Boolean).join('-');
}

function toKebabCase(text: string): string {
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

/** The same value with sorted names in every object, so that their order does not count. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, sortKeys(each)]),
  );
}
