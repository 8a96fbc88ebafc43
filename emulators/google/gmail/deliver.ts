// Sending: what Gmail does to a mail on its way out, where it files it, and its delivery to the accounts here.
import { randomBytes } from 'node:crypto';
import type { Account, World } from '../accounts.ts';
import { createInvalidArgumentError } from '../errors.ts';
import type { Effects, SentMail } from '../ledger.ts';
import {
  parseAddresses,
  listParts,
  findHeader,
  isAttachment,
  parseMime,
  findRawHeader,
  readInlineText,
  withHeaders,
} from '../mime.ts';
import type { MimePart } from '../mime.ts';
import { insertMessage, listMessagesByIds, parseMessageParts } from './mailbox.ts';
import type { Mailbox, StoredMessage } from './mailbox.ts';

/** Gmail's own Message-ID, which replaces whatever the client wrote. */
function createGmailMessageId(): string {
  return `<CA${randomBytes(24).toString('base64url').replaceAll(/[_-]/g, '+')}@mail.gmail.com>`;
}

function formatMailDate(at: Date): string {
  return at.toUTCString().replace('GMT', '+0000');
}

/** A client's message as Gmail keeps it: its own Message-ID, the account as sender, a date. */
export function adoptRaw(account: Account, raw: Uint8Array, at: Date): Buffer {
  const root = parseMime(raw);
  const from = findRawHeader(root, 'From');
  const ownSender = parseAddresses(from)[0] === account.email;
  return withHeaders(raw, {
    ...(findHeader(root, 'MIME-Version') ? {} : { 'MIME-Version': '1.0' }),
    ...(findHeader(root, 'Date') ? {} : { Date: formatMailDate(at) }),
    'Message-ID': createGmailMessageId(),
    ...(ownSender ? {} : { From: `${account.name} <${account.email}>` }),
  });
}

function normalizeSubject(root: MimePart): string {
  return (findHeader(root, 'Subject') ?? '')
    .replace(/^\s*((re|fwd?|aw|wg)\s*:\s*)+/i, '')
    .trim()
    .toLowerCase();
}

function parseReferencedIds(root: MimePart): string[] {
  return `${findHeader(root, 'References') ?? ''} ${findHeader(root, 'In-Reply-To') ?? ''}`.match(/<[^<>\s]+>/g) ?? [];
}

/**
 * The thread a message joins, or undefined for a new one. Gmail joins only when References or In-Reply-To name a
 * message of the thread and the subjects match; asking for a thread by id does not replace that.
 */
export function findJoinedThread(mailbox: Mailbox, raw: Uint8Array, asked?: string): string | undefined {
  const root = parseMessageParts({ raw });
  const subject = normalizeSubject(root);
  return listMessagesByIds(mailbox, parseReferencedIds(root)).find(
    (message) =>
      (asked === undefined || message.threadId === asked) && normalizeSubject(parseMessageParts(message)) === subject,
  )?.threadId;
}

/** The recipients. Throws Gmail's 400 without recipients, or for an invalid address. */
export function parseRecipients(root: MimePart): string[] {
  const all = new Set<string>();
  for (const header of ['To', 'Cc', 'Bcc']) {
    for (const address of parseAddresses(findRawHeader(root, header))) {
      if (!/^[^\s@<>]+@[^\s@<>]+$/.test(address)) throw createInvalidArgumentError(`Invalid ${header} header`);
      all.add(address);
    }
  }
  if (all.size === 0) throw createInvalidArgumentError('Recipient address required');
  return [...all];
}

function buildSentMail(account: Account, message: StoredMessage, at: Date, draftId?: string): SentMail {
  const root = parseMessageParts(message);
  return {
    at,
    account: account.email,
    id: message.id,
    threadId: message.threadId,
    ...(draftId ? { draftId } : {}),
    messageIdHeader: findHeader(root, 'Message-ID') ?? '',
    from: findHeader(root, 'From') ?? '',
    to: parseAddresses(findRawHeader(root, 'To')),
    cc: parseAddresses(findRawHeader(root, 'Cc')),
    bcc: parseAddresses(findRawHeader(root, 'Bcc')),
    subject: findHeader(root, 'Subject') ?? '',
    text: readInlineText(root, 'text/plain'),
    html: readInlineText(root, 'text/html'),
    attachments: listParts(root)
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
  const recipients = parseRecipients(parseMime(outgoing.raw));
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
  effects.sent.push(buildSentMail(account, message, outgoing.at, outgoing.draftId));
  return message;
}

/** Puts a mail into an inbox, without Bcc, in the thread it answers. */
function deliver(receiver: Account, raw: Uint8Array, at: Date): StoredMessage {
  const arrived = withHeaders(raw, { 'Delivered-To': receiver.email, 'Return-Path': returnPath(raw), Bcc: null });
  const threadId = findJoinedThread(receiver.mailbox, arrived);
  return insertMessage(receiver.mailbox, {
    raw: arrived,
    labelIds: ['UNREAD', 'IMPORTANT', 'CATEGORY_PERSONAL', 'INBOX'],
    at,
    ...(threadId ? { threadId } : {}),
  });
}

function returnPath(raw: Uint8Array): string {
  return `<${parseAddresses(findRawHeader(parseMime(raw), 'From'))[0] ?? ''}>`;
}
