// Sending: what Gmail does to a mail on its way out, where it files it, and its delivery to the accounts here.
import { randomBytes } from 'node:crypto';
import type { Account, World } from '../accounts.ts';
import { invalidArgument } from '../errors.ts';
import type { Effects, SentMail } from '../ledger.ts';
import { addressesIn, allParts, headerOf, isAttachment, parseMime, rawHeaderOf, textOf, withHeaders } from '../mime.ts';
import type { MimePart } from '../mime.ts';
import { insertMessage, messagesNamed, partsOf } from './mailbox.ts';
import type { Mailbox, StoredMessage } from './mailbox.ts';

/** Gmail's own Message-ID, which replaces whatever the client wrote. */
function gmailMessageId(): string {
  return `<CA${randomBytes(24).toString('base64url').replaceAll(/[_-]/g, '+')}@mail.gmail.com>`;
}

function rfc822Date(at: Date): string {
  return at.toUTCString().replace('GMT', '+0000');
}

/** A client's message as Gmail keeps it: its own Message-ID, the account as sender, a date. */
export function adoptRaw(account: Account, raw: Uint8Array, at: Date): Buffer {
  const root = parseMime(raw);
  const from = rawHeaderOf(root, 'From');
  const ownSender = addressesIn(from)[0] === account.email;
  return withHeaders(raw, {
    ...(headerOf(root, 'MIME-Version') ? {} : { 'MIME-Version': '1.0' }),
    ...(headerOf(root, 'Date') ? {} : { Date: rfc822Date(at) }),
    'Message-ID': gmailMessageId(),
    ...(ownSender ? {} : { From: `${account.name} <${account.email}>` }),
  });
}

function plainSubject(root: MimePart): string {
  return (headerOf(root, 'Subject') ?? '')
    .replace(/^\s*((re|fwd?|aw|wg)\s*:\s*)+/i, '')
    .trim()
    .toLowerCase();
}

function referencedIds(root: MimePart): string[] {
  return `${headerOf(root, 'References') ?? ''} ${headerOf(root, 'In-Reply-To') ?? ''}`.match(/<[^<>\s]+>/g) ?? [];
}

/**
 * The thread a message joins, or undefined for a new one. Gmail joins only when References or In-Reply-To name a
 * message of the thread and the subjects match; asking for a thread by id does not replace that.
 */
export function joinedThread(mailbox: Mailbox, raw: Uint8Array, asked?: string): string | undefined {
  const root = partsOf({ raw });
  const subject = plainSubject(root);
  return messagesNamed(mailbox, referencedIds(root)).find(
    (message) => (asked === undefined || message.threadId === asked) && plainSubject(partsOf(message)) === subject,
  )?.threadId;
}

/** The recipients. Throws Gmail's 400 without recipients, or for an invalid address. */
export function recipientsOf(root: MimePart): string[] {
  const all = new Set<string>();
  for (const header of ['To', 'Cc', 'Bcc']) {
    for (const address of addressesIn(rawHeaderOf(root, header))) {
      if (!/^[^\s@<>]+@[^\s@<>]+$/.test(address)) throw invalidArgument(`Invalid ${header} header`);
      all.add(address);
    }
  }
  if (all.size === 0) throw invalidArgument('Recipient address required');
  return [...all];
}

function sentMail(account: Account, message: StoredMessage, at: Date, draftId?: string): SentMail {
  const root = partsOf(message);
  return {
    at,
    account: account.email,
    id: message.id,
    threadId: message.threadId,
    ...(draftId ? { draftId } : {}),
    messageIdHeader: headerOf(root, 'Message-ID') ?? '',
    from: headerOf(root, 'From') ?? '',
    to: addressesIn(rawHeaderOf(root, 'To')),
    cc: addressesIn(rawHeaderOf(root, 'Cc')),
    bcc: addressesIn(rawHeaderOf(root, 'Bcc')),
    subject: headerOf(root, 'Subject') ?? '',
    text: textOf(root, 'text/plain'),
    html: textOf(root, 'text/html'),
    attachments: allParts(root)
      .filter(isAttachment)
      .map((part) => ({ filename: part.filename, mimeType: part.mimeType, size: part.content.length })),
    raw: Buffer.from(message.raw).toString('utf8'),
  };
}

/** Sends: files the mail under SENT, delivers it to the accounts here, and notes it as sent. */
export function sendRaw(
  world: World,
  effects: Effects,
  account: Account,
  outgoing: { raw: Uint8Array; threadId?: string; draftId?: string; at: Date },
): StoredMessage {
  const recipients = recipientsOf(parseMime(outgoing.raw));
  const raw = adoptRaw(account, outgoing.raw, outgoing.at);
  const toSelf = recipients.includes(account.email);
  const message = insertMessage(account.mailbox, {
    raw,
    labelIds: toSelf ? ['UNREAD', 'SENT', 'INBOX'] : ['SENT'],
    at: outgoing.at,
    ...(outgoing.threadId ? { threadId: outgoing.threadId } : {}),
  });
  for (const address of recipients) {
    const receiver = world.data.accounts.get(address);
    if (receiver && receiver !== account) deliver(receiver, raw, outgoing.at);
  }
  effects.sent.push(sentMail(account, message, outgoing.at, outgoing.draftId));
  return message;
}

/** Puts a mail into an inbox, without Bcc, in the thread it answers. */
function deliver(receiver: Account, raw: Uint8Array, at: Date): StoredMessage {
  const arrived = withHeaders(raw, { 'Delivered-To': receiver.email, 'Return-Path': returnPath(raw), Bcc: null });
  const threadId = joinedThread(receiver.mailbox, arrived);
  return insertMessage(receiver.mailbox, {
    raw: arrived,
    labelIds: ['UNREAD', 'IMPORTANT', 'CATEGORY_PERSONAL', 'INBOX'],
    at,
    ...(threadId ? { threadId } : {}),
  });
}

function returnPath(raw: Uint8Array): string {
  return `<${addressesIn(rawHeaderOf(parseMime(raw), 'From'))[0] ?? ''}>`;
}
