// Files of a request to send a mail: given as bytes, or taken from a page.
import type { Action } from '#kernel/action';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { countAttachedBytes, listPageFiles, keepBytes, type RetainedFile } from '#modules/pages';
import { z } from 'zod';
import { type AttachedFile, mostFiles, formatSize } from '#providers/writing';

const mostBytes = 10_000_000;
/**
 * Longer base64 is not decoded. Files that are only slightly too large are decoded, so that the error can name them.
 */
const mostLetters = Math.ceil(mostBytes / 3) * 4 + 100_000;

/** The most bytes of a request: all files in base64, and the JSON around them. */
export const mostOfRequest = mostFiles * mostLetters + 1_000_000;

/** Files in the input. */
export const givenFiles = z
  .array(
    z.strictObject({
      filename: z
        .string()
        .trim()
        .min(1)
        .max(255)
        .regex(/^[^/\\\p{Cc}]+$/u, 'must be the name of a file, without a folder'),
      content_base64: z
        .string()
        .min(1, 'must not be empty')
        .max(mostLetters, `is larger than ${formatSize(mostBytes)}, which is the most for a file`),
      mime_type: z
        .string()
        .max(255)
        .regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a type such as application/pdf')
        .optional()
        .describe('Default: application/octet-stream.'),
    }),
  )
  .max(mostFiles);
type GivenFiles = z.output<typeof givenFiles>;

/** The request and its action; `room`: how many more bytes of files the workspace may store. */
type FileRequest = {
  action: Action;
  request: { attachments?: GivenFiles | undefined; attach_from_page?: string | undefined };
  payload: Record<string, unknown>;
  room: number;
};

/**
 * Stores the files of a request for its draft, and returns the payload with their hashes, which bind the stored bytes.
 * Throws when the action sends no files.
 */
export async function withFiles(
  ctx: Context,
  { action, request: { attachments = [], attach_from_page: page }, payload, room }: FileRequest,
): Promise<{ files: RetainedFile[]; payload: Record<string, unknown> }> {
  if ('attachments' in payload)
    throw new AppError('invalid_input', 'input.attachments: pass attachments beside input, not inside it.');
  if (!attachments.length && page === undefined) return { files: [], payload };
  if (!('attachments' in action.payload.shape)) {
    const message = `attachments: ${action.name} (${action.source}) sends no files. Only mails at Gmail and Outlook do.`;
    throw new AppError('invalid_input', message);
  }
  const files = await takeFiles(ctx, { attachments, page, room });
  return { files, payload: { ...payload, attachments: toAttachedFiles(files) } };
}

async function takeFiles(
  ctx: Context,
  { attachments, page, room }: { attachments: GivenFiles; page: string | undefined; room: number },
): Promise<RetainedFile[]> {
  const ofPage = page === undefined ? [] : await listSendableFiles(ctx, page);
  if (attachments.length + ofPage.length > mostFiles) {
    const count = attachments.length + ofPage.length;
    throw new AppError('invalid_input', `attachments: ${count} files were passed, and a mail may have ${mostFiles}.`);
  }
  const decoded = attachments.map((file) => ({ ...file, bytes: decodeFile(file) }));
  const size = decoded.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size && (await countAttachedBytes(ctx.db)) + size > room)
    throw new AppError('plan_limit', 'There is no room for more files in this workspace.');
  const given: RetainedFile[] = [];
  for (const { bytes, filename, mime_type } of decoded) {
    const kept = { id: ctx.newId(), workspaceId: ctx.caller.workspaceId, at: ctx.now };
    const sha256 = await keepBytes(ctx.db, kept, bytes);
    given.push({ filename, mime_type: toSendableType(mime_type), size: bytes.length, sha256 });
  }
  return [...given, ...ofPage];
}

/** The files in a draft's payload. */
function toAttachedFiles(files: readonly RetainedFile[]): AttachedFile[] {
  return files.map(({ sha256, ...file }) => ({ ...file, sha256: sha256.toString('hex') }));
}

function decodeFile({ filename, content_base64: text }: GivenFiles[number]): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  // The decoder skips characters that are not base64, so the length of its result shows them.
  if (text.length % 4 !== 0 || bytes.length !== (text.length / 4) * 3 - padding)
    throw new AppError('invalid_input', `attachments: ${filename} is not valid base64.`);
  checkSize(filename, bytes.length);
  return bytes;
}

function checkSize(filename: string, size: number): void {
  if (size <= mostBytes) return;
  const message = `${filename} is ${formatSize(size)}; a file may have at most ${formatSize(mostBytes)}.`;
  throw new AppError('payload_too_large', message, { filename, max_bytes: mostBytes });
}

async function listSendableFiles(ctx: Context, slug: string): Promise<RetainedFile[]> {
  if (!ctx.caller.scopes.has('pages:read'))
    throw new AppError('forbidden', 'attach_from_page: this key may not read pages (scope pages:read).');
  const { type, stored, all } = await listPageFiles(ctx, slug);
  if (type !== 'email') throw new AppError('invalid_input', `attach_from_page: ${slug} is not the page of a mail.`);
  if (!all) throw new AppError('invalid_input', `attach_from_page: no file came with ${slug}.`);
  if (stored.length < all) {
    const missing = all - stored.length;
    throw new AppError('conflict', `attach_from_page: of the files of ${slug}, ${missing} of ${all} are not stored.`);
  }
  for (const { filename, size } of stored) checkSize(filename, size);
  return stored.map((file) => ({
    ...file,
    filename: file.filename || 'attachment',
    mime_type: toSendableType(file.mime_type),
  }));
}

/** A mail inside a mail may not be encoded (RFC 2046, section 5.2.1): it is sent as a file. */
function toSendableType(mimeType = ''): string {
  return /^(message|multipart)\/|^$/i.test(mimeType) ? 'application/octet-stream' : mimeType;
}
