// How messages come in: as JSON with `raw`, or through the upload paths as bytes. And whose mailbox is meant.
import { z } from 'zod';
import type { Account } from '../accounts.ts';
import { createEntityNotFoundError, createInvalidArgumentError, createModernError } from '../errors.ts';
import { parseMime } from '../mime.ts';
import { getPathParameter, getTextParameter } from '../../kit/routing.ts';
import { checkBody, parseJsonBody } from '../routing.ts';
import type { ApiCall } from '../routing.ts';
import type { StoredMessage } from './mailbox.ts';

/** Scopes of Gmail, short. */
export const scope = {
  full: 'https://mail.google.com/',
  modify: 'https://www.googleapis.com/auth/gmail.modify',
  readonly: 'https://www.googleapis.com/auth/gmail.readonly',
  compose: 'https://www.googleapis.com/auth/gmail.compose',
  send: 'https://www.googleapis.com/auth/gmail.send',
  metadata: 'https://www.googleapis.com/auth/gmail.metadata',
  labels: 'https://www.googleapis.com/auth/gmail.labels',
} as const;

/** Scopes that let a client read message bodies. */
export const readScopes = [scope.full, scope.modify, scope.readonly] as const;

/** Scopes that let a client read at least headers. */
export const metadataScopes = [...readScopes, scope.metadata] as const;

/** Scopes that let a client write drafts. */
export const composeScopes = [scope.full, scope.modify, scope.compose] as const;

/** The fields of a Message in requests; output-only ones are accepted and ignored, as by Google. */
const messageInput = z.strictObject({
  raw: z.string().optional(),
  threadId: z.string().optional(),
  id: z.string().optional(),
  labelIds: z.array(z.string()).optional(),
  snippet: z.string().optional(),
  historyId: z.string().optional(),
  internalDate: z.string().optional(),
  payload: z.unknown().optional(),
  sizeEstimate: z.number().optional(),
  classificationLabelValues: z.unknown().optional(),
});

const draftInput = z.strictObject({ id: z.string().optional(), message: messageInput.optional() });

/** A message to send or to keep as a draft. */
export type IncomingMail = { raw?: Buffer; threadId?: string; draftId?: string };

/** The account of `:userId`; another one's address is refused. */
export function getMailAccount(call: ApiCall): Account {
  const user = getPathParameter(call, 'userId').toLowerCase();
  const { account } = call.caller;
  if (user === 'me' || user === account.email) return account;
  throw createModernError(403, { reason: 'forbidden', message: `Delegation denied for ${account.email}` });
}

/** A message by its id: 400 for what cannot be an id, 404 for an unknown one. */
export function getMailboxMessage(account: Account, id: string): StoredMessage {
  if (!/^[0-9a-f]{1,16}$/i.test(id)) throw createInvalidArgumentError('Invalid id value');
  const message = account.mailbox.messages.get(id);
  if (!message) throw createEntityNotFoundError();
  return message;
}

/** Decodes `raw`, in either base64 alphabet. */
function decodeRaw(raw: string): Buffer {
  if (!/^[A-Za-z0-9_\-+/\s]*={0,2}\s*$/.test(raw)) {
    throw createInvalidArgumentError(
      `Invalid value at 'message.raw' (TYPE_BYTES), Base64 decoding failed for "${raw.slice(0, 64)}"`,
    );
  }
  return Buffer.from(raw, 'base64');
}

function toIncomingMail(message: z.infer<typeof messageInput> | undefined): IncomingMail {
  return {
    ...(message?.raw ? { raw: decodeRaw(message.raw) } : {}),
    ...(message?.threadId ? { threadId: message.threadId } : {}),
  };
}

/** The body of `messages.send`. */
export function parseIncomingMessage(call: ApiCall): IncomingMail {
  if (call.url.pathname.startsWith('/upload/'))
    return parseUpload(call, (json) => toIncomingMail(checkBody(call.api, messageInput, json)));
  return toIncomingMail(parseJsonBody(call, messageInput));
}

/** The body of `drafts.create`, `update` and `send`. */
export function parseIncomingDraft(call: ApiCall): IncomingMail {
  const read = (draft: z.infer<typeof draftInput>): IncomingMail => ({
    ...toIncomingMail(draft.message),
    ...(draft.id ? { draftId: draft.id } : {}),
  });
  if (call.url.pathname.startsWith('/upload/'))
    return parseUpload(call, (json) => read(checkBody(call.api, draftInput, json)));
  return read(parseJsonBody(call, draftInput));
}

function parseUpload(call: ApiCall, readJson: (json: string) => IncomingMail): IncomingMail {
  const type = call.headers['content-type'] ?? '';
  const kind = getTextParameter(call, 'uploadType');
  if (kind === 'media') {
    if (!type.startsWith('message/')) throw createMediaTypeError(type);
    return { raw: call.body };
  }
  if (kind !== 'multipart' || !type.startsWith('multipart/related')) throw createMediaTypeError(type);
  const [metadata, media] = parseMime(Buffer.concat([Buffer.from(`Content-Type: ${type}\r\n\r\n`), call.body])).parts;
  if (!metadata || !media || !media.mimeType.startsWith('message/'))
    throw createMediaTypeError(media?.mimeType ?? type);
  return { ...readJson(metadata.content.toString('utf8')), raw: media.content };
}

function createMediaTypeError(type: string) {
  return createModernError(400, {
    reason: 'badContent',
    message: `Media type '${type}' is not supported. Valid media types: [message/*]`,
  });
}

/** The bytes, which every write needs. */
export function requireRaw(mail: IncomingMail): Buffer {
  if (mail.raw && mail.raw.length > 0) return mail.raw;
  throw createInvalidArgumentError(
    "'raw' RFC822 payload message string or uploading message via /upload/* URL required",
  );
}

/** Refuses a thread that is not there. */
export function checkThread(account: Account, threadId: string | undefined): void {
  if (threadId === undefined) return;
  if (!/^[0-9a-f]{1,16}$/i.test(threadId)) throw createInvalidArgumentError('Invalid thread_id value');
  if (!account.mailbox.byThread.has(threadId)) throw createEntityNotFoundError();
}
