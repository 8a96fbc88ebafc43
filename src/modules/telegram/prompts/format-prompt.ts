// A draft as a Telegram message: its whole content, or a shortened form; later its outcome.
import { AppError } from '#kernel/errors';
import { buildContentParts, formatHeading, formatSignature, buildStatusParts, type DraftRow } from '#modules/actions';
import type { Button } from '../bot-api.ts';
import { cut } from '../turns/find-answer.ts';
import { formatMessages, quote, createTextPart, type Reply } from '../turns/reply.ts';
import { buttonNames, type ButtonName } from '../store/prompts.ts';

/** Telegram formats at most this many parts of a message, and shows the others plain. */
const mostQuotes = 90;
const longestTitle = 500;

const labels: Record<ButtonName, string> = { approve: 'Approve', decline: 'Decline' };

/** How many bytes of a content's hash a button contains: half of it, because a button has at most 64 bytes. */
const hashBytes = 16;

/** A button's name, the draft's id, and the hash of the content that the message shows: 53 bytes at most. */
export function buildButtons(
  { id, payload_hash }: Pick<DraftRow, 'id' | 'payload_hash'>,
  names: readonly ButtonName[],
): Button[] {
  const draft = Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
  const seen = Buffer.from(payload_hash, 'hex').subarray(0, hashBytes).toString('base64url');
  return names.map((name) => ({ text: labels[name], data: `${name}:${draft}:${seen}` }));
}

/** The meaning of a pressed button; null for a foreign one. */
export function parseButton(data: string): { name: ButtonName; draftId: string; seen: string } | null {
  const [, said, draft, seen] = /^([a-z]+):([\w-]{22}):([\w-]{22})$/.exec(data) ?? [];
  const name = buttonNames.find((each) => each === said);
  if (!name || draft === undefined || seen === undefined) return null;
  const draftId = toHex(draft).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { name, draftId, seen: toHex(seen) };
}

function toHex(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString('hex');
}

/** `owner`: the owner of the draft, if they delegated the decision to the reader; null: the reader is the owner. */
export type PromptContext = { publicUrl: string; now: Date; owner: string | null };

/** Shown instead of a draft that the reader may no longer decide. */
export const notYours = 'You may no longer decide about this draft.';

/** Whether a whole draft fits into one message; otherwise a button cannot approve it. */
export function isFittingPhone(draft: DraftRow, telling: PromptContext): boolean {
  return draft.preview.isComplete && isOne(formatWholePrompt(draft, telling));
}

/** The message of a draft in its present state, as Telegram's HTML. */
export function formatPromptHtml(draft: DraftRow, telling: PromptContext): string {
  const shown = formatWholePrompt(draft, telling);
  const [html] = formatMessages(draft.preview.isComplete && isOne(shown) ? shown : formatShortPrompt(draft, telling));
  if (html === undefined) throw new AppError('internal', 'a prompt has words');
  return html;
}

function isOne(reply: Reply): boolean {
  return reply.filter(({ kind }) => kind === 'quote').length <= mostQuotes && formatMessages(reply).length === 1;
}

/** Text of others or of an agent is quoted, so that it cannot look like ours. */
function formatWholePrompt(draft: DraftRow, telling: PromptContext): Reply {
  return [...formatDraftState(draft, telling), ...buildContentParts(draft), ...formatPromptEnd(draft, telling)];
}

function formatShortPrompt(draft: DraftRow, telling: PromptContext): Reply {
  const isWaiting = draft.status === 'pending';
  return [
    ...formatDraftState(draft, telling),
    quote(cut(formatHeading(draft), longestTitle)),
    ...(isWaiting ? [createTextPart('It is too long for Telegram. Read and approve it at the console:')] : []),
    ...formatPromptEnd(draft, telling),
  ];
}

function formatPromptEnd(draft: DraftRow, { publicUrl, owner }: PromptContext): Reply {
  return [createTextPart(formatSignature(draft, owner)), createTextPart(`${publicUrl}/inbox/${draft.id}`)];
}

const marks: Partial<Record<DraftRow['status'], string>> = {
  confirmed: '✓',
  failed: '✗',
  discarded: '✗',
  expired: '✗',
  stale: '✗',
};

/** The state with a symbol before it. */
function formatDraftState(draft: DraftRow, telling: PromptContext): Reply {
  const [first, ...why] = buildStatusParts(draft, telling);
  const mark = marks[draft.status];
  return first ? [mark ? createTextPart(`${mark} ${first.text}`) : first, ...why] : why;
}
