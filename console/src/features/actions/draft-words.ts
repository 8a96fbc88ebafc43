import { listPayloadAddresses, classifyPayload, getPayloadText } from './payload.ts';
import type { Draft, DraftStatus, Payload, PersonsAnswer } from './requests.ts';

/** The label of the approve button. For a dangerous draft it names the act and its recipients. */
export function approveWord(draft: Draft): string {
  if (draft.danger.length) return describeDangerousAct(draft);
  const words = { email: 'Approve & send', event: 'Approve & save', file: 'Approve & save', other: 'Approve' };
  return words[classifyPayload(draft.payload)];
}

/**
 * “Approve 3 mails”, “Approve 3: 2 mails, 1 deletion”: what a button approves at once. The most frequent kind comes
 * first.
 */
export function approveAllWord(drafts: readonly Pick<Draft, 'danger' | 'payload'>[]): string {
  const counts = new Map<string, number>();
  for (const draft of drafts) counts.set(getDraftNoun(draft), (counts.get(getDraftNoun(draft)) ?? 0) + 1);
  const parts = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([noun, count]) => `${count} ${count === 1 ? noun : (plurals[noun] ?? `${noun}s`)}`);
  if (parts.length <= 1) return `Approve ${parts[0] ?? 0}`;
  return `Approve ${drafts.length}: ${parts.join(', ')}`;
}

const plurals: Readonly<Record<string, string>> = {
  'change of access': 'changes of access',
  'action that may delete': 'actions that may delete',
};

/** One word for the act of a draft. What it may destroy takes precedence over what it creates. */
function getDraftNoun({ danger, payload }: Pick<Draft, 'danger' | 'payload'>): string {
  const kinds = danger.map(({ kind }) => kind);
  if (kinds.includes('deletes')) return 'deletion';
  if (kinds.includes('shares')) return 'change of access';
  if (kinds.includes('may_destroy')) return 'action that may delete';
  return { email: 'mail', event: 'event', file: 'file', other: 'other action' }[classifyPayload(payload)];
}

/** “Delete event, notify 2 guests”, “Share file with ana@example.com”, “Send to 14 people”. */
function describeDangerousAct({ action, danger, payload }: Draft): string {
  const [destroys] = danger.filter(({ kind }) => kind in destructiveWords);
  if (destroys?.kind === 'shares')
    return `${formatActionName(action)} with ${joinBareAddresses(listPayloadAddresses(payload, 'email')) || 'others'}`;
  if (destroys) return `${formatActionName(action)}${formatGuests(payload, destroys.people)}`;
  const [reason] = danger;
  const act = classifyPayload(payload) === 'email' ? 'Send to' : `${formatActionName(action)}, reaching`;
  const count = reason?.people ?? 0;
  if (reason?.kind === 'many_recipients') return `${act} ${formatPeopleCount(count)}`;
  return `${act} ${count} new ${count === 1 ? 'person' : 'people'}`;
}

const destructiveWords: Partial<Record<Draft['danger'][number]['kind'], string>> = {
  deletes: 'Deletes',
  shares: 'Shares',
  may_destroy: 'May delete',
};

/** The mark of a dangerous draft, in list and header. Null: it is not dangerous. */
export function findDangerMark({ danger }: Pick<Draft, 'danger'>): string | null {
  const [first] = danger;
  if (!first) return null;
  if (first.kind === 'many_recipients') return formatPeopleCount(first.people);
  return destructiveWords[first.kind] ?? (first.people === 1 ? 'New recipient' : `${first.people} new recipients`);
}

/** “delete_event” as an act: “Delete event”. */
function formatActionName(action: string): string {
  const words = action === 'send_delete' ? 'delete' : action === 'http_request' ? 'send request' : action;
  return words.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
}

/** Who is notified, if the draft says so. */
function formatGuests(payload: Payload, count: number): string {
  if (!count || payload['send_updates'] === 'none') return '';
  if (payload['send_updates'] === 'externalOnly') return ', notify external guests';
  return 'event_id' in payload ? `, notify ${count} ${count === 1 ? 'guest' : 'guests'}` : '';
}

function formatPeopleCount(count: number): string {
  return `${count} ${count === 1 ? 'person' : 'people'}`;
}

function joinBareAddresses(addresses: readonly string[]): string {
  return addresses.map(stripDisplayName).join(', ');
}

/** A message about a completed action: “Deleted “Offsite””. Without a name of its target, the server's title. */
export function formatDoneMessage(draft: Draft): string {
  const word = getOutcomeWord(draft.action);
  const name = classifyPayload(draft.payload) === 'other' ? draft.about : getDraftHeadline(draft);
  return name ? `${word} “${name}”` : `${word}: ${getDraftHeadline(draft)}`;
}

