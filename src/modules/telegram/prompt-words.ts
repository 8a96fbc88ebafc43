// A draft as a message: all of what would be sent, or that it is too long for one; and later what became of it.
import { AppError } from '#kernel/errors';
import { contentOf, headingOf, nothingWasSent, type DraftRow } from '#modules/actions';
import type { Button } from './bot-api.ts';
import { cut } from './found.ts';
import { messagesOf, quote, text, type Reply } from './reply.ts';
import { buttonNames, type ButtonName } from './store/prompts.ts';

/** Telegram marks so many places of a message at most, and leaves the others plain. */
const mostQuotes = 90;
const longestTitle = 500;
const longestReason = 500;

const labels: Record<ButtonName, string> = { approve: 'Approve', decline: 'Decline' };

/** How many bytes of a content's hash a button holds: half of it, since a button holds 64 bytes. */
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

/** What a pressed button says; null when none of ours says so. */
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

/** Where its page is, and when it is told; whose it is, where they named the reader to decide: null where it is the reader's own. */
export type Telling = { publicUrl: string; now: Date; owner: string | null };

/** What stands there when a draft is over that was taken from the reader before. */
export const notYours = 'It is no longer yours to decide.';

/** Whether all of a draft can be seen in one message; else it is not approved by a button. */
export function fitsPhone(draft: DraftRow, telling: Telling): boolean {
  return draft.preview.isComplete && isOne(whole(draft, telling));
}

/** The message of a draft as it is now, as Telegram's HTML. */
export function promptHtml(draft: DraftRow, telling: Telling): string {
  const shown = whole(draft, telling);
  const [html] = messagesOf(draft.preview.isComplete && isOne(shown) ? shown : shortened(draft, telling));
  if (html === undefined) throw new AppError('internal', 'a prompt has words');
  return html;
}

function isOne(reply: Reply): boolean {
  return reply.filter(({ kind }) => kind === 'quote').length <= mostQuotes && messagesOf(reply).length === 1;
}

/** What others or an agent wrote is quoted, so that it cannot pass for words of ours. */
function whole(draft: DraftRow, telling: Telling): Reply {
  return [...stateOf(draft, telling), ...contentOf(draft), ...endOf(draft, telling)];
}

function shortened(draft: DraftRow, telling: Telling): Reply {
  const isWaiting = draft.status === 'pending';
  return [
    ...stateOf(draft, telling),
    quote(cut(headingOf(draft), longestTitle)),
    ...(isWaiting
      ? [text('It is too long to be shown here as a whole. Look at all of it, and approve it, on the console:')]
      : []),
    ...endOf(draft, telling),
  ];
}

function endOf(draft: DraftRow, { publicUrl, owner }: Telling): Reply {
  const { id, account, drafted_by_label: by, drafted_payload, edited_by } = draft;
  const forWhom = owner === null ? '' : ` for ${owner}, who named you to decide`;
  const edited = drafted_payload ? ` Edited by ${edited_by ?? 'somebody'}.` : '';
  return [text(`Through ${account}. Drafted by ${by}${forWhom}.${edited}`), text(`${publicUrl}/inbox/${id}`)];
}

const nothingSent = 'Nothing was sent.';

/** What a draft has come to, in words; the reason, which may be a provider's, is quoted. */
function stateOf(draft: DraftRow, { now, owner }: Telling): Reply {
  const { status, decided_by_label: by, error, expires_at: until } = draft;
  const who = by ?? 'somebody';
  const why = error ? [quote(cut(error.message, longestReason))] : [];
  const says: Record<DraftRow['status'], Reply> = {
    pending: [
      text(`A draft ${owner === null ? '' : `of ${owner} `}waits for your yes, until ${momentText(until, now)}.`),
    ],
    confirming: [text(`Approved by ${who}. It is being sent.`)],
    confirmed: [text(`✓ Approved by ${who}, and done.`)],
    failed: [
      text(`✗ Approved by ${who}, and ${nothingWasSent(draft) ? 'it was not done' : 'this is known of it'}:`),
      ...why,
    ],
    ambiguous: [text(`Approved by ${who}. It may have been done; nobody knows yet:`), ...why],
    discarded: [text(`✗ Declined by ${who}. ${nothingSent}`)],
    expired: [text(`✗ Nobody decided in time. ${nothingSent}`)],
    stale: [text('✗ It could not be approved any more:'), ...why],
    undone: [text(`Approved by ${who}, done, and taken back again.`)],
  };
  return says[status];
}

/** With its day, unless that is today. */
function momentText(at: Date, now: Date): string {
  const hour = `${at.toISOString().slice(11, 16)} UTC`;
  if (at.toISOString().slice(0, 10) === now.toISOString().slice(0, 10)) return hour;
  const day = at.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
  return `${day}, ${hour}`;
}
