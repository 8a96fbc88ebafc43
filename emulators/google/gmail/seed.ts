// Puts mail into a mailbox without sending it.
import type { Account } from '../accounts.ts';
import { composeMail, createMessageId } from '../compose.ts';
import type { MailInput } from '../compose.ts';
import { findHeader } from '../mime.ts';
import { findJoinedThread } from './deliver.ts';
import { addLabel } from './labels.ts';
import { insertMessage, parseMessageParts } from './mailbox.ts';
import type { StoredMessage } from './mailbox.ts';

/** A mail to seed. `to` is the account when absent; user labels are made when missing. */
export type SeedMail = Omit<MailInput, 'to'> & {
  to?: string | string[];
  /** Replaces the usual labels (INBOX and UNREAD, or SENT when the account wrote it). */
  labelIds?: string[];
  /** Names of user labels to add. */
  labels?: string[];
  read?: boolean;
  /** The message itself, instead of everything above but the labels. */
  raw?: Uint8Array;
  threadId?: string;
};

function ensureUserLabel(account: Account, name: string): string {
  const known = [...account.mailbox.labels.values()].find((label) => label.name === name);
  return (known ?? addLabel(account.mailbox, { name })).id;
}

/** Seeds one mail, in the thread its References name. */
export function seedMail(account: Account, mail: SeedMail, now: Date): StoredMessage {
  const raw = mail.raw ?? composeMail({ ...mail, to: mail.to ?? account.email, date: mail.date ?? now });
  const own = mail.from.toLowerCase().includes(account.email);
  const usual = own ? ['SENT'] : ['INBOX', 'CATEGORY_PERSONAL', ...(mail.read ? [] : ['UNREAD'])];
  const labels = (mail.labels ?? []).map((name) => ensureUserLabel(account, name));
  const threadId = mail.threadId ?? findJoinedThread(account.mailbox, raw);
  return insertMessage(account.mailbox, {
    raw,
    labelIds: [...new Set([...(mail.labelIds ?? usual), ...labels])],
    at: now,
    date: mail.date ?? now,
    ...(threadId ? { threadId } : {}),
  });
}

/** Seeds a conversation: every mail answers the one before, under the first one's subject. */
export function seedThread(account: Account, mails: SeedMail[], now: Date): StoredMessage[] {
  const seeded: StoredMessage[] = [];
  const references: string[] = [];
  for (const mail of mails) {
    const messageId = mail.messageId ?? createMessageId();
    const previous = references.at(-1);
    const first = seeded[0];
    const subject = first ? `Re: ${findHeader(parseMessageParts(first), 'Subject') ?? ''}` : mail.subject;
    const answering = previous ? { inReplyTo: previous, references: [...references] } : {};
    seeded.push(seedMail(account, { ...mail, ...answering, messageId, subject }, now));
    references.push(messageId);
  }
  return seeded;
}
