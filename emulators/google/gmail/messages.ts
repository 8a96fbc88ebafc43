// users.messages and users.getProfile.
import { z } from 'zod';
import type { Account } from '../accounts.ts';
import { createInvalidArgumentError, createModernError } from '../errors.ts';
import { getFlagParameter, getIntegerParameter, list, getPathParameter, getTextParameter } from '../../kit/routing.ts';
import { parseJsonBody, cutPage } from '../routing.ts';
import type { QueryRule } from '../../kit/routing.ts';
import type { Reply } from '../../kit/wire.ts';
import type { ApiCall, ApiRoute } from '../routing.ts';
import { findJoinedThread, sendRaw } from './deliver.ts';
import {
  checkThread,
  composeScopes,
  parseIncomingMessage,
  getMailAccount,
  getMailboxMessage,
  metadataScopes,
  readScopes,
  requireRaw,
  scope,
} from './input.ts';
import { listNewestFirst, relabel, removeMessage } from './mailbox.ts';
import type { StoredMessage } from './mailbox.ts';
import {
  findAttachmentPart,
  parseFormat,
  formats,
  buildMessageReference,
  buildGmailMessage,
  buildMessageStub,
} from './resource.ts';
import { parseSearch } from './search.ts';

const base = '/gmail/v1/users/:userId';

/** Parameters of every list of messages or threads. */
export const listQuery: Record<string, QueryRule> = {
  q: { type: 'string' },
  labelIds: { type: 'string', repeated: true },
  includeSpamTrash: { type: 'boolean' },
  maxResults: { type: 'integer' },
  pageToken: { type: 'string' },
};

/** Parameters of reading one message or thread. */
export const readQuery: Record<string, QueryRule> = {
  format: { type: 'string', values: formats },
  metadataHeaders: { type: 'string', repeated: true },
};

/** Whether the token may read headers only. */
function isMetadataOnly(call: ApiCall): boolean {
  return !call.caller.scopes.some((item) => (readScopes as readonly string[]).includes(item));
}

/** Refuses bodies to a token that may read headers only. */
export function checkFormat(call: ApiCall): void {
  const format = parseFormat(getTextParameter(call, 'format'));
  if (isMetadataOnly(call) && (format === 'full' || format === 'raw')) {
    throw createModernError(403, {
      reason: 'forbidden',
      message: `Metadata scope doesn't allow format ${format.toUpperCase()}`,
    });
  }
}

/** The page size: 100 by default, 500 at most. */
export function parsePageSize(call: ApiCall): number {
  return Math.min(500, Math.max(1, getIntegerParameter(call, 'maxResults', 100)));
}

/** The messages that `q`, `labelIds` and `includeSpamTrash` select, newest first. */
export function selectMessages(call: ApiCall, account: Account): StoredMessage[] {
  const q = getTextParameter(call, 'q');
  if (q !== undefined && isMetadataOnly(call)) {
    throw createModernError(403, { reason: 'forbidden', message: "Metadata scope does not support 'q' parameter" });
  }
  const labelIds = list(call, 'labelIds');
  checkLabels(account, labelIds);
  const search = parseSearch(q ?? '', { mailbox: account.mailbox, now: call.now, self: account.email });
  const hidden = ['TRASH', 'SPAM'].filter((label) => !labelIds.includes(label));
  const showHidden = getFlagParameter(call, 'includeSpamTrash') || search.anywhere;
  return listNewestFirst(account.mailbox).filter(
    (message) =>
      (showHidden || !hidden.some((label) => message.labelIds.includes(label))) &&
      labelIds.every((label) => message.labelIds.includes(label)) &&
      search.matches(message),
  );
}

/** Refuses labels the mailbox does not have. */
function checkLabels(account: Account, labelIds: string[]): void {
  for (const label of labelIds)
    if (!account.mailbox.labels.has(label)) throw createInvalidArgumentError(`Invalid label: ${label}`);
}

function listMessages(call: ApiCall): Reply {
  const found = selectMessages(call, getMailAccount(call));
  const { items, nextPageToken } = cutPage(call, found, parsePageSize(call));
  // Gmail leaves `messages` out when there is none.
  return {
    json: {
      ...(items.length > 0 ? { messages: items.map(buildMessageReference) } : {}),
      ...(nextPageToken ? { nextPageToken } : {}),
      resultSizeEstimate: found.length,
    },
  };
}

function getMessage(call: ApiCall): Reply {
  checkFormat(call);
  const message = getMailboxMessage(getMailAccount(call), getPathParameter(call, 'id'));
  return {
    json: buildGmailMessage(message, parseFormat(getTextParameter(call, 'format')), list(call, 'metadataHeaders')),
  };
}

function sendMessage(call: ApiCall): Reply {
  const account = getMailAccount(call);
  const mail = parseIncomingMessage(call);
  const raw = requireRaw(mail);
  checkThread(account, mail.threadId);
  const threadId = findJoinedThread(account.mailbox, raw, mail.threadId);
  const sent = sendRaw(call.world, call.effects, account, { raw, at: call.now, ...(threadId ? { threadId } : {}) });
  return { json: buildMessageStub(sent) };
}

const labelChange = z.strictObject({
  addLabelIds: z.array(z.string()).max(100).optional(),
  removeLabelIds: z.array(z.string()).max(100).optional(),
});

