// What is written in Outlook's mail. A mail is made unsent first, under an id that stays when it is sent or moved.
// https://learn.microsoft.com/graph/outlook-immutable-id
import type { Call } from './pieces.ts';
import type { Before, Field, Lookup, Write } from './write.ts';

const headers = { prefer: 'IdType="ImmutableId"' };

const messageId: Field = {
  kind: 'line',
  label: 'Mail',
  about: 'Its message_id, as its page or an action has it.',
  most: 500,
};
const body: Field = { kind: 'text', label: 'Body', most: 500_000 };

function addresses(label: string): Field {
  return { kind: 'addresses', label, most: 100, isOptional: true };
}

function recipients(name: string) {
  return { $each: `input.${name}`, $as: 'person', $of: { emailAddress: { address: '{{person}}' } } };
}

/** By it an unsent mail is found of which nobody was told. https://learn.microsoft.com/graph/api/resources/extended-properties-overview */
const markId = 'String {7a3c2d54-9b1e-4f0a-8d6c-5e2f1b7a9c34} Name thalamus_draft';
const marked = { singleValueExtendedProperties: [{ id: markId, value: '{{draft.id}}' }] };
const again: NonNullable<Before['again']> = {
  listing: {
    call: {
      method: 'GET',
      path: '/me/messages',
      headers,
      queryParams: {
        $filter: `singleValueExtendedProperties/Any(ep: ep/id eq '${markId}' and ep/value eq '{{draft.id}}')`,
        $select: 'isDraft,conversationId',
        $top: 100, // a search that finds more than ours has it among the newest
        $expand: `singleValueExtendedProperties($filter=id eq '${markId}')`,
      },
    },
    items: 'value',
    paging: { by: 'none' },
  },
  where: [
    { at: 'isDraft', is: 'true' },
    { at: 'singleValueExtendedProperties.0.value', is: '{{draft.id}}' },
  ],
};
const notes = [
  {
    label: 'Also sent',
    text: 'The id of this draft, as a property that people do not see; by it the unsent mail is found again after a crash.',
  },
];

function post(path: string, given?: unknown): Call {
  return { method: 'POST', path, headers, ...(given !== undefined && { body: given }) };
}

const noMail = 'There is no mail {{input.message_id}} that this account can see.';
const text = { contentType: 'text', content: '{{input.body}}' };
const kept = { id: 'id', is_draft: 'isDraft', thread_id: 'conversationId' };
const send = post('/me/messages/{{unsent.id}}/send');
const deleteUnsent: Call = { method: 'DELETE', path: '/me/messages/{{unsent.id}}', headers };
const sent = { message_id: '{{unsent.id}}', thread_id: '{{unsent.thread_id}}' };

/** As long as it is unsent it was not sent; what is gone, nobody knows of. */
const isSent: Lookup = {
  one: {
    call: { method: 'GET', path: '/me/messages/{{unsent.id}}', headers, queryParams: { $select: 'isDraft' } },
    at: '',
  },
  where: [{ at: 'isDraft', is: 'false' }],
  version: { at: 'isDraft', was: '{{unsent.is_draft}}' },
};

/** https://learn.microsoft.com/graph/outlook-large-attachments. A piece is a multiple of 320 KiB, and below 4 MB. */
const files: NonNullable<Write['files']> = {
  provider: 'Outlook',
  mostBytes: 25_000_000,
  small: {
    below: 3_000_000,
    call: post('/me/messages/{{unsent.id}}/attachments', {
      '@odata.type': '#microsoft.graph.fileAttachment',
      name: '{{file.name}}',
      contentType: '{{file.type}}',
      contentBytes: '{{file.base64}}',
    }),
  },
  large: {
    call: post('/me/messages/{{unsent.id}}/attachments/createUploadSession', {
      AttachmentItem: {
        attachmentType: 'file',
        name: '{{file.name}}',
        contentType: '{{file.type}}',
        size: '{{file.size}}',
      },
    }),
    addressAt: 'uploadUrl',
    pieceBytes: 10 * 327_680,
  },
};

const sendEmail: Write = {
  name: 'send_email',
  example: { to: ['noah@example.com'], subject: 'Re: next week', body: "We're in. Which day works?" },
  summary: 'Send a mail.',
  risk: 'write',
  fields: {
    to: { kind: 'addresses', label: 'To', least: 1, most: 100 },
    cc: addresses('Cc'),
    bcc: addresses('Bcc'),
    subject: { kind: 'line', label: 'Subject', most: 255 },
    body,
  },
  editable: ['to', 'cc', 'bcc', 'subject', 'body'],
  recipients: ['to', 'cc', 'bcc'],
  target: 'mail',
  title: 'Mail to {{input.to}}: {{input.subject}}',
  notes,
  files,
  handle: 'unsent',
  before: [
    {
      as: 'unsent',
      makes: true,
      again,
      one: {
        call: post('/me/messages', {
          ...marked,
          subject: '{{input.subject}}',
          body: text,
          toRecipients: recipients('to'),
          ccRecipients: recipients('cc'),
          bccRecipients: recipients('bcc'),
        }),
        at: '',
      },
      keep: kept,
      missing: 'Outlook did not keep the unsent mail.',
    },
  ],
  call: send,
  at: '',
  result: sent,
  lookups: [isSent],
  abandon: deleteUnsent,
};