/** The target of a draft, in one line. */
export function formatTarget(draft: Draft): string {
  const kind = classifyPayload(draft.payload);
  const people = listPayloadAddresses(draft.payload, kind === 'email' ? 'to' : 'attendees').map(stripDisplayName);
  const [first, ...rest] = people;
  if (first) return rest.length ? `${first} and ${rest.length} more` : first;
  return (
    draft.about ||
    getPayloadText(draft.payload, 'name') ||
    (kind === 'other' && getServiceTargetName(draft)) ||
    draft.account ||
    draft.source
  );
}

/** The service's name of the target, without its id. */
function getServiceTargetName({ known }: Draft): string {
  const knownText = known.find(({ label }) => label !== noAnswerText)?.text ?? '';
  return knownText.replace(/ \([^()]*\)$/, '');
}

/** Without the display name, which may be any text. */
function stripDisplayName(address: string): string {
  return /<([^<>]+)>\s*$/.exec(address)?.[1] ?? address;
}

/** A draft's own name: the subject, the summary, the file's name. */
export function getDraftHeadline(draft: Draft): string {
  const { payload } = draft;
  if (classifyPayload(payload) === 'other') return draft.preview.title;
  return (
    getPayloadText(payload, 'subject') ||
    getPayloadText(payload, 'summary') ||
    getPayloadText(payload, 'name') ||
    draft.preview.title
  );
}

/** The server's label for the reason of an unknown target. */
const noAnswerText = 'Not looked up';

type Tone = 'plain' | 'go' | 'wait' | 'stop';

/** A status in words for people. */
const statusWords: Record<DraftStatus, { label: string; tone: Tone }> = {
  pending: { label: 'Waiting', tone: 'wait' },
  confirming: { label: 'Sending', tone: 'wait' },
  confirmed: { label: 'Done', tone: 'go' },
  failed: { label: 'Failed', tone: 'stop' },
  ambiguous: { label: 'Maybe sent', tone: 'wait' },
  discarded: { label: 'Declined', tone: 'plain' },
  expired: { label: 'Expired', tone: 'plain' },
  stale: { label: 'Out of date', tone: 'plain' },
  undone: { label: 'Undone', tone: 'plain' },
};

/** The outcome of an action, by the first verb of its name. */
const doneWords: readonly (readonly [RegExp, string])[] = [
  [/^send_delete$/, 'Deleted'],
  [/^share_/, 'Shared'],
  [/^(send|reply|post|respond)_/, 'Sent'],
  [/^(create|add)_/, 'Created'],
  [/^(delete|trash|remove)_/, 'Deleted'],
  [/^(update|append|label|mark|archive|move)_/, 'Updated'],
];

/** The outcome in one word: Sent, Created, Updated. */
export function getOutcomeWord(action: string): string {
  return doneWords.find(([pattern]) => pattern.test(action))?.[1] ?? statusWords.confirmed.label;
}

/** The status of a draft in words for people; for an approved one, what was done. */
export function describeDraftStatus({ status, action }: Pick<Draft, 'status' | 'action'>): {
  label: string;
  tone: Tone;
} {
  const words = statusWords[status];
  return status === 'confirmed' ? { ...words, label: getOutcomeWord(action) } : words;
}

/** The labels of the answers about an unknown outcome. */
export const answerWords: Record<PersonsAnswer, string> = {
  it_happened: 'It happened',
  it_did_not: 'It did not',
  send_again: 'Draft again',
};

/** What happened to a decided draft and what to do now. */
export function describeOutcome({ status, action, error, nothing_was_sent }: Draft): string {
  const texts: Record<DraftStatus, string> = {
    pending: '',
    confirming: 'Sending. This page updates when it is done.',
    confirmed: `${getOutcomeWord(action)}.`,
    failed: `${nothing_was_sent ? 'Approved, but nothing was sent.' : 'Approved, but it failed.'} ${error ?? ''}`,
    ambiguous:
      'It may have been sent: the provider’s answer was lost. Thalamus is asking the provider, and never sends it twice. You can also check there yourself.',
    discarded: 'Declined. Nothing was sent.',
    expired: 'The draft expired before anybody approved it. Ask the agent to draft it again.',
    stale: error ?? 'Its target changed after it was drafted. Ask the agent to draft it again.',
    undone: 'Undone.',
  };
  return texts[status].trim();
}
