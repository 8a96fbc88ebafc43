import type { Descriptor } from '#providers/described';
import { slackApi } from './account.ts';
import { readSlackMessage } from './message.ts';

/** Slack: a thread of a channel the account is in becomes a page. https://docs.slack.dev/apis/web-api */
export const slack: Descriptor = {
  name: 'slack',
  label: 'Slack',
  description: 'Threads of the channels you are in become pages. Messages are posted once you confirm.',
  provider: 'slack',
  scopes: [
    { scope: 'channels:read', why: 'See which public channels you are in.' },
    { scope: 'channels:history', why: 'Read the messages of these channels.' },
    { scope: 'groups:read', why: 'See which private channels you are in.' },
    { scope: 'groups:history', why: 'Read the messages of these channels.' },
    { scope: 'users:read', why: 'Show names instead of ids.' },
    { scope: 'chat:write', why: 'Post the messages that you confirmed, and change your own.', for: 'act' },
  ],
  api: slackApi,
  coverage: {
    goesBack:
      'Messages of the chosen days. Later replies and edits show for messages of the last 90 days, in a channel with many messages up to a day later.',
    notRead: [
      'Direct messages, and channels that the account is not in.',
      'Reactions, and the content of files: their names are read.',
      'Messages that report joins, leaves, names and topics.',
      'Of threads older than 3 days, replies that are edited or deleted.',
    ],
  },
  revision: 2,
  streams: [
    {
      name: 'threads',
      each: [
        {
          listing: {
            call: {
              method: 'POST',
              path: '/conversations.list',
              form: {
                types: 'public_channel,private_channel',
                exclude_archived: true,
                limit: 200,
                cursor: '{{page}}',
              },
            },
            items: 'channels',
            paging: { by: 'token', at: 'response_metadata.next_cursor' },
          },
          as: 'channel',
          id: 'id',
          only: { at: 'is_member' },
        },
      ],
      listing: {
        call: {
          method: 'POST',
          path: '/conversations.history',
          form: {
            channel: '{{channel.id}}',
            oldest: '{{since}}',
            inclusive: true,
            limit: 200,
            cursor: '{{page}}',
          },
        },
        items: 'messages',
        paging: { by: 'token', at: 'response_metadata.next_cursor' },
      },
      // A reply and an edit do not move a message, but are told with it. An edited or deleted reply is told nowhere: the
      // threads of the last days are always read.
      since: { at: 'ts', as: 'seconds', overlapDays: 3, also: ['latest_reply', 'edited.ts'], lookBackDays: 90 },
      absence: {},
      messages: readSlackMessage,
      leftOut: 'Messages that report joins, leaves, names and topics.',
      leaveOut: [
        {
          at: 'subtype',
          isOneOf: ['channel_join', 'channel_leave', 'channel_topic', 'channel_purpose', 'channel_name'],
        },
      ],
      lookups: [
        {
          as: 'users',
          id: 'id',
          name: 'real_name',
          listing: {
            call: { method: 'POST', path: '/users.list', form: { limit: 200, cursor: '{{page}}' } },
            items: 'members',
            paging: { by: 'token', at: 'response_metadata.next_cursor' },
          },
        },
      ],
      details: [
        {
          when: { at: 'item.reply_count' },
          as: 'replies',
          listing: {
            call: {
              method: 'POST',
              path: '/conversations.replies',
              form: { channel: '{{channel.id}}', ts: '{{item.ts}}', limit: 100, cursor: '{{page}}' },
            },
            items: 'messages',
            paging: { by: 'token', at: 'response_metadata.next_cursor' },
          },
        },
      ],
      page: {
        type: 'message',
        ref: '{{channel.id}}:{{item.ts}}',
        title: '#{{channel.name}}: {{item.words}}',
        body: ['{{item.by}}', '{{item.words}}'],
        // The first of the replies is the message itself.
        parts: [{ of: 'replies', as: 'reply', text: '---\n\n{{reply.by}}\n\n{{reply.words}}', skip: 1 }],
        frontmatter: {
          channel: '{{channel.name}}',
          channel_id: '{{channel.id}}',
          ts: '{{item.ts}}',
          user: '{{item.by}}',
        },
        author: '{{item.by}}',
        occurredAt: '{{item.ts}}',
        goneWhen: { at: 'item.subtype', isOneOf: ['tombstone'] },
      },
    },
  ],
};
