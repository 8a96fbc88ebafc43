// How Gmail shows a message in each format.
import { randomBytes } from 'node:crypto';
import { listParts, isAttachment, readPlainText } from '../mime.ts';
import type { MimePart } from '../mime.ts';
import { parseMessageParts } from './mailbox.ts';
import type { StoredMessage } from './mailbox.ts';

/** The formats of `messages.get`. */
export const formats = ['minimal', 'full', 'raw', 'metadata'] as const;

/** One of the formats. */
export type Format = (typeof formats)[number];

/** A format parameter that the route has checked; absent means full. */
export function parseFormat(value: string | undefined): Format {
  return formats.find((format) => format === value) ?? 'full';
}

function escapeHtml(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The first words, HTML-escaped, as Gmail gives them. */
export function buildSnippet(root: MimePart): string {
  const words = readPlainText(root).replaceAll(/\s+/g, ' ').trim();
  return escapeHtml(words.length > 200 ? words.slice(0, words.lastIndexOf(' ', 200)) : words);
}

/** Real attachment ids differ from one read to the next, so these carry a nonce; each one stays good. */
function createAttachmentId(message: StoredMessage, part: MimePart): string {
  return `ANGjdJ${Buffer.from(`${message.id}/${part.partId}/${randomBytes(24).toString('hex')}`).toString('base64url')}`;
}

/** The part an attachment id names, if it is an attachment of that message. */
export function findAttachmentPart(message: StoredMessage, id: string): MimePart | undefined {
  if (!id.startsWith('ANGjdJ')) return undefined;
  const [messageId, partId] = Buffer.from(id.slice(6), 'base64url').toString().split('/');
  if (messageId !== message.id) return undefined;
  return listParts(parseMessageParts(message)).find((part) => part.partId === partId && isAttachment(part));
}

function buildPayload(message: StoredMessage, part: MimePart): unknown {
  const body = isAttachment(part)
    ? { attachmentId: createAttachmentId(message, part), size: part.content.length }
    : {
        size: part.content.length,
        ...(part.content.length > 0 ? { data: part.content.toString('base64url') } : {}),
      };
  return {
    partId: part.partId,
    mimeType: part.mimeType,
    filename: part.filename,
    headers: part.headers,
    body,
    ...(part.parts.length > 0 ? { parts: part.parts.map((item) => buildPayload(message, item)) } : {}),
  };
}

function buildMetadata(root: MimePart, wanted: string[]): unknown {
  const names = wanted.map((name) => name.toLowerCase());
  const headers =
    names.length === 0 ? root.headers : root.headers.filter((header) => names.includes(header.name.toLowerCase()));
  return { mimeType: root.mimeType, headers };
}

/** A message resource. `metadataHeaders` narrows the metadata format. */
export function buildGmailMessage(message: StoredMessage, format: Format, metadataHeaders: string[] = []) {
  const root = parseMessageParts(message);
  return {
    id: message.id,
    threadId: message.threadId,
    labelIds: message.labelIds,
    snippet: buildSnippet(root),
    ...(format === 'full' ? { payload: buildPayload(message, root) } : {}),
    ...(format === 'metadata' ? { payload: buildMetadata(root, metadataHeaders) } : {}),
    sizeEstimate: message.raw.length,
    historyId: String(message.historyId),
    internalDate: String(message.internalDate),
    ...(format === 'raw' ? { raw: Buffer.from(message.raw).toString('base64url') } : {}),
  };
}

/** What writes answer: the ids and the labels. */
export function buildMessageStub(message: StoredMessage) {
  return { id: message.id, threadId: message.threadId, labelIds: message.labelIds };
}

/** What lists carry. */
export function buildMessageReference(message: StoredMessage) {
  return { id: message.id, threadId: message.threadId };
}