/** The mail that is answered has to be there; the answer says what was shown, and quotes nothing. */
function unsentReply(when: Before['when'], method: 'createReply' | 'createReplyAll'): Before {
  const call = post(`/me/messages/{{input.message_id}}/${method}`, { message: { body: text, ...marked } });
  return { as: 'unsent', when, makes: true, again, one: { call, at: '' }, keep: kept, missing: noMail };
}

const findMail: Before = {
  as: 'mail',
  one: {
    call: {
      method: 'GET',
      path: '/me/messages/{{input.message_id}}',
      headers,
      queryParams: { $select: 'parentFolderId,subject,from,replyTo,toRecipients,ccRecipients' },
    },
    at: '',
  },
  keep: {
    id: 'id',
    folder_id: 'parentFolderId',
    subject: 'subject',
    from: 'from.emailAddress.address',
    reply_to: 'replyTo.*.emailAddress.address',
    to: 'toRecipients.*.emailAddress.address',
    cc: 'ccRecipients.*.emailAddress.address',
  },
  missing: noMail,
};

const about = '{{mail.subject}}';
const shown = [{ label: 'Mail', text: '{{mail.subject}} ({{input.message_id}})' }];
const toAll = { at: 'input.reply_all' };

const replyToEmail: Write = {
  name: 'reply_to_email',
  reachesOthers: true,
  example: { message_id: 'AAMkAGI2', body: 'Friday works.' },
  summary: 'Answer a mail, in its thread.',
  risk: 'write',
  fields: {
    message_id: messageId,
    body,
    reply_all: { kind: 'flag', label: 'To everybody', about: 'To all whom it went to as well.', isOptional: true },
  },
  editable: ['body'],
  target: 'reply to {{input.message_id}}',
  known: {
    about,
    shown,
    people: [
      { label: 'To (of the thread)', at: 'mail.reply_to', or: 'mail.from', isSomebody: true },
      { label: 'And to (of the thread)', at: 'mail.to', when: toAll },
      { label: 'Cc (of the thread)', at: 'mail.cc', when: toAll },
    ],
  },
  title: 'Reply to a mail',
  notes: [
    ...notes,
    {
      label: 'Goes to',
      text: 'Whoever wrote that mail; if it is to everybody, also all others it went to. Outlook keeps the subject.',
    },
  ],
  files,
  handle: 'unsent',
  before: [
    findMail,
    unsentReply({ at: 'input.reply_all', isNot: [true] }, 'createReply'),
    unsentReply({ at: 'input.reply_all', isOneOf: [true] }, 'createReplyAll'),
  ],
  call: send,
  at: '',
  result: sent,
  lookups: [isSent],
  abandon: deleteUnsent,
};

const archiveEmail: Write = {
  name: 'archive_email',
  example: { message_id: 'AAMkAGI2' },
  summary: 'Move a mail to the archive.',
  requiresConfirmation: false,
  risk: 'write',
  scopes: ['Mail.ReadWrite'],
  fields: { message_id: messageId },
  editable: [],
  target: 'mail {{input.message_id}}',
  known: { about, shown },
  title: 'Archive a mail',
  handle: 'state',
  before: [
    findMail,
    {
      as: 'archive',
      one: { call: { method: 'GET', path: '/me/mailFolders/archive', headers }, at: '' },
      keep: { id: 'id' },
      missing: 'This mailbox has no archive.',
    },
  ],
  call: post('/me/messages/{{mail.id}}/move', { destinationId: '{{archive.id}}' }),
  at: '',
  result: { message_id: '{{mail.id}}' },
  lookups: [
    {
      one: {
        call: {
          method: 'GET',
          path: '/me/messages/{{mail.id}}',
          headers,
          queryParams: { $select: 'parentFolderId' },
        },
        at: '',
      },
      where: [{ at: 'parentFolderId', is: '{{archive.id}}' }],
      version: { at: 'parentFolderId', was: '{{mail.folder_id}}' },
    },
  ],
  undo: {
    says: 'Move the mail back to where it was',
    forMinutes: 1_440,
    steps: [
      {
        where: [{ at: 'mail.folder_id', lacks: '{{archive.id}}' }],
        call: post('/me/messages/{{mail.id}}/move', { destinationId: '{{mail.folder_id}}' }),
      },
    ],
  },
};

/** What can be written in Outlook's mail. */
export const outlookMailWrites: readonly Write[] = [sendEmail, replyToEmail, archiveEmail];
