// users.drafts. A draft's id stays; its message gets a new id with every update, and another one when it is sent.
import type { Account } from '../accounts.ts';
import { createEntityNotFoundError, createInvalidArgumentError } from '../errors.ts';
import { getPathParameter, getTextParameter } from '../../kit/routing.ts';
import { cutPage } from '../routing.ts';
import type { QueryRule } from '../../kit/routing.ts';
import type { Reply } from '../../kit/wire.ts';
import type { ApiCall, ApiRoute } from '../routing.ts';
import { adoptRaw, findJoinedThread, parseRecipients, sendRaw } from './deliver.ts';
import {
  checkThread,
  composeScopes,
  parseIncomingDraft,
  getMailAccount,
  readScopes,
  requireRaw,
  scope,
} from './input.ts';
import type { IncomingMail } from './input.ts';
import { findStoredDraft, insertMessage, createDraftKey, parseMessageParts, removeMessage } from './mailbox.ts';
import type { StoredDraft, StoredMessage } from './mailbox.ts';
import { listQuery, parsePageSize, selectMessages } from './messages.ts';
import { parseFormat, formats, buildMessageReference, buildGmailMessage, buildMessageStub } from './resource.ts';

const base = '/gmail/v1/users/:userId/drafts';

function requireDraft(account: Account, id: string): { draft: StoredDraft; message: StoredMessage } {
  const draft = account.mailbox.drafts.get(id);
  const message = draft && account.mailbox.messages.get(draft.messageId);
  if (!draft || !message) throw createEntityNotFoundError();
  return { draft, message };
}

function storeDraft(account: Account, mail: IncomingMail, at: Date, keptThread?: string): StoredMessage {
  const raw = requireRaw(mail);
  checkThread(account, mail.threadId);
  const threadId = findJoinedThread(account.mailbox, raw, mail.threadId) ?? keptThread;
  return insertMessage(account.mailbox, {
    raw: adoptRaw(account, raw, at),
    labelIds: ['DRAFT'],
    at,
    ...(threadId ? { threadId } : {}),
  });
}

function createDraft(call: ApiCall): Reply {
  const account = getMailAccount(call);
  const message = storeDraft(account, parseIncomingDraft(call), call.now);
  const draft = { id: createDraftKey(), messageId: message.id };
  account.mailbox.drafts.set(draft.id, draft);
  return { json: { id: draft.id, message: buildMessageStub(message) } };
}

function replaceDraft(account: Account, id: string, mail: IncomingMail, at: Date): StoredMessage {
  const { draft, message } = requireDraft(account, id);
  const fresh = storeDraft(account, mail, at, message.threadId);
  draft.messageId = fresh.id;
  removeMessage(account.mailbox, message);
  return fresh;
}

function updateDraft(call: ApiCall): Reply {
  const id = getPathParameter(call, 'id');
  const message = replaceDraft(getMailAccount(call), id, parseIncomingDraft(call), call.now);
  return { json: { id, message: buildMessageStub(message) } };
}

function getDraft(call: ApiCall): Reply {
  const { draft, message } = requireDraft(getMailAccount(call), getPathParameter(call, 'id'));
  return { json: { id: draft.id, message: buildGmailMessage(message, parseFormat(getTextParameter(call, 'format'))) } };
}

function listDrafts(call: ApiCall): Reply {
  const account = getMailAccount(call);
  const found = selectMessages(call, account).flatMap((message) => {
    const draft = findStoredDraft(account.mailbox, message.id);
    return draft ? [{ id: draft.id, message: buildMessageReference(message) }] : [];
  });
  const { items, nextPageToken } = cutPage(call, found, parsePageSize(call));
  return {
    json: {
      ...(items.length > 0 ? { drafts: items } : {}),
      ...(nextPageToken ? { nextPageToken } : {}),
      resultSizeEstimate: found.length,
    },
  };
}

function deleteDraft(call: ApiCall): Reply {
  const account = getMailAccount(call);
  const { draft, message } = requireDraft(account, getPathParameter(call, 'id'));
  account.mailbox.drafts.delete(draft.id);
  removeMessage(account.mailbox, message);
  return { status: 204 };
}

function sendDraft(call: ApiCall): Reply {
  const account = getMailAccount(call);
  const mail = parseIncomingDraft(call);
  const { draftId } = mail;
  if (!draftId) throw createInvalidArgumentError('Missing draft id');
  if (mail.raw) replaceDraft(account, draftId, mail, call.now);
  const { message } = requireDraft(account, draftId);
  // Recipients are checked first, so that a draft which cannot be sent stays.
  parseRecipients(parseMessageParts(message));
  const { raw, threadId } = message;
  account.mailbox.drafts.delete(draftId);
  removeMessage(account.mailbox, message);
  const sent = sendRaw(call.world, call.effects, account, { raw, threadId, draftId, at: call.now });
  return { json: buildMessageStub(sent) };
}

const readDraftScopes = [...readScopes, scope.compose];
const uploadQuery: Record<string, QueryRule> = { uploadType: { type: 'string', required: true } };
const { labelIds: _, ...draftListQuery } = listQuery;

/** The routes of drafts. */
export const draftRoutes: ApiRoute[] = [
  { method: 'GET', path: base, api: 'gmail', scopes: readDraftScopes, query: draftListQuery, handle: listDrafts },
  { method: 'POST', path: base, api: 'gmail', scopes: composeScopes, handle: createDraft },
  {
    method: 'POST',
    path: `/upload${base}`,
    api: 'gmail',
    scopes: composeScopes,
    query: uploadQuery,
    handle: createDraft,
  },
  { method: 'POST', path: `${base}/send`, api: 'gmail', scopes: composeScopes, handle: sendDraft },
  {
    method: 'POST',
    path: `/upload${base}/send`,
    api: 'gmail',
    scopes: composeScopes,
    query: uploadQuery,
    handle: sendDraft,
  },
  {
    method: 'GET',
    path: `${base}/:id`,
    api: 'gmail',
    scopes: readDraftScopes,
    query: { format: { type: 'string', values: formats } },
    handle: getDraft,
  },
  { method: 'PUT', path: `${base}/:id`, api: 'gmail', scopes: composeScopes, handle: updateDraft },
  {
    method: 'PUT',
    path: `/upload${base}/:id`,
    api: 'gmail',
    scopes: composeScopes,
    query: uploadQuery,
    handle: updateDraft,
  },
  { method: 'DELETE', path: `${base}/:id`, api: 'gmail', scopes: composeScopes, handle: deleteDraft },
];
