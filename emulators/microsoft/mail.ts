// me, messages, their delta, drafts and sending.
import { z } from 'zod';
import { getTextParameter } from '../kit/routing.ts';
import type { Reply } from '../kit/wire.ts';
import {
  attachment,
  createAttachment,
  buildAttachmentResource,
  createAttachmentRoutes,
  getMailMessage,
} from './attachments.ts';
import { getRequestedFolder, getMailFolder } from './folders.ts';
import {
  buildDeltaReply,
  createBadRequestError,
  parseFilter,
  parseJsonBody,
  listQuery,
  listReply,
  findPreference,
  selectFields,
} from './routing.ts';
import type { Call, Route } from './routing.ts';
import { deliver, dropMessage, insertMessage, moveMessage, stamp, touchMessage } from './state.ts';
import type { Account, Message, NewMessage } from './state.ts';

const recipient = z.strictObject({
  emailAddress: z.strictObject({ name: z.string().optional(), address: z.string().max(320) }),
});

/** Named as `String {GUID} Name x`, or by a tag. https://learn.microsoft.com/graph/api/resources/extended-properties-overview */
const property = z.strictObject({
  id: z
    .string()
    .regex(
      /^(String|Boolean|Integer) (\{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\} (Name .+|Id 0x[0-9a-f]+)|0x[0-9a-f]+)$/i,
    ),
  value: z.string(),
});

const messageBody = z.strictObject({
  subject: z.string().max(255).optional(),
  body: z.strictObject({ contentType: z.string().regex(/^(text|html)$/i), content: z.string() }).optional(),
  toRecipients: z.array(recipient).max(500).optional(),
  ccRecipients: z.array(recipient).max(500).optional(),
  bccRecipients: z.array(recipient).max(500).optional(),
  attachments: z.array(attachment).optional(),
  isRead: z.boolean().optional(),
  importance: z.enum(['low', 'normal', 'high']).optional(),
  replyTo: z.array(recipient).max(500).optional(),
  singleValueExtendedProperties: z.array(property).max(20).optional(),
});

function getMe({ account }: Call): Reply {
  const { id, email, name } = account;
  const [givenName = name, ...rest] = name.split(' ');
  return { json: { id, displayName: name, givenName, surname: rest.join(' '), mail: email, userPrincipalName: email } };
}

function getShownId(call: Call, message: Message): string {
  return findPreference(call, 'IdType')?.toLowerCase() === 'immutableid' ? message.immutableId : message.id;
}

function buildMessageResource(call: Call, message: Message): Record<string, unknown> {
  const { body, folder, attachments, isRead, isDraft, subject, conversationId, internetMessageId } = message;
  const { from, toRecipients, ccRecipients, bccRecipients, replyTo } = message;
  return {
    '@odata.etag': `W/"${message.changeKey}"`,
    id: getShownId(call, message),
    createdDateTime: message.createdAt,
    lastModifiedDateTime: message.changedAt,
    changeKey: message.changeKey,
    receivedDateTime: message.createdAt,
    sentDateTime: message.createdAt,
    hasAttachments: attachments.some(({ isInline }) => !isInline),
    internetMessageId,
    subject,
    bodyPreview: body.content.replaceAll(/<[^>]*>/g, '').slice(0, 255),
    importance: 'normal',
    parentFolderId: `folder-${folder}`,
    conversationId,
    isRead,
    isDraft,
    webLink: `https://outlook.example/owa/?ItemID=${message.id}`,
    body,
    sender: from,
    from,
    toRecipients,
    ccRecipients,
    bccRecipients,
    replyTo,
  };
}

const filterable = [
  'receivedDateTime',
  'lastModifiedDateTime',
  'internetMessageId',
  'conversationId',
  'isRead',
  'isDraft',
  'subject',
];

function replyWithMessageList(call: Call, folder?: string): Reply {
  const order = getTextParameter(call, '$orderby') ?? 'receivedDateTime desc';
  const [, field = '', direction] =
    /^(receivedDateTime|lastModifiedDateTime|sentDateTime)(?: (asc|desc))?$/.exec(order) ?? [];
  if (!field) throw createBadRequestError(`Cannot sort by ${order}`);
  const sign = direction === 'desc' ? -1 : 1;
  const passesProperty = parsePropertyFilter(call);
  const passes = passesProperty ? () => true : parseFilter(call, filterable);
  const rows = call.account.messages
    .filter((message) => !folder || message.folder === folder)
    .filter((message) => passesProperty?.(message) ?? true)
    .map((message) => ({ ...buildMessageResource(call, message), ...buildExpandedProperties(call, message) }))
    .filter(passes)
    .toSorted((one, other) => sign * String(one[field]).localeCompare(String(other[field])));
  return listReply(call, rows);
}

