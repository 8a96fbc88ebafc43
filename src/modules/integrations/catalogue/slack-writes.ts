// What is written at Slack. It has no handle for what is sent twice, but keeps metadata with a message, and shows it to who asks for
// it. https://docs.slack.dev/messaging/message-metadata
import type { Call, Listing } from './pieces.ts';
import type { Before, Comparison, Field, Write } from './write.ts';

const metadata = { event_type: 'thalamus_draft', event_payload: { draft_id: '{{draft.id}}' } };
const isMarked: Comparison = { at: 'metadata.event_payload.draft_id', is: '{{draft.id}}' };
const notes = [
  {
    label: 'Also sent',
    text: 'The id of this draft, as metadata that people do not see; by it can be told later whether this was sent.',
  },
];

const channel: Field = {
  kind: 'line',
  label: 'Channel',
  about: 'Its name, with or without #, or its id.',
  prefix: '#',
  most: 100,
};
const text: Field = {
  kind: 'text',
  label: 'Text',
  about: "Slack's markup: *bold*, <https://example.com|a link>, <@U0123> for a person.",
  // Slack cuts what is longer than 40,000, with & and < written as it writes them.
  most: 30_000,
};

function timestamp(label: string, about: string): Field {
  const shape = {
    pattern: '^[0-9]{1,12}\\.[0-9]{1,6}$',
    says: 'must be the ts of a message, such as 1729000000.000100',
  };
  return { kind: 'line', label, about, shape };
}

function form(path: string, fields: NonNullable<Call['form']>): Call {
  return { method: 'POST', path, form: fields };
}

function list(path: string, fields: NonNullable<Call['form']>, items: string): Listing {
  return {
    call: form(path, { ...fields, limit: 200, cursor: '{{page}}' }),
    items,
    paging: { by: 'token', at: 'response_metadata.next_cursor' },
  };
}

/** Among those the account is in: elsewhere it could not look for what it posted. */
const findChannel: Before = {
  as: 'channel',
  listing: list(
    '/users.conversations',
    { types: 'public_channel,private_channel', exclude_archived: true },
    'channels',
  ),
  where: [{ at: ['name', 'id'], is: '{{input.channel}}' }],
  keep: { id: 'id', name: 'name' },
  missing: 'There is no channel {{input.channel}} that this account is in.',
};

/** A message by itself is a thread of one. */
function thread(ts: string, fields: NonNullable<Call['form']> = {}): Listing {
  return list('/conversations.replies', { channel: '{{channel.id}}', ts, ...fields }, 'messages');
}

const known: NonNullable<Write['known']> = {
  names: ['channel {{channel.name}}', 'channel {{channel.id}}'],
  shown: [{ label: 'Channel', text: '#{{channel.name}} ({{channel.id}})' }],
};

const postMessage: Write = {
  name: 'post_message',
  example: { channel: '#general', text: 'The release is out.' },
  summary: 'Post a message to a channel of Slack, or a reply to a thread.',
  risk: 'write',
  fields: {
    channel,
    text,
    thread_ts: {
      ...timestamp('In reply to', 'The ts of the message that begins the thread, such as 1729000000.000100.'),
      isOptional: true,
    },
  },
  editable: ['text'],
  target: 'channel {{input.channel}}',
  known,
  title: 'Message to #{{input.channel}}',
  notes,
  handle: 'mark',
  before: [
    findChannel,
    {
      as: 'thread',
      when: { at: 'input.thread_ts' },
      one: {
        call: form('/conversations.replies', { channel: '{{channel.id}}', ts: '{{input.thread_ts}}', limit: 1 }),
        at: 'messages.0',
      },
      where: [{ at: 'ts', is: '{{input.thread_ts}}' }],
      keep: { ts: 'ts' },
      missing: 'There is no message {{input.thread_ts}} in {{input.channel}} that begins a thread.',
    },
  ],
  call: {
    method: 'POST',
    path: '/chat.postMessage',
    body: { channel: '{{channel.id}}', text: '{{input.text}}', thread_ts: '{{thread.ts}}', metadata },
  },
  doneWhen: { at: 'ts' },
  at: '',
  result: { channel: '{{channel.name}}', channel_id: '{{channel.id}}', ts: '{{item.ts}}', thread_ts: '{{thread.ts}}' },
  lookups: [
    {
      when: { at: 'input.thread_ts' },
      listing: thread('{{thread.ts}}', { oldest: '{{draft.since_seconds}}', include_all_metadata: true }),
      where: [isMarked],
    },
    {
      listing: list(
        '/conversations.history',
        { channel: '{{channel.id}}', oldest: '{{draft.since_seconds}}', include_all_metadata: true },
        'messages',
      ),
      where: [isMarked],
    },
  ],
  undo: {
    says: 'Delete the message again',
    forMinutes: 60,
    steps: [
      {
        call: {
          method: 'POST',
          path: '/chat.delete',
          body: { channel: '{{channel.id}}', ts: '{{result.ts}}' },
        },
      },
    ],
  },
};

const updateMessage: Write = {
  name: 'update_message',
  example: { channel: '#general', ts: '1717243200.000100', text: 'The release is out at last.' },
  summary: 'Change the text of a message of your own in Slack.',
  risk: 'write',
  fields: {
    channel,
    ts: timestamp('Message', 'Its ts, as post_message answered it.'),
    text: { ...text, about: `${text.about} It takes the place of the whole text.` },
  },
  editable: ['text'],
  target: 'channel {{input.channel}}',
  known: { ...known, was: { text: '{{message.text}}' } },
  title: 'Change a message in #{{input.channel}}',
  notes,
  handle: 'mark',
  before: [
    findChannel,
    {
      as: 'message',
      listing: thread('{{input.ts}}'),
      where: [{ at: 'ts', is: '{{input.ts}}' }],
      keep: { ts: 'ts', text: 'text', edited: 'edited.ts' },
      missing: 'There is no message {{input.ts}} in {{input.channel}}.',
    },
  ],
  call: {
    method: 'POST',
    path: '/chat.update',
    body: { channel: '{{channel.id}}', ts: '{{message.ts}}', text: '{{input.text}}', metadata },
  },
  doneWhen: { at: 'ts' },
  at: '',
  result: { channel: '{{channel.name}}', channel_id: '{{channel.id}}', ts: '{{item.ts}}' },
  lookups: [
    {
      listing: thread('{{message.ts}}', { include_all_metadata: true }),
      which: [{ at: 'ts', is: '{{message.ts}}' }],
      where: [isMarked],
      // Whoever changes it after us takes our mark away.
      version: { at: 'edited.ts', was: '{{message.edited}}' },
    },
  ],
};

/** What can be written at Slack. */
export const slackWrites: readonly Write[] = [postMessage, updateMessage];
