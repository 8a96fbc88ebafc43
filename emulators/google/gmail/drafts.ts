// users.drafts. A draft's id stays; its message gets a new id with every update, and another one when it is sent.
import type { Account } from '../accounts.ts';
import { entityNotFound, invalidArgument } from '../errors.ts';
import { param, text } from '../../kit/routing.ts';
import { page } from '../routing.ts';
import type { QueryRule } from '../../kit/routing.ts';
import type { Reply } from '../../kit/wire.ts';
import type { ApiCall, ApiRoute } from '../routing.ts';
import { adoptRaw, joinedThread, recipientsOf, sendRaw } from './deliver.ts';
import { checkThread, composeScopes, incomingDraft, mailAccount, readScopes, requiredRaw, scope } from './input.ts';
import type { IncomingMail } from './input.ts';
import { draftOf, insertMessage, newDraftKey, partsOf, removeMessage } from './mailbox.ts';
import type { StoredDraft, StoredMessage } from './mailbox.ts';
import { listQuery, pageSize, selectMessages } from './messages.ts';
import { formatOf, formats, messageReference, messageResource, messageStub } from './resource.ts';

const base = '/gmail/v1/users/:userId/drafts';

function draftById(account: Account, id: string): { draft: StoredDraft; message: StoredMessage } {
  const draft = account.mailbox.drafts.get(id);
  const message = draft && account.mailbox.messages.get(draft.messageId);
  if (!draft || !message) throw entityNotFound();
  return { draft, message };
}

function fileDraft(account: Account, mail: IncomingMail, at: Date, keptThread?: string): StoredMessage {
  const raw = requiredRaw(mail);
  checkThread(account, mail.threadId);
  const threadId = joinedThread(account.mailbox, raw, mail.threadId) ?? keptThread;
  return insertMessage(account.mailbox, {
    raw: adoptRaw(account, raw, at),
    labelIds: ['DRAFT'],
    at,
    ...(threadId ? { threadId } : {}),
  });
}

function createDraft(call: ApiCall): Reply {
  const account = mailAccount(call);
  const message = fileDraft(account, incomingDraft(call), call.now);
  const draft = { id: newDraftKey(), messageId: message.id };
  account.mailbox.drafts.set(draft.id, draft);
  return { json: { id: draft.id, message: messageStub(message) } };
}

function replaceDraft(account: Account, id: string, mail: IncomingMail, at: Date): StoredMessage {
  const { draft, message } = draftById(account, id);
  const fresh = fileDraft(account, mail, at, message.threadId);
  draft.messageId = fresh.id;
  removeMessage(account.mailbox, message);
  return fresh;
}

function updateDraft(call: ApiCall): Reply {
  const id = param(call, 'id');
  const message = replaceDraft(mailAccount(call), id, incomingDraft(call), call.now);
  return { json: { id, message: messageStub(message) } };
}

function getDraft(call: ApiCall): Reply {
  const { draft, message } = draftById(mailAccount(call), param(call, 'id'));
  return { json: { id: draft.id, message: messageResource(message, formatOf(text(call, 'format'))) } };
}

function listDrafts(call: ApiCall): Reply {
  const account = mailAccount(call);
  const found = selectMessages(call, account).flatMap((message) => {
    const draft = draftOf(account.mailbox, message.id);
    return draft ? [{ id: draft.id, message: messageReference(message) }] : [];
  });
  const { items, nextPageToken } = page(call, found, pageSize(call));
  return {
    json: {
      ...(items.length > 0 ? { drafts: items } : {}),
      ...(nextPageToken ? { nextPageToken } : {}),
      resultSizeEstimate: found.length,
    },
  };
}

function deleteDraft(call: ApiCall): Reply {
  const account = mailAccount(call);
  const { draft, message } = draftById(account, param(call, 'id'));
  account.mailbox.drafts.delete(draft.id);
  removeMessage(account.mailbox, message);
  return { status: 204 };
}

function sendDraft(call: ApiCall): Reply {
  const account = mailAccount(call);
  const mail = incomingDraft(call);
  const { draftId } = mail;
  if (!draftId) throw invalidArgument('Missing draft id');
  if (mail.raw) replaceDraft(account, draftId, mail, call.now);
  const { message } = draftById(account, draftId);
  // Recipients are checked first, so that a draft which cannot be sent stays.
  recipientsOf(partsOf(message));
  const { raw, threadId } = message;
  account.mailbox.drafts.delete(draftId);
  removeMessage(account.mailbox, message);
  const sent = sendRaw(call.world, call.effects, account, { raw, threadId, draftId, at: call.now });
  return { json: messageStub(sent) };
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
