// users.labels.
import { z } from 'zod';
import type { Account } from '../accounts.ts';
import { createEntityNotFoundError, createInvalidArgumentError, createModernError } from '../errors.ts';
import { getPathParameter } from '../../kit/routing.ts';
import { parseJsonBody } from '../routing.ts';
import type { Reply } from '../../kit/wire.ts';
import type { ApiCall, ApiRoute } from '../routing.ts';
import { getMailAccount, metadataScopes, scope } from './input.ts';
import { relabel } from './mailbox.ts';
import type { Mailbox, StoredLabel } from './mailbox.ts';

const base = '/gmail/v1/users/:userId/labels';

const labelInput = z.strictObject({
  id: z.string().optional(),
  name: z.string().optional(),
  type: z.string().optional(),
  messageListVisibility: z.enum(['show', 'hide']).optional(),
  labelListVisibility: z.enum(['labelShow', 'labelShowIfUnread', 'labelHide']).optional(),
  color: z.strictObject({ textColor: z.string().optional(), backgroundColor: z.string().optional() }).optional(),
});

function requireLabel(account: Account, id: string): StoredLabel {
  const label = account.mailbox.labels.get(id);
  if (!label) throw createEntityNotFoundError();
  return label;
}

function countLabelMessages(mailbox: Mailbox, id: string) {
  const messages = [...mailbox.messages.values()].filter((message) => message.labelIds.includes(id));
  const unread = messages.filter((message) => message.labelIds.includes('UNREAD'));
  const threads = (list: typeof messages) => new Set(list.map((message) => message.threadId)).size;
  return {
    messagesTotal: messages.length,
    messagesUnread: unread.length,
    threadsTotal: threads(messages),
    threadsUnread: threads(unread),
  };
}

/** Makes a label; ids of user labels are `Label_` and a number. */
export function addLabel(mailbox: Mailbox, input: Omit<StoredLabel, 'id' | 'type'>): StoredLabel {
  mailbox.counter += 1;
  const label: StoredLabel = {
    messageListVisibility: 'show',
    labelListVisibility: 'labelShow',
    ...input,
    id: `Label_${mailbox.counter}`,
    type: 'user',
  };
  mailbox.labels.set(label.id, label);
  return label;
}

function checkName(account: Account, name: string | undefined, except?: string): string {
  if (!name) throw createInvalidArgumentError('Label name is required');
  const taken = [...account.mailbox.labels.values()].some(
    (label) => label.id !== except && label.name.toLowerCase() === name.toLowerCase(),
  );
  if (taken) throw createModernError(409, { reason: 'duplicate', message: 'Label name exists or conflicts' });
  return name;
}

/** What a client may set; absent fields are left out rather than set to undefined. */
function pickLabelSettings({
  messageListVisibility,
  labelListVisibility,
  color,
}: z.infer<typeof labelInput>): Partial<StoredLabel> {
  const { textColor, backgroundColor } = color ?? {};
  return {
    ...(messageListVisibility ? { messageListVisibility } : {}),
    ...(labelListVisibility ? { labelListVisibility } : {}),
    ...(color
      ? { color: { ...(textColor ? { textColor } : {}), ...(backgroundColor ? { backgroundColor } : {}) } }
      : {}),
  };
}

function createLabel(call: ApiCall): Reply {
  const account = getMailAccount(call);
  const body = parseJsonBody(call, labelInput);
  const name = checkName(account, body.name);
  return { json: addLabel(account.mailbox, { ...pickLabelSettings(body), name }) };
}

function changeLabel(call: ApiCall): Reply {
  const account = getMailAccount(call);
  const label = requireLabel(account, getPathParameter(call, 'id'));
  const body = parseJsonBody(call, labelInput);
  if (label.type === 'system') throw createInvalidArgumentError('Invalid update request on a system label');
  if (body.name !== undefined) label.name = checkName(account, body.name, label.id);
  Object.assign(label, pickLabelSettings(body));
  return { json: label };
}

function deleteLabel(call: ApiCall): Reply {
  const account = getMailAccount(call);
  const label = requireLabel(account, getPathParameter(call, 'id'));
  if (label.type === 'system') throw createInvalidArgumentError('Invalid delete request');
  for (const message of account.mailbox.messages.values()) relabel(account.mailbox, message, [], [label.id]);
  account.mailbox.labels.delete(label.id);
  return { status: 204 };
}

function listLabels(call: ApiCall): Reply {
  return { json: { labels: [...getMailAccount(call).mailbox.labels.values()] } };
}

function getLabel(call: ApiCall): Reply {
  const account = getMailAccount(call);
  const label = requireLabel(account, getPathParameter(call, 'id'));
  return { json: { ...label, ...countLabelMessages(account.mailbox, label.id) } };
}

const read = [...metadataScopes, scope.labels];
const write = [scope.full, scope.modify, scope.labels];

/** The routes of labels. */
export const labelRoutes: ApiRoute[] = [
  { method: 'GET', path: base, api: 'gmail', scopes: read, handle: listLabels },
  { method: 'POST', path: base, api: 'gmail', scopes: write, handle: createLabel },
  { method: 'GET', path: `${base}/:id`, api: 'gmail', scopes: read, handle: getLabel },
  { method: 'PATCH', path: `${base}/:id`, api: 'gmail', scopes: write, handle: changeLabel },
  { method: 'PUT', path: `${base}/:id`, api: 'gmail', scopes: write, handle: changeLabel },
  { method: 'DELETE', path: `${base}/:id`, api: 'gmail', scopes: write, handle: deleteLabel },
];
