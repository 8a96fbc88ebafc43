// A draft as text, for every face that shows one: MCP, mail, Telegram and the hook of a session.
import { visible } from '#kernel/visible';
import type { DraftRow } from './store/drafts.ts';

/** A part of a text. A quote is what others or an agent wrote: each face sets it apart, so that it cannot pass for the server's words. */
export type Part = { kind: 'text' | 'quote'; text: string };

/** What the server says itself. */
export function text(words: string): Part {
  return { kind: 'text', text: words };
}

/** What others say. */
export function quote(words: string): Part {
  return { kind: 'quote', text: words };
}

/** A draft in one line: its title, and how what it changes is called. */
export function headingOf({ preview, target }: DraftRow): string {
  return target?.about ? `${preview.title}: ${visible(target.about)}` : preview.title;
}

/** What stands there now is not what is decided about, so that it may be cut. */
const longestBefore = 200;

/** All of what would be sent, and what stands there until then. */
export function contentOf(draft: DraftRow): Part[] {
  const fields = draft.preview.fields.flatMap(({ label, text: words, was = '' }) => [
    ...(words.trim() ? [text(`${label}:`), quote(words)] : [text(`${label}: –`)]),
    ...(was ? [text('Until then:'), quote(cutAtWord(was, longestBefore))] : []),
  ]);
  return [quote(headingOf(draft)), ...fields];
}

/** The beginning of a text, in whole words where they are not too long. */
export function cutAtWord(words: string, most: number): string {
  const line = words.trim();
  if (line.length <= most) return line;
  const end = line.lastIndexOf(' ', most);
  return `${line.slice(0, end > most / 2 ? end : most - 1).trimEnd()}…`;
}