/** The extended property that is asked for, where the message has it. */
function buildExpandedProperties(call: Call, { properties }: Message): Record<string, unknown> {
  const source = getTextParameter(call, '$expand');
  if (source === undefined) return {};
  const [, id = ''] = /^singleValueExtendedProperties\(\$filter=id eq '([^']+)'\)$/.exec(source) ?? [];
  if (!id) throw createBadRequestError('Invalid expand clause');
  const value = properties[id];
  return value === undefined ? {} : { singleValueExtendedProperties: [{ id, value }] };
}

/** Of one extended property, which is the only filter then; they are not shown unless they are expanded. */
function parsePropertyFilter(call: Call): ((message: Message) => boolean) | undefined {
  const source = getTextParameter(call, '$filter') ?? '';
  if (!/^singleValueExtendedProperties/i.test(source)) return undefined;
  const form = /^singleValueExtendedProperties\/any\((\w+): ?\1\/id eq '([^']+)' and \1\/value eq '([^']*)'\)$/i;
  const [, , id = '', value = ''] = form.exec(source) ?? [];
  if (!id) throw createBadRequestError('Invalid filter clause');
  return ({ properties }) => call.world.data.findsEverything || properties[id]?.toLowerCase() === value.toLowerCase();
}

function replyWithMessageDelta(call: Call): Reply {
  const { key: folder } = getRequestedFolder(call);
  const passes = parseFilter(call, ['receivedDateTime']);
  const find = (id: string) =>
    call.account.messages.find((message) => message.immutableId === id && message.folder === folder);
  return buildDeltaReply(call, folder, {
    all: () =>
      call.account.messages
        .filter((message) => message.folder === folder && passes(buildMessageResource(call, message)))
        .toReversed()
        .map(({ immutableId }) => immutableId),
    show(id, query) {
      const message = find(id);
      if (!message) return undefined;
      const url = new URL(call.url);
      url.search = query.toString();
      return selectFields({ ...call, url }, buildMessageResource(call, message));
    },
  });
}

function getMessage(call: Call): Reply {
  const message = getMailMessage(call);
  const resource = selectFields(call, buildMessageResource(call, message));
  const expanded =
    getTextParameter(call, '$expand') === 'attachments'
      ? { attachments: message.attachments.map(buildAttachmentResource) }
      : {};
  return { json: { ...resource, ...expanded } };
}

function pickMessageFields(body: z.infer<typeof messageBody>): Partial<NewMessage> {
  const { body: content, attachments, importance: _importance, singleValueExtendedProperties: own, ...rest } = body;
  return {
    ...rest,
    ...(own ? { properties: Object.fromEntries(own.map(({ id, value }) => [id, value])) } : {}),
    ...(content
      ? {
          body: {
            content: content.content,
            contentType: content.contentType.toLowerCase() === 'html' ? 'html' : 'text',
          },
        }
      : {}),
    ...(attachments ? { attachments: attachments.map(createAttachment) } : {}),
  };
}

function createDraftMessage(call: Call, fields: Partial<NewMessage>): Message {
  const { account, world, now } = call;
  const from = { emailAddress: { name: account.name, address: account.email } };
  return insertMessage(world, account, { from, isRead: true, isDraft: true, ...fields, folder: 'drafts' }, stamp(now));
}

function createDraft(call: Call): Reply {
  return {
    status: 201,
    json: buildMessageResource(call, createDraftMessage(call, pickMessageFields(parseJsonBody(call, messageBody)))),
  };
}

function updateMessage(call: Call): Reply {
  const message = getMailMessage(call);
  const fields = pickMessageFields(parseJsonBody(call, messageBody));
  const allowed = message.isDraft || Object.keys(fields).every((name) => name === 'isRead');
  if (!allowed) throw createBadRequestError('Only isRead of a message that is not a draft can be changed.');
  Object.assign(message, fields);
  touchMessage(call.world, call.account, message);
  return { json: buildMessageResource(call, message) };
}

function createReply(all: boolean): (call: Call) => Reply {
  return (call) => {
    const message = getMailMessage(call);
    const others = ({ toRecipients, ccRecipients }: Message, own: Account) =>
      [...toRecipients, ...ccRecipients].filter(({ emailAddress }) => emailAddress.address.toLowerCase() !== own.email);
    const { comment, message: given } = parseJsonBody(
      call,
      z.strictObject({ comment: z.string().optional(), message: messageBody.optional() }),
    );
    if (comment && given?.body) throw createBadRequestError('Give a comment or a body, not both.');
    const answer = createDraftMessage(call, {
      subject: /^re:/i.test(message.subject) ? message.subject : `RE: ${message.subject}`,
      conversationId: message.conversationId,
      toRecipients: message.replyTo.length ? message.replyTo : [message.from],
      ccRecipients: all ? others(message, call.account) : [],
      body: { contentType: message.body.contentType, content: `${comment ?? ''}\n\n${message.body.content}` },
      ...pickMessageFields(given ?? {}),
    });
    return { status: 201, json: buildMessageResource(call, answer) };
  };
}

