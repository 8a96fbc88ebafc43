// Builds RFC 822 messages for seeding, as a mail program would.
import { randomBytes } from 'node:crypto';

/** A file carried by a mail. */
export type AttachmentInput = { filename: string; mimeType: string; content: string | Uint8Array };

/** What a seeded mail says. Addresses may carry names: `Ada Lovelace <ada@example.com>`. */
export type MailInput = {
  from: string;
  to: string | string[];
  cc?: string | string[];
  bcc?: string | string[];
  replyTo?: string;
  subject: string;
  text?: string;
  html?: string;
  attachments?: AttachmentInput[];
  date?: Date;
  /** With angle brackets; made up when absent. */
  messageId?: string;
  inReplyTo?: string;
  references?: string[];
  headers?: Record<string, string>;
};

function encodeWord(value: string): string {
  return /^[\x20-\x7E]*$/.test(value) ? value : `=?UTF-8?B?${Buffer.from(value).toString('base64')}?=`;
}

function encodeAddress(address: string): string {
  const named = /^(.*?)\s*<([^>]+)>$/.exec(address);
  if (!named) return address;
  const name = named[1] ?? '';
  const safe = /^[A-Za-z0-9 !#$%&'*+/=?^_`{|}~-]*$/.test(name) ? name : encodeName(name);
  return `${safe} <${named[2] ?? ''}>`;
}

function encodeName(name: string): string {
  return /^[\x20-\x7E]*$/.test(name) ? `"${name.replaceAll('"', '')}"` : encodeWord(name);
}

function formatAddressList(value: string | string[]): string {
  return [value].flat().map(encodeAddress).join(', ');
}

/** A new Message-ID of a foreign mail server. */
export function createMessageId(domain = 'mail.example.com'): string {
  return `<${randomBytes(12).toString('hex')}@${domain}>`;
}

// The cast picks an overload: Buffer.from takes text and bytes alike.
function formatBase64Lines(content: string | Uint8Array): string {
  return Buffer.from(content as Uint8Array)
    .toString('base64')
    .replaceAll(/.{76}/g, '$&\r\n');
}

function formatLeafPart(mimeType: string, content: string | Uint8Array, extra: string[] = []): string {
  return [
    `Content-Type: ${mimeType}`,
    'Content-Transfer-Encoding: base64',
    ...extra,
    '',
    formatBase64Lines(content),
  ].join('\r\n');
}

function formatMultipart(kind: string, parts: string[]): string {
  const boundary = `----=_Part_${randomBytes(9).toString('hex')}`;
  const body = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('');
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n${body}--${boundary}--\r\n`;
}

function formatMailBody(mail: MailInput): string {
  const texts = [
    ...(mail.text !== undefined || mail.html === undefined
      ? [formatLeafPart('text/plain; charset="UTF-8"', mail.text ?? '')]
      : []),
    ...(mail.html === undefined ? [] : [formatLeafPart('text/html; charset="UTF-8"', mail.html)]),
  ];
  const body = texts.length > 1 ? formatMultipart('alternative', texts) : (texts[0] ?? '');
  if (!mail.attachments?.length) return body;
  const files = mail.attachments.map((file) =>
    formatLeafPart(`${file.mimeType}; name="${encodeWord(file.filename)}"`, file.content, [
      `Content-Disposition: attachment; filename="${encodeWord(file.filename)}"`,
    ]),
  );
  return formatMultipart('mixed', [body, ...files]);
}

/** The bytes of a mail. */
export function composeMail(mail: MailInput): Buffer {
  const headers: [string, string | undefined][] = [
    ['Message-ID', mail.messageId ?? createMessageId()],
    ['Date', (mail.date ?? new Date()).toUTCString().replace('GMT', '+0000')],
    ['From', encodeAddress(mail.from)],
    ['To', formatAddressList(mail.to)],
    ['Cc', mail.cc && formatAddressList(mail.cc)],
    ['Bcc', mail.bcc && formatAddressList(mail.bcc)],
    ['Reply-To', mail.replyTo && encodeAddress(mail.replyTo)],
    ['Subject', encodeWord(mail.subject)],
    ['In-Reply-To', mail.inReplyTo],
    ['References', mail.references?.join(' ')],
    ...Object.entries(mail.headers ?? {}),
    ['MIME-Version', '1.0'],
  ];
  const head = headers.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : [])).join('\r\n');
  return Buffer.from(`${head}\r\n${formatMailBody(mail)}`);
}
