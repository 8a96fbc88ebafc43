// A draft as text, for every face that shows one: MCP, mail, Telegram and the session-start hook.
import { showUnseen } from '#kernel/visible';
import { isSurelyUnsent } from '../draft-states.ts';
import { formatDangerLine } from './danger.ts';
import type { DraftRow } from '../store/drafts.ts';

/**
 * A part of a text. A quote is text of others or of an agent: each face shows it separately, so that it cannot look
 * like the server's words.
 */
export type Part = { kind: 'text' | 'quote'; text: string };

/** Words of the server. */
export function createTextPart(words: string): Part {
  return { kind: 'text', text: words };
}

/** Words of others. */
export function quote(words: string): Part {
  return { kind: 'quote', text: words };
}

/** A draft in one line: its title, and the name of what it changes. */
export function formatHeading({ preview, target }: DraftRow): string {
  return target?.about ? `${preview.title}: ${showUnseen(target.about)}` : preview.title;
}

/** An old value is not what is approved, so it may be cut. */
const longestBefore = 200;

/** All content that would be sent, with the old values. */
export function buildContentParts(draft: DraftRow): Part[] {
  const fields = draft.preview.fields.flatMap(({ label, text: words, was = '' }) => [
    ...(words.trim() ? [createTextPart(`${label}:`), quote(words)] : [createTextPart(`${label}: –`)]),
    ...(was ? [createTextPart('Before:'), quote(cutAtWord(was, longestBefore))] : []),
  ]);
  return [quote(formatHeading(draft)), ...fields];
}

/** Who drafted it, for whom, and through which account. `owner`: the owner of the draft, if it is not the reader. */
export function formatSignature(draft: DraftRow, owner: string | null = null): string {
  const { account, drafted_by_label: by, drafted_payload, edited_by } = draft;
  const forWhom = owner === null ? '' : ` for ${owner}, who delegated the decision to you`;
  const edited = drafted_payload ? ` Edited by ${edited_by ?? 'a person'}.` : '';
  return `Through ${account}. Drafted by ${by}${forWhom}.${edited}`;
}

/** The state of a draft. The reason may be a provider's, so it is quoted. */
export function buildStatusParts(draft: DraftRow, { now, owner = null }: { now: Date; owner?: string | null }): Part[] {
  const { status, decided_by_label, error, expires_at } = draft;
  const by = decided_by_label ?? 'a person';
  const why = error ? [quote(cutAtWord(error.message, longestReason))] : [];
  const failed = isSurelyUnsent(draft) ? 'Nothing was sent:' : 'This is known about the outcome:';
  const says: Record<DraftRow['status'], Part[]> = {
    pending: [
      createTextPart(
        `A draft ${owner === null ? '' : `of ${owner} `}waits for your approval until ${formatUtcTime(expires_at, now)}.`,
      ),
      ...buildDangerParts(draft),
    ],
    confirming: [createTextPart(`Approved by ${by}. It is being sent.`)],
    confirmed: [createTextPart(`Approved by ${by} and sent.`)],
    failed: [createTextPart(`Approved by ${by}. ${failed}`), ...why],
    ambiguous: [createTextPart(`Approved by ${by}. It may have been sent; the outcome is not known:`), ...why],
    discarded: [createTextPart(`Declined by ${by}. Nothing was sent.`)],
    expired: [createTextPart('Expired without a decision. Nothing was sent.')],
    stale: [createTextPart('Out of date:'), ...why],
    undone: [createTextPart(`Approved by ${by}, sent, and undone.`)],
  };
  return says[status];
}

/** Why a waiting draft needs a second look, in our own words. */
function buildDangerParts(draft: DraftRow): Part[] {
  const line = formatDangerLine(draft);
  return line === null ? [] : [createTextPart(line)];
}

const longestReason = 500;

/** A time in UTC; without its day if that is today. */
export function formatUtcTime(at: Date, now?: Date): string {
  const hour = `${at.toISOString().slice(11, 16)} UTC`;
  if (now && at.toISOString().slice(0, 10) === now.toISOString().slice(0, 10)) return hour;
  const day = at.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
  return `${day}, ${hour}`;
}

/** All of a draft as plain text. Quotes begin with `> `. */
export function formatDraftText(draft: DraftRow): string {
  const lines = buildContentParts(draft).map(({ kind, text: words }) =>
    kind === 'quote' ? words.replaceAll(/^/gm, '> ') : `\n${words}`,
  );
  const dangers = buildDangerParts(draft).map(({ text: words }) => `${words}\n`);
  return [...dangers, ...lines, `\n${formatSignature(draft)}`].join('\n');
}

/** The beginning of a text, in whole words if they are not too long. */
export function cutAtWord(words: string, most: number): string {
  const line = words.trim();
  if (line.length <= most) return line;
  const end = line.lastIndexOf(' ', most);
  return `${line.slice(0, end > most / 2 ? end : most - 1).trimEnd()}…`;
}
