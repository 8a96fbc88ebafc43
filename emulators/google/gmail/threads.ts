// users.threads and users.history.
import type { Account } from '../accounts.ts';
import { entityNotFound, invalidArgument } from '../errors.ts';
import { flag, list, param, text } from '../../kit/routing.ts';
import { page } from '../routing.ts';
import type { Reply } from '../../kit/wire.ts';
import type { ApiCall, ApiRoute } from '../routing.ts';
import { mailAccount, metadataScopes, scope } from './input.ts';
import { partsOf, relabel, threadMessages } from './mailbox.ts';
import type { HistoryRecord, Mailbox, StoredMessage } from './mailbox.ts';
import { checkFormat, listQuery, pageSize, readLabelChange, readQuery, selectMessages } from './messages.ts';
import { formatOf, messageResource, messageStub, snippetOf } from './resource.ts';

const base = '/gmail/v1/users/:userId';

function threadById(account: Account, id: string): StoredMessage[] {
  if (!/^[0-9a-f]{1,16}$/i.test(id)) throw invalidArgument('Invalid id value');
  const messages = threadMessages(account.mailbox, id);
  if (messages.length === 0) throw entityNotFound();
  return messages;
}

function threadHistoryId(messages: StoredMessage[]): string {
  return String(Math.max(...messages.map((message) => message.historyId)));
}

type Selected = { historyId: number; asked: string; ids: string[] };
const lastSelected = new WeakMap<Mailbox, Selected>();

/** Caches the list for all pages. Without a query, it is valid until the mailbox changes. */
function selectThreads(call: ApiCall, account: Account): string[] {
  const { mailbox } = account;
  const asked = JSON.stringify([flag(call, 'includeSpamTrash'), ...list(call, 'labelIds')]);
  const known = lastSelected.get(mailbox);
  const hasQuery = text(call, 'q') !== undefined;
  if (!hasQuery && known?.historyId === mailbox.historyId && known.asked === asked) return known.ids;
  const ids = [...new Set(selectMessages(call, account).map((message) => message.threadId))];
  if (!hasQuery) lastSelected.set(mailbox, { historyId: mailbox.historyId, asked, ids });
  return ids;
}

function listThreads(call: ApiCall): Reply {
  const account = mailAccount(call);
  const ids = selectThreads(call, account);
  const { items, nextPageToken } = page(call, ids, pageSize(call));
  const threads = items.map((id) => {
    const messages = threadMessages(account.mailbox, id);
    const newest = messages.at(-1);
    return { id, snippet: newest ? snippetOf(partsOf(newest)) : '', historyId: threadHistoryId(messages) };
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
  const id = param(call, 'id');
  const messages = threadById(mailAccount(call), id);
  const format = formatOf(text(call, 'format'));
  return {
    json: {
      id,
      historyId: threadHistoryId(messages),
      messages: messages.map((message) => messageResource(message, format, list(call, 'metadataHeaders'))),
    },
  };
}

function changeThread(change: (call: ApiCall, account: Account) => { add: string[]; remove: string[] }) {
  return (call: ApiCall): Reply => {
    const account = mailAccount(call);
    const id = param(call, 'id');
    const messages = threadById(account, id);
    const { add, remove } = change(call, account);
    for (const message of messages) relabel(account.mailbox, message, add, remove);
    return { json: { id, messages: messages.map(messageStub) } };
  };
}

const historyKinds = {
  messageAdded: 'messagesAdded',
  messageDeleted: 'messagesDeleted',
  labelAdded: 'labelsAdded',
  labelRemoved: 'labelsRemoved',
} as const;

function historyResource(record: HistoryRecord) {
  const message = { id: record.messageId, threadId: record.threadId };
  const withLabels = { ...message, labelIds: record.labelIds };
  const change = record.kind.startsWith('label')
    ? { message: withLabels, labelIds: record.changed }
    : { message: withLabels };
  return { id: String(record.id), messages: [message], [historyKinds[record.kind]]: [change] };
}

function listHistory(call: ApiCall): Reply {
  const { mailbox } = mailAccount(call);
  const start = text(call, 'startHistoryId') ?? '';
  if (!/^\d+$/.test(start)) throw invalidArgument('Invalid value for startHistoryId');
  if (Number(start) < mailbox.oldestHistoryId || Number(start) > mailbox.historyId) throw entityNotFound();
  const kinds = list(call, 'historyTypes');
  const label = text(call, 'labelId');
  const found = mailbox.history.filter(
    (record) =>
      record.id > Number(start) &&
      (kinds.length === 0 || kinds.includes(record.kind)) &&
      (!label || record.labelIds.includes(label) || record.changed.includes(label)),
  );
  const { items, nextPageToken } = page(call, found, pageSize(call));
  return {
    json: {
      ...(items.length > 0 ? { history: items.map(historyResource) } : {}),
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
