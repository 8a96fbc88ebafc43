// A mail about drafts, as plain text. What others or an agent wrote stands behind `> ` on a line of its own.
import { headingOf, type DraftRow } from '#modules/actions';
import type { About } from './store.ts';

/** `owner`: whose draft it is, who named the reader to decide about it; null: their own. */
export type Told = { draft: DraftRow; about: About; owner: string | null };

const longestWords = 160;
const mostShown = 20;

type Addresses = { publicUrl: string; email: string };

/** The mail of these drafts. It holds nothing that signs anybody in: whoever reads the mailbox, an agent too, could use it. */
export function mailOf(told: readonly Told[], addresses: Addresses): { subject: string; text: string } {
  const [only] = told;
  const { publicUrl, email } = addresses;
  const shown = told.slice(0, mostShown);
  const more = told.length - shown.length;
  const way = told.length === 1 && only ? `/inbox/${only.draft.id}` : '/inbox';
  const lines = [
    `${headline(told)}.`,
    '',
    ...shown.flatMap((each, position) => [...linesOf(each, told.length > 1 ? position + 1 : null), '']),
    ...(more ? [`And ${more} more.`, ''] : []),
    told.length === 1 ? 'Look at it and decide:' : 'Look at them and decide:',
    `${publicUrl}${way}`,
    '',
    `The link opens the console, where you sign in as ${email}. Opening it decides nothing.`,
    `You get such mails because you chose so: ${publicUrl}/approvals`,
  ];
  return { subject: headline(told), text: `${lines.join('\n')}\n` };
}

function headline(told: readonly Told[]): string {
  const unknown = told.filter(({ about }) => about === 'ambiguous').length;
  const waiting = told.length - unknown;
  if (!unknown) return waiting === 1 ? 'A draft waits for your yes' : `${waiting} drafts wait for your yes`;
  const lost = unknown === 1 ? 'a draft may have been sent' : `${unknown} drafts may have been sent`;
  if (!waiting) return `Nobody knows: ${lost}`;
  return `${waiting === 1 ? 'A draft waits' : `${waiting} drafts wait`} for your yes, and ${lost}`;
}

function linesOf({ draft, about, owner }: Told, position: number | null): string[] {
  const until = about === 'waiting' ? `Until ${momentOf(draft.expires_at)}` : 'It may have been sent; say what you see';
  const lines = [
    `> ${quotable(headingOf(draft))}`,
    ...(owner === null ? [] : ['For', `> ${quotable(owner)}`]),
    'Drafted by',
    `> ${quotable(draft.drafted_by_label)}`,
    'Through',
    `> ${cut(oneLine(draft.account))}`,
    `${until}.`,
  ];
  return position === null ? lines : [`${position}.`, ...lines];
}

/**
 * One line that can begin nothing of its own: no line end, no sign that hides or turns what stands beside it, and no address
 * that a mail program makes a link of; those of mail, which tell to whom something goes, stay as they are.
 */
export function quotable(words: string): string {
  const unlinked = oneLine(words)
    .split(' ')
    .map((word) => (mailAddress.test(word) ? word : unlinkedWord(word)));
  return cut(unlinked.join(' '));
}

function oneLine(words: string): string {
  return words.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

/** Nothing but an address, and what a sentence puts behind it. */
const mailAddress = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+[,;:]?$/;

/** `evil.example/in` is made a link of without a scheme, too. */
function unlinkedWord(word: string): string {
  return word
    .replaceAll('://', ': //')
    .replaceAll(/\bwww\./gi, 'www .')
    .replaceAll(/(?<=\S)([.\u3002\uFF0E\uFF61])(?=\p{L}{2})/gu, '$1 ');
}

function cut(line: string): string {
  const letters = [...line];
  return letters.length > longestWords ? `${letters.slice(0, longestWords - 1).join('')}…` : line;
}

function momentOf(at: Date): string {
  const text = at.toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`;
}
