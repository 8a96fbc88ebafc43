import type { Attachment } from '#kernel/page';
import {
  decodeHeader,
  formatMailbox,
  readAddresses,
  readMailWords,
  readPartText,
  type MailPart,
  type TextParameters,
} from '#platform/mime';
import { z } from 'zod';
import { readHtmlText } from '#providers/reading';

type MessagePart = {
  partId?: string | undefined;
  mimeType?: string | undefined;
  filename?: string | undefined;
  headers?: { name: string; value: string }[] | undefined;
  body?: { attachmentId?: string | undefined; size?: number | undefined; data?: string | undefined } | undefined;
  parts?: MessagePart[] | undefined;
};

const part: z.ZodType<MessagePart> = z.object({
  partId: z.string().optional(),
  mimeType: z.string().optional(),
  filename: z.string().optional(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
  body: z
    .object({ attachmentId: z.string().optional(), size: z.number().optional(), data: z.string().optional() })
    .optional(),
  get parts() {
    return z.array(part).optional();
  },
});

/** The used fields of a Gmail API message in the format `full`. */
export const gmailMessage = z.object({
  id: z.string(),
  labelIds: z.array(z.string()).default([]),
  /** Milliseconds since 1970, as text. */
  internalDate: z.string(),
  payload: part,
});
type GmailMessage = z.output<typeof gmailMessage>;

/** A mail in its readable parts. */
export type Mail = {
  id: string;
  labelIds: string[];
  date: Date;
  subject: string;
  from: string;
  to: string[];
  cc: string[];
  text: string;
  attachments: Attachment[];
};

/** Reads a message: its decoded headers, its words, the list of its files. */
export async function readMail({ id, labelIds, internalDate, payload }: GmailMessage): Promise<Mail> {
  const header = (name: string) => payload.headers?.find((each) => each.name.toLowerCase() === name)?.value ?? '';
  return {
    id,
    labelIds,
    date: new Date(Number(internalDate)),
    subject: decodeHeader(header('subject')).trim(),
    from: formatAddresses(header('from'))[0] ?? '',
    to: formatAddresses(header('to')),
    cc: formatAddresses(header('cc')),
    text: await readMailWords(buildMailPart(payload), readHtmlText),
    attachments: listLeaves(payload).flatMap((leaf) => buildAttachment(leaf, id)),
  };
}

/** The part of a message with this id. */
export function findPart(payload: MessagePart, partId: string): MessagePart | undefined {
  return listLeaves(payload).find((leaf) => (leaf.partId ?? '') === partId);
}

/** An attached mail is one file where Gmail returns it as one. */
function listLeaves(whole: MessagePart): MessagePart[] {
  const isFileOfMail = whole.mimeType?.toLowerCase() === 'message/rfc822' && whole.body?.attachmentId !== undefined;
  return whole.parts?.length && !isFileOfMail ? whole.parts.flatMap(listLeaves) : [whole];
}

/** A part with a name, or without inline content, is a file, whatever its type. */
function isFile(leaf: MessagePart): boolean {
  return Boolean(leaf.filename) || leaf.body?.attachmentId !== undefined;
}

/** Small files may come with the message; all others are fetched separately. */
function buildAttachment(leaf: MessagePart, messageId: string): Attachment[] {
  const { partId = '', body, mimeType = 'application/octet-stream' } = leaf;
  const isNested = mimeType.toLowerCase() === 'message/rfc822';
  const hasContent = body?.attachmentId !== undefined || body?.data !== undefined;
  if (!(leaf.filename || isNested) || !hasContent) return [];
  return [
    {
      ref: `${messageId}/${partId}`,
      filename: decodeHeader(leaf.filename ?? '') || 'mail.eml',
      mime_type: readContentType(leaf) ?? mimeType,
      size: body.size ?? 0,
      message_id: messageId,
      handle: { message_id: messageId, part_id: partId, attachment_id: body.attachmentId ?? null },
      ...(body.attachmentId === undefined && { content: Buffer.from(body.data ?? '', 'base64url') }),
    },
  ];
}

/** The type with its charset, without the file name. */
function readContentType({ headers = [], mimeType }: MessagePart): string | undefined {
  const { charset } = readParameters(headers);
  return mimeType && charset ? `${mimeType}; charset=${charset}` : mimeType;
}

function formatAddresses(header: string): string[] {
  return readAddresses(header).map(formatMailbox);
}

function buildMailPart(whole: MessagePart): MailPart {
  const { mimeType = 'text/plain', headers = [], parts = [] } = whole;
  const type = mimeType.toLowerCase();
  return {
    type,
    isFile: parts.length === 0 && isFile(whole),
    hasContentId: headers.some(({ name }) => name.toLowerCase() === 'content-id'),
    parts: parts.map(buildMailPart),
    readText: () => readPartText(Buffer.from(whole.body?.data ?? '', 'base64url'), type, readParameters(headers)),
  };
}

function readParameters(headers: NonNullable<MessagePart['headers']>): TextParameters {
  const type = headers.find((each) => each.name.toLowerCase() === 'content-type')?.value ?? '';
  const find = (parameter: RegExp) => parameter.exec(type)?.[1];
  return {
    charset: find(/charset="?([^\s";]+)/i),
    format: find(/format="?([^\s";]+)/i),
    delsp: find(/delsp="?([^\s";]+)/i),
  };
}
