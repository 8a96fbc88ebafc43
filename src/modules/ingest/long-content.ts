// A text that is too long for one memory: the memory has its beginning, and pages have all of it.
import type { Context } from '#kernel/context';
import type { NewPage } from '#kernel/page';
import { hasPage, storePages } from '#modules/pages';

/** The longest memory. */
const longestMemory = 32_000;
const longestPart = 100_000;
const mostParts = 60;

export function isLong(content: string): boolean {
  return content.length > longestMemory;
}

/** The memory of a long text. */
export function cutToMemory(content: string): string {
  return `${cutAt(content, longestMemory - 200)}\n\n[The whole text has ${content.length} characters and is kept as pages.]`;
}

/** Up to `most` characters, ending between paragraphs or words if possible. */
function cutAt(text: string, most: number): string {
  const head = text.slice(0, most);
  const end = Math.max(head.lastIndexOf('\n\n'), head.lastIndexOf('\n', most), head.lastIndexOf(' '));
  if (end > most / 2) return head.slice(0, end);
  return isHighSurrogate(head, most - 1) && text.length > most ? head.slice(0, -1) : head; // between whole characters
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code < 0xdc00;
}

function splitIntoParts(content: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < content.length;) {
    const part = cutAt(content.slice(at), longestPart);
    parts.push(part);
    at += Math.max(1, part.length);
  }
  return parts;
}

/** Stores a whole text as pages of its memory, and removes pages of a longer earlier version. Returns their slugs. */
export async function storeWholePages(
  ctx: Context,
  brainId: string,
  of: { key: string; memoryId: string; source: string; author: string | null; occurredAt: Date },
  content: string,
): Promise<string[]> {
  if (!isLong(content) && !(await hasPage(ctx.db, brainId, `ingest:${of.key}:1`))) return [];
  const parts = isLong(content) ? splitIntoParts(content) : [];
  const title = content.split('\n', 1)[0]?.slice(0, 120).trim() || 'Ingested text';
  const pages = Array.from({ length: mostParts }, (_none, at): NewPage => {
    const number = parts.length > 1 ? ` (${at + 1} of ${parts.length})` : '';
    return {
      sourceRef: `ingest:${of.key}:${at + 1}`,
      source: of.source,
      type: 'ingested_text',
      title: `${title}${number}`,
      body: parts[at] ?? '',
      frontmatter: { memory_id: of.memoryId, part: at + 1, parts: parts.length },
      author: of.author,
      occurredAt: of.occurredAt,
      isGone: at >= parts.length,
    };
  });
  const stored = await storePages(ctx, brainId, pages);
  const slugs = new Map(stored.map(({ sourceRef, slug }) => [sourceRef, slug]));
  return parts.flatMap((_part, at) => slugs.get(`ingest:${of.key}:${at + 1}`) ?? []);
}
