// users.messages and users.getProfile.
import { z } from 'zod';
import type { Account } from '../accounts.ts';
import { invalidArgument, modernError } from '../errors.ts';
import { flag, integer, list, param, text } from '../../kit/routing.ts';
import { jsonBody, page } from '../routing.ts';
import type { QueryRule } from '../../kit/routing.ts';
import type { Reply } from '../../kit/wire.ts';
import type { ApiCall, ApiRoute } from '../routing.ts';
import { joinedThread, sendRaw } from './deliver.ts';
import {
  checkThread,
  composeScopes,
  incomingMessage,
  mailAccount,
  messageOf,
  metadataScopes,
  readScopes,
  requiredRaw,
  scope,
} from './input.ts';
import { newestFirst, relabel, removeMessage } from './mailbox.ts';
import type { StoredMessage } from './mailbox.ts';
import { attachmentOf, formatOf, formats, messageReference, messageResource, messageStub } from './resource.ts';
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
  const format = formatOf(text(call, 'format'));
  if (isMetadataOnly(call) && (format === 'full' || format === 'raw')) {
    throw modernError(403, {
      reason: 'forbidden',
      message: `Metadata scope doesn't allow format ${format.toUpperCase()}`,
    });
  }
}

/** The page size: 100 by default, 500 at most. */
export function pageSize(call: ApiCall): number {
  return Math.min(500, Math.max(1, integer(call, 'maxResults', 100)));
}

/** The messages that `q`, `labelIds` and `includeSpamTrash` select, newest first. */
export function selectMessages(call: ApiCall, account: Account): StoredMessage[] {
  const q = text(call, 'q');
  if (q !== undefined && isMetadataOnly(call)) {
    throw modernError(403, { reason: 'forbidden', message: "Metadata scope does not support 'q' parameter" });
  }
  const labelIds = list(call, 'labelIds');
  checkLabels(account, labelIds);
  const search = parseSearch(q ?? '', { mailbox: account.mailbox, now: call.now, self: account.email });
  const hidden = ['TRASH', 'SPAM'].filter((label) => !labelIds.includes(label));
  const showHidden = flag(call, 'includeSpamTrash') || search.anywhere;
  return newestFirst(account.mailbox).filter(
    (message) =>
      (showHidden || !hidden.some((label) => message.labelIds.includes(label))) &&
      labelIds.every((label) => message.labelIds.includes(label)) &&
      search.matches(message),
  );
}

/** Refuses labels the mailbox does not have. */
function checkLabels(account: Account, labelIds: string[]): void {
  for (const label of labelIds)
    if (!account.mailbox.labels.has(label)) throw invalidArgument(`Invalid label: ${label}`);
}

function listMessages(call: ApiCall): Reply {
  const found = selectMessages(call, mailAccount(call));
  const { items, nextPageToken } = page(call, found, pageSize(call));
  // Gmail leaves `messages` out when there is none.
  return {
    json: {
      ...(items.length > 0 ? { messages: items.map(messageReference) } : {}),
      ...(nextPageToken ? { nextPageToken } : {}),
      resultSizeEstimate: found.length,
    },
  };
}

function getMessage(call: ApiCall): Reply {
  checkFormat(call);
  const message = messageOf(mailAccount(call), param(call, 'id'));
  return { json: messageResource(message, formatOf(text(call, 'format')), list(call, 'metadataHeaders')) };
}

function sendMessage(call: ApiCall): Reply {
  const account = mailAccount(call);
  const mail = incomingMessage(call);
  const raw = requiredRaw(mail);
  checkThread(account, mail.threadId);
  const threadId = joinedThread(account.mailbox, raw, mail.threadId);
  const sent = sendRaw(call.world, call.effects, account, { raw, at: call.now, ...(threadId ? { threadId } : {}) });
  return { json: messageStub(sent) };
}

const labelChange = z.strictObject({
  addLabelIds: z.array(z.string()).max(100).optional(),
  removeLabelIds: z.array(z.string()).max(100).optional(),
});

/** Reads and checks a change of labels. SENT and DRAFT belong to Gmail. */
function labelChangeOf(
  account: Account,
  body: { addLabelIds?: string[] | undefined; removeLabelIds?: string[] | undefined },
): { add: string[]; remove: string[] } {
  const add = body.addLabelIds ?? [];
  const remove = body.removeLabelIds ?? [];
  if (add.length + remove.length === 0) throw invalidArgument('No label add or removes specified');
  checkLabels(account, [...add, ...remove]);
  for (const label of [...add, ...remove]) {
    if (label === 'SENT' || label === 'DRAFT') throw invalidArgument(`Invalid label: ${label}`);
  }
  if (add.some((label) => remove.includes(label))) throw invalidArgument('Cannot both add and remove the same label');
  return { add, remove };
}

/** The body of a `modify`. */
export function readLabelChange(call: ApiCall, account: Account) {
  return labelChangeOf(account, jsonBody(call, labelChange));
}

function modifyMessage(call: ApiCall): Reply {
  const account = mailAccount(call);
  const message = messageOf(account, param(call, 'id'));
  const { add, remove } = readLabelChange(call, account);
  relabel(account.mailbox, message, add, remove);
  return { json: messageStub(message) };
}

function batchModify(call: ApiCall): Reply {
  const account = mailAccount(call);
  const body = jsonBody(call, labelChange.extend({ ids: z.array(z.string()).min(1).max(1000) }));
  const messages = body.ids.map((id) => messageOf(account, id));
  const { add, remove } = labelChangeOf(account, body);
  for (const message of messages) relabel(account.mailbox, message, add, remove);
  return { status: 204 };
}

function moveToTrash(call: ApiCall): Reply {
  const account = mailAccount(call);
  const message = messageOf(account, param(call, 'id'));
  relabel(account.mailbox, message, ['TRASH'], ['INBOX']);
  return { json: messageStub(message) };
}

function takeFromTrash(call: ApiCall): Reply {
  const account = mailAccount(call);
  const message = messageOf(account, param(call, 'id'));
  relabel(account.mailbox, message, [], ['TRASH']);
  return { json: messageStub(message) };
}

function deleteMessage(call: ApiCall): Reply {
  const account = mailAccount(call);
  removeMessage(account.mailbox, messageOf(account, param(call, 'id')));
  return { status: 204 };
}

function getAttachment(call: ApiCall): Reply {
  const message = messageOf(mailAccount(call), param(call, 'messageId'));
  const part = attachmentOf(message, param(call, 'id'));
  if (!part) throw invalidArgument('Invalid attachment token');
  return { json: { size: part.content.length, data: part.content.toString('base64url') } };
}

function getProfile(call: ApiCall): Reply {
  const { email, mailbox } = mailAccount(call);
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
  { method: 'POST', path: `${base}/messages/batchModify`, api: 'gmail', scopes: modifyScopes, handle: batchModify },
  {
    method: 'GET',
    path: `${base}/messages/:id`,
    api: 'gmail',
    scopes: metadataScopes,
    query: readQuery,
    handle: getMessage,
  },
  { method: 'DELETE', path: `${base}/messages/:id`, api: 'gmail', scopes: [scope.full], handle: deleteMessage },
  { method: 'POST', path: `${base}/messages/:id/modify`, api: 'gmail', scopes: modifyScopes, handle: modifyMessage },
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
