import { addressesIn, kindOf, textIn } from './payload.ts';
import type { Draft, DraftStatus, PersonsAnswer } from './requests.ts';

/** What an approval does, as the word on the button. */
export function approveWord(draft: Draft): string {
  const words = { email: 'Approve & send', event: 'Approve & save', file: 'Approve & save', other: 'Approve' };
  return words[kindOf(draft.payload)];
}

/** Who or what a draft is aimed at, in one line. */
export function aimOf(draft: Draft): string {
  const kind = kindOf(draft.payload);
  const people = addressesIn(draft.payload, kind === 'email' ? 'to' : 'attendees').map(bareAddress);
  const [first, ...rest] = people;
  if (first) return rest.length ? `${first} and ${rest.length} more` : first;
  return (
    draft.about || textIn(draft.payload, 'name') || (kind === 'other' && toldOf(draft)) || draft.account || draft.source
  );
}

/** What is touched, as its service calls it, without the id behind it. */
function toldOf({ known }: Draft): string {
  const told = known.find(({ label }) => label !== notLookedUp)?.text ?? '';
  return told.replace(/ \([^()]*\)$/, '');
}

/** Without the name before it, which may say anything. */
function bareAddress(address: string): string {
  return /<([^<>]+)>\s*$/.exec(address)?.[1] ?? address;
}

/** A draft's own name: the subject, the summary, the file's name. */
export function headlineOf(draft: Draft): string {
  const { payload } = draft;
  if (kindOf(payload) === 'other') return draft.preview.title;
  return textIn(payload, 'subject') || textIn(payload, 'summary') || textIn(payload, 'name') || draft.preview.title;
}

/** As the server labels why nothing is known. */
const notLookedUp = 'Not looked up';

type Tone = 'plain' | 'go' | 'wait' | 'stop';

/** A status as a person reads it. */
export const statusWords: Record<DraftStatus, { label: string; tone: Tone }> = {
  pending: { label: 'Waiting', tone: 'wait' },
  confirming: { label: 'Sending', tone: 'wait' },
  confirmed: { label: 'Done', tone: 'go' },
  failed: { label: 'Failed', tone: 'stop' },
  ambiguous: { label: 'Maybe sent', tone: 'wait' },
  discarded: { label: 'Declined', tone: 'plain' },
  expired: { label: 'Expired', tone: 'plain' },
  stale: { label: 'Out of date', tone: 'plain' },
  undone: { label: 'Taken back', tone: 'plain' },
};

/** What a person who looked can say, as the word on the button. */
export const answerWords: Record<PersonsAnswer, string> = {
  it_happened: 'It happened',
  it_did_not: 'It did not',
  send_again: 'Draft it again',
};

/** What happened to a decided draft and what to do now. */
export function outcomeText({ status, error, nothing_was_sent }: Draft): string {
  const texts: Record<DraftStatus, string> = {
    pending: '',
    confirming: 'It is on its way. This page tells when it has arrived.',
    confirmed: 'Approved and carried out.',
    failed: `${nothing_was_sent ? 'It was approved and not carried out: nothing was sent.' : 'It was approved.'} ${error ?? ''}`,
    ambiguous:
      'It may have been sent: the answer was lost on the way. The other side is being asked. Until it is known, look there yourself; it is never sent twice by itself.',
    discarded: 'Declined. Nothing left this server.',
    expired: 'Nobody decided in time, so it cannot be sent any more. Ask the agent to draft it again.',
    stale:
      error ?? 'What it was about changed after it was drafted, so it cannot be sent. Ask the agent to draft it again.',
    undone: 'It was carried out, and then taken back.',
  };
  return texts[status].trim();
}
