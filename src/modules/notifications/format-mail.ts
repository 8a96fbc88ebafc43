// A mail about drafts, as plain text. Text of others or of an agent follows `> ` on its own line.
import { replaceUnseen } from '#kernel/unseen';
import { formatDangerLine, formatHeading, formatUtcTime, formatSignature, type DraftRow } from '#modules/actions';
import type { NoticeReason } from './store/draft-mails.ts';

/** `owner`: the owner of the draft, if they delegated the decision to the reader; null: the reader is the owner. */
export type MailedDraft = { draft: DraftRow; about: NoticeReason; owner: string | null };

const longestWords = 160;
const longestSignature = 320;
const mostShown = 20;

type Addresses = { publicUrl: string; email: string };

/** The mail about these drafts. It has no sign-in token, because agents may read the mailbox. */
export function buildDraftMail(
  drafts: readonly MailedDraft[],
  addresses: Addresses,
): { subject: string; text: string } {
  const [only] = drafts;
  const { publicUrl, email } = addresses;
  const shown = drafts.slice(0, mostShown);
  const more = drafts.length - shown.length;
  const way = drafts.length === 1 && only ? `/inbox/${only.draft.id}` : '/inbox';
  const lines = [
    `${formatHeadline(drafts)}.`,
    '',
    ...shown.flatMap((each, position) => [...formatDraftLines(each, drafts.length > 1 ? position + 1 : null), '']),
    ...(more ? [`And ${more} more.`, ''] : []),
    drafts.length === 1 ? 'Open it to decide:' : 'Open them to decide:',
    `${publicUrl}${way}`,
    '',
    `The link opens the console, where you sign in as ${email}. Opening the link decides nothing.`,
    `Change how you are notified: ${publicUrl}/account/notifications`,
  ];
  return { subject: formatHeadline(drafts), text: `${lines.join('\n')}\n` };
}

function formatHeadline(drafts: readonly MailedDraft[]): string {
  const unknown = drafts.filter(({ about }) => about === 'ambiguous').length;
  const waiting = drafts.length - unknown;
  const waits = waiting === 1 ? 'A draft waits for your approval' : `${waiting} drafts wait for your approval`;
  if (!unknown) return waits;
  const lost = unknown === 1 ? 'draft may have been sent' : 'drafts may have been sent';
  if (!waiting) return unknown === 1 ? `A ${lost}` : `${unknown} ${lost}`;
  return `${waits}, and ${unknown} ${lost}`;
}

function formatDraftLines({ draft, about, owner }: MailedDraft, position: number | null): string[] {
  const danger = formatDangerLine(draft);
  const lines = [
    ...(danger === null ? [] : [danger]),
    `> ${toQuotable(formatHeading(draft))}`,
    `> ${toQuotable(formatSignature(draft, owner), longestSignature)}`,
    about === 'waiting'
      ? `It waits until ${formatUtcTime(draft.expires_at)}.`
      : 'It may have been sent. Check, and answer at the console.',
  ];
  return position === null ? lines : [`${position}.`, ...lines];
}

/**
 * One line that cannot imitate the mail's structure: without line ends, without characters that hide or reorder text,
 * and without addresses that a mail program turns into links. Mail addresses stay, because they show the recipients.
 */
export function toQuotable(words: string, longest = longestWords): string {
  const unlinked = toOneLine(words)
    .split(' ')
    .map((word) => (mailAddress.test(word) ? word : unlinkWord(word)));
  return cut(unlinked.join(' '), longest);
}

function toOneLine(words: string): string {
  return replaceUnseen(words, () => ' ')
    .replaceAll(/[\p{Co}\s]+/gu, ' ')
    .trim();
}

/** Only an address, and the punctuation of a sentence after it. */
const mailAddress = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+[.,;:]?$/;

/** Mail programs also turn `evil.example/in` into a link, without a scheme. */
function unlinkWord(word: string): string {
  return word
    .replaceAll('://', ': //')
    .replaceAll(/\bwww\./gi, 'www .')
    .replaceAll(/(?<=\S)([.\u3002\uFF0E\uFF61])(?=\p{L}{2})/gu, '$1 ');
}

function cut(line: string, longest: number): string {
  const letters = [...line];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : line;
}