/** Reads and checks a change of labels. SENT and DRAFT belong to Gmail. */
function parseLabelChange(
  account: Account,
  body: { addLabelIds?: string[] | undefined; removeLabelIds?: string[] | undefined },
): { add: string[]; remove: string[] } {
  const add = body.addLabelIds ?? [];
  const remove = body.removeLabelIds ?? [];
  if (add.length + remove.length === 0) throw createInvalidArgumentError('No label add or removes specified');
  checkLabels(account, [...add, ...remove]);
  for (const label of [...add, ...remove]) {
    if (label === 'SENT' || label === 'DRAFT') throw createInvalidArgumentError(`Invalid label: ${label}`);
  }
  if (add.some((label) => remove.includes(label)))
    throw createInvalidArgumentError('Cannot both add and remove the same label');
  return { add, remove };
}

/** The body of a `modify`. */
export function readLabelChange(call: ApiCall, account: Account) {
  return parseLabelChange(account, parseJsonBody(call, labelChange));
}

function updateMessageLabels(call: ApiCall): Reply {
  const account = getMailAccount(call);
  const message = getMailboxMessage(account, getPathParameter(call, 'id'));
  const { add, remove } = readLabelChange(call, account);
  relabel(account.mailbox, message, add, remove);
  return { json: buildMessageStub(message) };
}

function updateLabelsInBatch(call: ApiCall): Reply {
  const account = getMailAccount(call);
  const body = parseJsonBody(call, labelChange.extend({ ids: z.array(z.string()).min(1).max(1000) }));
  const messages = body.ids.map((id) => getMailboxMessage(account, id));
  const { add, remove } = parseLabelChange(account, body);
  for (const message of messages) relabel(account.mailbox, message, add, remove);
  return { status: 204 };
}

function moveToTrash(call: ApiCall): Reply {
  const account = getMailAccount(call);
  const message = getMailboxMessage(account, getPathParameter(call, 'id'));
  relabel(account.mailbox, message, ['TRASH'], ['INBOX']);
  return { json: buildMessageStub(message) };
}

function takeFromTrash(call: ApiCall): Reply {
  const account = getMailAccount(call);
  const message = getMailboxMessage(account, getPathParameter(call, 'id'));
  relabel(account.mailbox, message, [], ['TRASH']);
  return { json: buildMessageStub(message) };
}

function deleteMessage(call: ApiCall): Reply {
  const account = getMailAccount(call);
  removeMessage(account.mailbox, getMailboxMessage(account, getPathParameter(call, 'id')));
  return { status: 204 };
}

function getAttachment(call: ApiCall): Reply {
  const message = getMailboxMessage(getMailAccount(call), getPathParameter(call, 'messageId'));
  const part = findAttachmentPart(message, getPathParameter(call, 'id'));
  if (!part) throw createInvalidArgumentError('Invalid attachment token');
  return { json: { size: part.content.length, data: part.content.toString('base64url') } };
}

function getProfile(call: ApiCall): Reply {
  const { email, mailbox } = getMailAccount(call);
  return {
    json: {
      emailAddress: email,
      messagesTotal: mailbox.messages.size,
      threadsTotal: mailbox.byThread.size,
      historyId: String(mailbox.historyId),
    },
  };
}

const modifyScopes = [scope.full, scope.modify];
const sendScopes = [...composeScopes, scope.send];
const uploadQuery: Record<string, QueryRule> = { uploadType: { type: 'string', required: true } };

/** The routes of messages. */
export const messageRoutes: ApiRoute[] = [
  {
    method: 'GET',
    path: `${base}/profile`,
    api: 'gmail',
    scopes: [...metadataScopes, scope.compose],
    handle: getProfile,
  },
  {
    method: 'GET',
    path: `${base}/messages`,
    api: 'gmail',
    scopes: metadataScopes,
    query: listQuery,
    handle: listMessages,
  },
  { method: 'POST', path: `${base}/messages/send`, api: 'gmail', scopes: sendScopes, handle: sendMessage },
  {
    method: 'POST',
    path: `/upload${base}/messages/send`,
    api: 'gmail',
    scopes: sendScopes,
    query: uploadQuery,
    handle: sendMessage,
  },
  {
    method: 'POST',
    path: `${base}/messages/batchModify`,
    api: 'gmail',
    scopes: modifyScopes,
    handle: updateLabelsInBatch,
  },
  {
    method: 'GET',
    path: `${base}/messages/:id`,
    api: 'gmail',
    scopes: metadataScopes,
    query: readQuery,
    handle: getMessage,
  },
  { method: 'DELETE', path: `${base}/messages/:id`, api: 'gmail', scopes: [scope.full], handle: deleteMessage },
  {
    method: 'POST',
    path: `${base}/messages/:id/modify`,
    api: 'gmail',
    scopes: modifyScopes,
    handle: updateMessageLabels,
  },
  { method: 'POST', path: `${base}/messages/:id/trash`, api: 'gmail', scopes: modifyScopes, handle: moveToTrash },
  { method: 'POST', path: `${base}/messages/:id/untrash`, api: 'gmail', scopes: modifyScopes, handle: takeFromTrash },
  {
    method: 'GET',
    path: `${base}/messages/:messageId/attachments/:id`,
    api: 'gmail',
    scopes: readScopes,
    handle: getAttachment,
  },
];
