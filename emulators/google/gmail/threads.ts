// users.threads and users.history.
import type { Account } from '../accounts.ts';
import { createEntityNotFoundError, createInvalidArgumentError } from '../errors.ts';
import { getFlagParameter, list, getPathParameter, getTextParameter } from '../../kit/routing.ts';
import { cutPage } from '../routing.ts';
import type { Reply } from '../../kit/wire.ts';
import type { ApiCall, ApiRoute } from '../routing.ts';
import { getMailAccount, metadataScopes, scope } from './input.ts';
import { parseMessageParts, relabel, listThreadMessages } from './mailbox.ts';
import type { HistoryRecord, Mailbox, StoredMessage } from './mailbox.ts';
import { checkFormat, listQuery, parsePageSize, readLabelChange, readQuery, selectMessages } from './messages.ts';
import { parseFormat, buildGmailMessage, buildMessageStub, buildSnippet } from './resource.ts';

const base = '/gmail/v1/users/:userId';

function getThreadMessages(account: Account, id: string): StoredMessage[] {
  if (!/^[0-9a-f]{1,16}$/i.test(id)) throw createInvalidArgumentError('Invalid id value');
  const messages = listThreadMessages(account.mailbox, id);
  if (messages.length === 0) throw createEntityNotFoundError();
  return messages;
}

function computeThreadHistoryId(messages: StoredMessage[]): string {
  return String(Math.max(...messages.map((message) => message.historyId)));
}

type SelectedThread = { historyId: number; asked: string; ids: string[] };
const lastSelected = new WeakMap<Mailbox, SelectedThread>();

/** Caches the list for all pages. Without a query, it is valid until the mailbox changes. */
function selectThreads(call: ApiCall, account: Account): string[] {
  const { mailbox } = account;
  const asked = JSON.stringify([getFlagParameter(call, 'includeSpamTrash'), ...list(call, 'labelIds')]);
  const known = lastSelected.get(mailbox);
  const hasQuery = getTextParameter(call, 'q') !== undefined;
  if (!hasQuery && known?.historyId === mailbox.historyId && known.asked === asked) return known.ids;
  const ids = [...new Set(selectMessages(call, account).map((message) => message.threadId))];
  if (!hasQuery) lastSelected.set(mailbox, { historyId: mailbox.historyId, asked, ids });
  return ids;
}

function listThreads(call: ApiCall): Reply {
  const account = getMailAccount(call);
  const ids = selectThreads(call, account);
  const { items, nextPageToken } = cutPage(call, ids, parsePageSize(call));
  const threads = items.map((id) => {
    const messages = listThreadMessages(account.mailbox, id);
    const newest = messages.at(-1);
    return {
      id,
      snippet: newest ? buildSnippet(parseMessageParts(newest)) : '',
      historyId: computeThreadHistoryId(messages),
    };
  });
  return {
    json: {
      ...(threads.length > 0 ? { threads } : {}),
      ...(nextPageToken ? { nextPageToken } : {}),
      resultSizeEstimate: ids.length,
    },
  };
}

function getThread(call: ApiCall): Reply {
  checkFormat(call);
  const id = getPathParameter(call, 'id');
  const messages = getThreadMessages(getMailAccount(call), id);
  const format = parseFormat(getTextParameter(call, 'format'));
  return {
    json: {
      id,
      historyId: computeThreadHistoryId(messages),
      messages: messages.map((message) => buildGmailMessage(message, format, list(call, 'metadataHeaders'))),
    },
  };
}

function changeThread(change: (call: ApiCall, account: Account) => { add: string[]; remove: string[] }) {
  return (call: ApiCall): Reply => {
    const account = getMailAccount(call);
    const id = getPathParameter(call, 'id');
    const messages = getThreadMessages(account, id);
    const { add, remove } = change(call, account);
    for (const message of messages) relabel(account.mailbox, message, add, remove);
    return { json: { id, messages: messages.map(buildMessageStub) } };
  };
}

const historyKinds = {
  messageAdded: 'messagesAdded',
  messageDeleted: 'messagesDeleted',
  labelAdded: 'labelsAdded',
  labelRemoved: 'labelsRemoved',
} as const;

function buildHistoryResource(record: HistoryRecord) {
  const message = { id: record.messageId, threadId: record.threadId };
  const withLabels = { ...message, labelIds: record.labelIds };
  const change = record.kind.startsWith('label')
    ? { message: withLabels, labelIds: record.changed }
    : { message: withLabels };
  return { id: String(record.id), messages: [message], [historyKinds[record.kind]]: [change] };
}

function listHistory(call: ApiCall): Reply {
  const { mailbox } = getMailAccount(call);
  const start = getTextParameter(call, 'startHistoryId') ?? '';
  if (!/^\d+$/.test(start)) throw createInvalidArgumentError('Invalid value for startHistoryId');
  if (Number(start) < mailbox.oldestHistoryId || Number(start) > mailbox.historyId) throw createEntityNotFoundError();
  const kinds = list(call, 'historyTypes');
  const label = getTextParameter(call, 'labelId');
  const found = mailbox.history.filter(
    (record) =>
      record.id > Number(start) &&
      (kinds.length === 0 || kinds.includes(record.kind)) &&
      (!label || record.labelIds.includes(label) || record.changed.includes(label)),
  );
  const { items, nextPageToken } = cutPage(call, found, parsePageSize(call));
  return {
    json: {
      ...(items.length > 0 ? { history: items.map(buildHistoryResource) } : {}),
      ...(nextPageToken ? { nextPageToken } : {}),
      historyId: String(mailbox.historyId),
    },
  };
}

const modifyScopes = [scope.full, scope.modify];
const trash = changeThread(() => ({ add: ['TRASH'], remove: ['INBOX'] }));
const untrash = changeThread(() => ({ add: [], remove: ['TRASH'] }));

/** The routes of threads and history. */
export const threadRoutes: ApiRoute[] = [
  {
    method: 'GET',
    path: `${base}/threads`,
    api: 'gmail',
    scopes: metadataScopes,
    query: listQuery,
    handle: listThreads,
  },
  {
    method: 'GET',
    path: `${base}/threads/:id`,
    api: 'gmail',
    scopes: metadataScopes,
    query: readQuery,
    handle: getThread,
  },
  {
    method: 'POST',
    path: `${base}/threads/:id/modify`,
    api: 'gmail',
    scopes: modifyScopes,
    handle: changeThread(readLabelChange),
  },
  { method: 'POST', path: `${base}/threads/:id/trash`, api: 'gmail', scopes: modifyScopes, handle: trash },
  { method: 'POST', path: `${base}/threads/:id/untrash`, api: 'gmail', scopes: modifyScopes, handle: untrash },
  {
    method: 'GET',
    path: `${base}/history`,
    api: 'gmail',
    scopes: metadataScopes,
    query: {
      startHistoryId: { type: 'string', required: true },
      historyTypes: { type: 'string', repeated: true, values: Object.keys(historyKinds) },
      labelId: { type: 'string' },
      maxResults: { type: 'integer' },
      pageToken: { type: 'string' },
    },
    handle: listHistory,
  },
];
