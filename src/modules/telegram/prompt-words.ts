// A draft as a Telegram message: all that would be sent, or a shortened form; later its outcome.
import { AppError } from '#kernel/errors';
import { contentOf, headingOf, signatureOf, statusOf, type DraftRow } from '#modules/actions';
import type { Button } from './bot-api.ts';
import { cut } from './found.ts';
import { messagesOf, quote, text, type Reply } from './reply.ts';
import { buttonNames, type ButtonName } from './store/prompts.ts';

/** Telegram marks so many places of a message at most, and leaves the others plain. */
const mostQuotes = 90;
const longestTitle = 500;

const labels: Record<ButtonName, string> = { approve: 'Approve', decline: 'Decline' };

/** How many bytes of a content's hash a button has: half of it, since a button has at most 64 bytes. */
const hashBytes = 16;

/** A button's name, the draft's id, and which content of it the message shows: 53 bytes at most. */
export function buttonsOf(
  { id, payload_hash }: Pick<DraftRow, 'id' | 'payload_hash'>,
  names: readonly ButtonName[],
): Button[] {
  const draft = Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
  const seen = Buffer.from(payload_hash, 'hex').subarray(0, hashBytes).toString('base64url');
  return names.map((name) => ({ text: labels[name], data: `${name}:${draft}:${seen}` }));
}

/** The meaning of a pressed button; null for a foreign one. */
export function buttonIn(data: string): { name: ButtonName; draftId: string; seen: string } | null {
  const [, said, draft, seen] = /^([a-z]+):([\w-]{22}):([\w-]{22})$/.exec(data) ?? [];
  const name = buttonNames.find((each) => each === said);
  if (!name || draft === undefined || seen === undefined) return null;
  const draftId = hexOf(draft).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { name, draftId, seen: hexOf(seen) };
}

function hexOf(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString('hex');
}

/** `owner`: whose draft it is, if they delegated the decision to the reader; null: the reader's own. */
export type PromptContext = { publicUrl: string; now: Date; owner: string | null };

/** Shown in the place of a draft that the reader may not decide any more. */
export const notYours = 'You may not decide this draft any more.';

/** Whether a whole draft fits into one message; otherwise a button cannot approve it. */
export function fitsPhone(draft: DraftRow, telling: PromptContext): boolean {
  return draft.preview.isComplete && isOne(whole(draft, telling));
}

/** The message of a draft in its present state, as Telegram's HTML. */
export function promptHtml(draft: DraftRow, telling: PromptContext): string {
  const shown = whole(draft, telling);
  const [html] = messagesOf(draft.preview.isComplete && isOne(shown) ? shown : shortened(draft, telling));
  if (html === undefined) throw new AppError('internal', 'a prompt has words');
  return html;
}

function isOne(reply: Reply): boolean {
  return reply.filter(({ kind }) => kind === 'quote').length <= mostQuotes && messagesOf(reply).length === 1;
}

/** Text of others or of an agent is quoted, so that it cannot look like ours. */
function whole(draft: DraftRow, telling: PromptContext): Reply {
  return [...marked(draft, telling), ...contentOf(draft), ...endOf(draft, telling)];
}

function shortened(draft: DraftRow, telling: PromptContext): Reply {
  const isWaiting = draft.status === 'pending';
  return [
    ...marked(draft, telling),
    quote(cut(headingOf(draft), longestTitle)),
    ...(isWaiting ? [text('It is too long for Telegram. Read and approve all of it on the console:')] : []),
    ...endOf(draft, telling),
  ];
}

function endOf(draft: DraftRow, { publicUrl, owner }: PromptContext): Reply {
  return [text(signatureOf(draft, owner)), text(`${publicUrl}/inbox/${draft.id}`)];
}

const marks: Partial<Record<DraftRow['status'], string>> = {
  confirmed: '✓',
  failed: '✗',
  discarded: '✗',
  expired: '✗',
  stale: '✗',
};

/** The state with a symbol before it. */
function marked(draft: DraftRow, telling: PromptContext): Reply {
  const [first, ...why] = statusOf(draft, telling);
  const mark = marks[draft.status];
  return first ? [mark ? text(`${mark} ${first.text}`) : first, ...why] : why;
}
