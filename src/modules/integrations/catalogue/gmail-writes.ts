// What is written in Gmail besides mails, which are sent by code: labels are what archiving, reading and the bin are made of.
// https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.threads
import type { Api, Call } from './pieces.ts';
import type { Before, Comparison, Field, Lookup, Write } from './write.ts';

/** Gmail's API. */
export const gmailApi: Api = { baseUrl: 'https://gmail.googleapis.com/gmail/v1' };

const thread: Field = {
  kind: 'line',
  label: 'Thread',
  about: 'The thread_id of its page.',
  shape: { pattern: '^[0-9a-f]{1,16}$', says: 'must be the id of a thread, as its page has it' },
};
const labels = { kind: 'lines', most: 10, isOptional: true, about: 'Names of labels that are there.' } as const;
const get: Call = {
  method: 'GET',
  path: '/users/me/threads/{{input.thread_id}}',
  queryParams: { format: 'minimal' },
};
const result = { thread_id: '{{input.thread_id}}', modified_count: '{{item.messages.length}}' };

const findThread: Before = {
  as: 'thread',
  one: { call: get, at: '' },
  keep: { version: 'historyId' },
  missing: 'There is no thread {{input.thread_id}} that this account can see.',
};

/** A header of the first mail, which is written in several ways. */
function findHeader(as: string, name: string): Before {
  return {
    as,
    all: true,
    listing: {
      call: { ...get, queryParams: { format: 'metadata', metadataHeaders: name } },
      items: 'messages.0.payload.headers',
      paging: { by: 'none' },
    },
    only: { at: 'name', isOneOf: [name, name.toLowerCase(), name.toUpperCase()] },
    keep: { text: 'value' },
    missing: 'The thread has no mail.',
  };
}

function findLabels(name: 'add' | 'remove'): Before {
  return {
    as: name === 'add' ? 'added' : 'removed',
    when: { at: `input.${name}` },
    each: { of: `input.${name}`, as: 'label' },
    listing: { call: { method: 'GET', path: '/users/me/labels' }, items: 'labels', paging: { by: 'none' } },
    where: [{ at: 'name', is: '{{label}}' }],
    keep: { id: 'id' },
    missing: 'There is no label {{label}} in this mailbox.',
  };
}

/** Each mail of the thread has its labels; a change of them makes another version of the thread. */
function isLabelled(...where: Comparison[]): Lookup {
  return { one: { call: get, at: '' }, where, version: { at: 'historyId', was: '{{thread.version}}' } };
}

function modify(body: { addLabelIds?: unknown; removeLabelIds?: unknown }): Call {
  return { method: 'POST', path: '/users/me/threads/{{input.thread_id}}/modify', body };
}

/** Those mails of the thread that are so before: what is taken back is taken back of them alone. */
function mailsThat(as: string, where: Comparison, each?: Before['each']): Before {
  return {
    as,
    ...(each && { when: { at: `input.${each.of === 'added' ? 'add' : 'remove'}` }, each }),
    all: true,
    listing: { call: get, items: 'messages', paging: { by: 'none' } },
    where: [where],
    keep: { id: 'id' },
    missing: 'There is no such mail.',
  };
}

/** Changes labels of some mails. */
function relabel(ids: string, body: { addLabelIds?: unknown; removeLabelIds?: unknown }): Call {
  return { method: 'POST', path: '/users/me/messages/batchModify', body: { ids, ...body } };
}

function post(path: string): Call {
  return { method: 'POST', path: `/users/me/${path}` };
}

const known: NonNullable<Write['known']> = {
  also: [findHeader('subject', 'Subject'), findHeader('author', 'From')],
  about: '{{subject.0.text}}',
  shown: [
    { label: 'Thread', text: '{{subject.0.text}} ({{input.thread_id}})' },
    { label: 'Begun by', text: '{{author.0.text}}' },
  ],
};

const labelsOf = 'messages.*.labelIds';
const common = {
  risk: 'write',
  scopes: ['https://www.googleapis.com/auth/gmail.modify'],
  target: 'thread {{input.thread_id}}',
  known,
  handle: 'state',
  at: '',
  result,
} as const;

