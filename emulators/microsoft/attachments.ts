// The files of messages: read, added whole, and uploaded in pieces. https://learn.microsoft.com/graph/outlook-large-attachments
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { getPathParameter } from '../kit/routing.ts';
import type { IncomingRequest, Reply } from '../kit/wire.ts';
import {
  createBadRequestError,
  parseJsonBody,
  listQuery,
  listReply,
  createItemNotFoundError,
  createGraphError,
  type Call,
  type Route,
} from './routing.ts';
import { newId, touchMessage, type Attachment, type Message, type MicrosoftWorld } from './state.ts';

const smallest = 3_000_000;
const largest = 150_000_000;
const largestPiece = 4_000_000;

/** A file as it is given with a message or to one. */
export const attachment = z.strictObject({
  '@odata.type': z.literal('#microsoft.graph.fileAttachment'),
  name: z.string(),
  contentType: z.string().optional(),
  contentBytes: z.base64().max(4_000_000),
  isInline: z.boolean().optional(),
});

const session = z.strictObject({
  AttachmentItem: z.strictObject({
    attachmentType: z.literal('file'),
    name: z.string(),
    size: z.number().int().max(largest),
    contentType: z.string().optional(),
  }),
});

/** A file of a message, from what was given. */
export function createAttachment({ '@odata.type': _type, ...file }: z.infer<typeof attachment>): Attachment {
  return { contentType: 'application/octet-stream', isInline: false, ...file, id: newId('AAMkF') };
}

/** A file as Graph shows it. */
export function buildAttachmentResource(file: Attachment) {
  const size = Buffer.from(file.contentBytes, 'base64').length;
  return { '@odata.type': '#microsoft.graph.fileAttachment', ...file, size };
}

/** A message by its id or immutable id. */
export function getMailMessage(call: Call): Message {
  const id = getPathParameter(call, 'id');
  const found = call.account.messages.find((message) => message.id === id || message.immutableId === id);
  if (!found) throw createItemNotFoundError();
  return found;
}

function requireAttachment(call: Call): Attachment {
  const file = getMailMessage(call).attachments.find(({ id }) => id === getPathParameter(call, 'attachment'));
  if (!file) throw createItemNotFoundError();
  return file;
}

function getAttachment(call: Call): Reply {
  return { json: buildAttachmentResource(requireAttachment(call)) };
}

/** The raw contents (https://learn.microsoft.com/graph/api/attachment-get). */
function getAttachmentValue(call: Call): Reply {
  const { contentType, contentBytes } = requireAttachment(call);
  return { bytes: { contentType, content: Buffer.from(contentBytes, 'base64') } };
}

function requireUnsentMessage(call: Call): Message {
  const message = getMailMessage(call);
  if (!message.isDraft) throw createBadRequestError('Files are added to drafts.');
  return message;
}

function addAttachment(call: Call): Reply {
  const message = requireUnsentMessage(call);
  const file = createAttachment(parseJsonBody(call, attachment));
  message.attachments.push(file);
  touchMessage(call.world, call.account, message);
  return { status: 201, json: buildAttachmentResource(file) };
}

/** Small files get no upload session. The upload URL contains its credential. */
function createSession(call: Call): Reply {
  const message = requireUnsentMessage(call);
  const { size, name, contentType = 'application/octet-stream' } = parseJsonBody(call, session).AttachmentItem;
  if (size < smallest) throw createBadRequestError('ErrorAttachmentSizeShouldNotBeLessThanMinimumSize');
  const token = randomBytes(24).toString('base64url');
  const { email: account } = call.account;
  const upload = { account, messageId: message.immutableId, name, contentType, size, pieces: [] };
  call.world.data.uploads.set(token, upload);
  return {
    status: 201,
    json: {
      '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#microsoft.graph.uploadSession',
      uploadUrl: `${call.url.origin}/api/v2.0/AttachmentSessions('${newId()}')?authtoken=${token}`,
      expirationDateTime: new Date(call.now.getTime() + 3_600_000).toISOString(),
      nextExpectedRanges: ['0-'],
    },
  };
}

/** The next piece of a file, which comes without a token of the person's. The last one makes it a file of its message. */
export function putPiece(world: MicrosoftWorld, { url, headers, body }: IncomingRequest): Reply {
  const token = url.searchParams.get('authtoken') ?? '';
  const upload = world.data.uploads.get(token);
  if (!upload || headers.authorization !== undefined)
    throw createGraphError(401, 'InvalidAuthenticationToken', 'The session is not known, or a token came with it.');
  if (body.length === 0 || body.length >= largestPiece)
    throw createBadRequestError('A piece has to be smaller than 4 MB.');
  const have = upload.pieces.reduce((sum, piece) => sum + piece.length, 0);
  const range = `bytes ${have}-${have + body.length - 1}/${upload.size}`;
  if (headers['content-range'] !== range) throw createGraphError(416, 'ErrorInvalidRange', `Expected ${range}.`);
  upload.pieces.push(body);
  if (have + body.length < upload.size) return { json: { nextExpectedRanges: [`${have + body.length}`] } };
  world.data.uploads.delete(token);
  const account = world.data.accounts.get(upload.account);
  const message = account?.messages.find(({ immutableId }) => immutableId === upload.messageId);
  if (!account || !message) throw createItemNotFoundError();
  const { name, contentType } = upload;
  const contentBytes = Buffer.concat(upload.pieces).toString('base64');
  message.attachments.push({ id: newId('AAMkF'), name, contentType, contentBytes, isInline: false });
  touchMessage(world, account, message);
  return { status: 201, headers: { location: `${url.origin}/v1.0/me/messages/${message.id}/attachments` } };
}

const read = ['Mail.Read', 'Mail.ReadWrite'];
const write = ['Mail.ReadWrite'];
const base = '/v1.0/me/messages/:id/attachments';

/** The routes of files. */
export const createAttachmentRoutes: Route[] = [
  {
    method: 'GET',
    path: base,
    scopes: read,
    query: listQuery,
    handle: (call) => listReply(call, getMailMessage(call).attachments.map(buildAttachmentResource)),
  },
  { method: 'POST', path: base, scopes: write, handle: addAttachment },
  { method: 'POST', path: `${base}/createUploadSession`, scopes: write, handle: createSession },
  { method: 'GET', path: `${base}/:attachment`, scopes: read, handle: getAttachment },
  { method: 'GET', path: `${base}/:attachment/$value`, scopes: read, handle: getAttachmentValue },
];