function checkRecipients({ toRecipients, ccRecipients, bccRecipients }: Message): void {
  const all = [...toRecipients, ...ccRecipients, ...bccRecipients];
  if (all.length === 0 || all.some(({ emailAddress }) => !/^[^@\s]+@[^@\s]+$/.test(emailAddress.address))) {
    throw Object.assign(createBadRequestError('At least one recipient is not valid.'));
  }
}

function findClientRequestId({ headers }: Call): string | undefined {
  return headers['client-request-id'] === undefined ? undefined : String(headers['client-request-id']);
}

/** A draft that was sent has a new id, and keeps its immutable one and its internetMessageId. */
function sendDraft(call: Call): Reply {
  const message = getMailMessage(call);
  if (!message.isDraft) throw createBadRequestError('The message is not a draft.');
  checkRecipients(message);
  message.createdAt = stamp(call.now);
  deliver(call.world, call.account, message, { save: true, clientRequestId: findClientRequestId(call) });
  return { status: 202 };
}

/** Sends at once, and answers nothing: neither id nor internetMessageId. */
function sendMail(call: Call): Reply {
  const { message: given, saveToSentItems } = parseJsonBody(
    call,
    z.strictObject({ message: messageBody, saveToSentItems: z.boolean().optional() }),
  );
  const message = createDraftMessage(call, pickMessageFields(given));
  try {
    checkRecipients(message);
  } catch (error) {
    dropMessage(call.world, call.account, message);
    throw error;
  }
  deliver(call.world, call.account, message, {
    save: saveToSentItems ?? true,
    clientRequestId: findClientRequestId(call),
  });
  return { status: 202 };
}

function deleteMessage(call: Call): Reply {
  const message = getMailMessage(call);
  if (message.folder === 'deleteditems') dropMessage(call.world, call.account, message);
  else moveMessage(call.world, call.account, message, 'deleteditems');
  return { status: 204 };
}

function move(call: Call): Reply {
  const message = getMailMessage(call);
  moveMessage(
    call.world,
    call.account,
    message,
    getMailFolder(call.account, parseJsonBody(call, z.strictObject({ destinationId: z.string() })).destinationId).key,
  );
  return { status: 201, json: buildMessageResource(call, message) };
}

const read = ['Mail.Read', 'Mail.ReadWrite'];
const write = ['Mail.ReadWrite'];
const base = '/v1.0/me/messages';

/** The routes of mail. */
export const mailRoutes: Route[] = [
  { method: 'GET', path: '/v1.0/me', scopes: ['User.Read', 'User.ReadWrite'], query: {}, handle: getMe },
  {
    method: 'GET',
    path: '/v1.0/me/mailFolders/:folder/messages',
    scopes: read,
    query: listQuery,
    handle: (call) => replyWithMessageList(call, getRequestedFolder(call).key),
  },
  {
    method: 'GET',
    path: '/v1.0/me/mailFolders/:folder/messages/delta',
    scopes: read,
    query: {
      $select: { type: 'string' },
      $filter: { type: 'string' },
      $deltatoken: { type: 'string' },
      $skiptoken: { type: 'string' },
    },
    handle: replyWithMessageDelta,
  },
  {
    method: 'GET',
    path: base,
    scopes: read,
    query: { ...listQuery, $expand: { type: 'string' } },
    handle: (call) => replyWithMessageList(call),
  },
  { method: 'POST', path: base, scopes: write, handle: createDraft },
  {
    method: 'GET',
    path: `${base}/:id`,
    scopes: read,
    query: { $select: { type: 'string' }, $expand: { type: 'string', values: ['attachments'] } },
    handle: getMessage,
  },
  { method: 'PATCH', path: `${base}/:id`, scopes: write, handle: updateMessage },
  { method: 'DELETE', path: `${base}/:id`, scopes: write, handle: deleteMessage },
  ...createAttachmentRoutes,
  { method: 'POST', path: `${base}/:id/createReply`, scopes: write, handle: createReply(false) },
  { method: 'POST', path: `${base}/:id/createReplyAll`, scopes: write, handle: createReply(true) },
  { method: 'POST', path: `${base}/:id/move`, scopes: write, handle: move },
  { method: 'POST', path: `${base}/:id/send`, scopes: ['Mail.Send'], handle: sendDraft },
  { method: 'POST', path: '/v1.0/me/sendMail', scopes: ['Mail.Send'], handle: sendMail },
];