const labelThread: Write = {
  ...common,
  name: 'label_thread',
  example: { thread_id: '18f2c4d6e8a0b1c3', add: ['Invoices'] },
  summary: 'Put labels on a thread, or take them off.',
  requiresConfirmation: false,
  fields: { thread_id: thread, add: { ...labels, label: 'Add' }, remove: { ...labels, label: 'Take off' } },
  oneOf: ['add', 'remove'],
  editable: ['add', 'remove'],
  title: 'Label a thread',
  before: [
    findThread,
    findLabels('add'),
    findLabels('remove'),
    mailsThat('without', { at: 'labelIds', lacks: '{{label.id}}' }, { of: 'added', as: 'label' }),
    mailsThat('having', { at: 'labelIds', has: '{{label.id}}' }, { of: 'removed', as: 'label' }),
  ],
  call: modify({ addLabelIds: '{{added.*.id}}', removeLabelIds: '{{removed.*.id}}' }),
  lookups: [isLabelled({ at: labelsOf, has: '{{added.*.id}}' }, { at: labelsOf, lacks: '{{removed.*.id}}' })],
  undo: {
    says: 'Take the labels off again, and put those back that were taken off',
    forMinutes: 1_440,
    steps: [
      {
        each: { of: 'without', as: 'one' },
        when: { at: 'one.all.0' },
        call: relabel('{{one.all.*.id}}', { removeLabelIds: ['{{one.label.id}}'] }),
      },
      {
        each: { of: 'having', as: 'one' },
        when: { at: 'one.all.0' },
        call: relabel('{{one.all.*.id}}', { addLabelIds: ['{{one.label.id}}'] }),
      },
    ],
  },
};

const archiveThread: Write = {
  ...common,
  name: 'archive_thread',
  example: { thread_id: '18f2c4d6e8a0b1c3' },
  summary: 'Take a thread out of the inbox.',
  requiresConfirmation: false,
  fields: { thread_id: thread },
  editable: [],
  title: 'Archive a thread',
  before: [findThread, mailsThat('inboxed', { at: 'labelIds', has: 'INBOX' })],
  call: modify({ removeLabelIds: ['INBOX'] }),
  lookups: [isLabelled({ at: labelsOf, lacks: 'INBOX' })],
  undo: {
    says: 'Put back into the inbox what was there',
    forMinutes: 1_440,
    steps: [{ when: { at: 'inboxed.0' }, call: relabel('{{inboxed.*.id}}', { addLabelIds: ['INBOX'] }) }],
  },
};

const markAsRead: Write = {
  ...common,
  name: 'mark_as_read',
  example: { thread_id: '18f2c4d6e8a0b1c3' },
  summary: 'Mark all mails of a thread as read.',
  requiresConfirmation: false,
  fields: { thread_id: thread },
  editable: [],
  title: 'Mark a thread as read',
  before: [findThread, mailsThat('unread', { at: 'labelIds', has: 'UNREAD' })],
  call: modify({ removeLabelIds: ['UNREAD'] }),
  lookups: [isLabelled({ at: labelsOf, lacks: 'UNREAD' })],
  undo: {
    says: 'Mark as unread what was unread',
    forMinutes: 1_440,
    steps: [{ when: { at: 'unread.0' }, call: relabel('{{unread.*.id}}', { addLabelIds: ['UNREAD'] }) }],
  },
};

/** Destructive, although it can be undone: what is left in the bin is deleted after 30 days, and nobody asks again. */
const trashThread: Write = {
  ...common,
  name: 'trash_thread',
  example: { thread_id: '18f2c4d6e8a0b1c3' },
  summary: 'Put a thread into the bin.',
  risk: 'destructive',
  fields: { thread_id: thread },
  editable: [],
  title: 'Put a thread into the bin',
  notes: [{ label: 'Afterwards', text: 'Gmail deletes it for good after 30 days.' }],
  before: [
    findThread,
    mailsThat('binned', { at: 'labelIds', has: 'TRASH' }),
    mailsThat('kept', { at: 'labelIds', lacks: 'TRASH' }),
    mailsThat('inboxed', { at: 'labelIds', has: 'INBOX' }),
  ],
  call: post('threads/{{input.thread_id}}/trash'),
  lookups: [isLabelled({ at: labelsOf, has: 'TRASH' })],
  undo: {
    says: 'Take out of the bin what was put there',
    forMinutes: 1_440,
    steps: [
      { when: { at: 'binned.length', isOneOf: [0] }, call: post('threads/{{input.thread_id}}/untrash') },
      { each: { of: 'kept', as: 'mail' }, when: { at: 'binned.0' }, call: post('messages/{{mail.id}}/untrash') },
      { when: { at: 'inboxed.0' }, call: relabel('{{inboxed.*.id}}', { addLabelIds: ['INBOX'] }) },
    ],
  },
};

/** What is written in Gmail besides mails. */
export const gmailWrites: readonly Write[] = [labelThread, archiveThread, markAsRead, trashThread];
