import type { Descriptor, Level, Stream } from '#providers/described';
import type { Call, Listing } from '#providers/http';
import { discordApi } from './account.ts';
import { readDiscordMessage } from './message.ts';

function get(path: string, queryParams: NonNullable<Call['queryParams']> = {}): Call {
  return { method: 'GET', path, queryParams };
}

const guilds: Level = {
  listing: {
    call: get('/users/@me/guilds', { limit: 200, after: '{{page}}' }),
    items: '',
    paging: { by: 'token', at: '-1.id', size: 200 },
  },
  as: 'guild',
  id: 'id',
};

/** Text channels are 0, announcements 5, forums 15. */
function channels(types: readonly number[]): Level {
  return {
    listing: { call: get('/guilds/{{guild.id}}/channels'), items: '', paging: { by: 'none' } },
    as: 'channel',
    id: 'id',
    only: { at: 'type', isOneOf: types },
  };
}

/** From the newest back: of an endless thread the last messages count. */
const messagesOfThread: Listing = {
  call: get('/channels/{{item.id}}/messages', { limit: 100, before: '{{page}}' }),
  items: '',
  paging: { by: 'token', at: '-1.id', size: 100 },
};

const thread: Pick<Stream, 'details' | 'page' | 'messages'> = {
  messages: readDiscordMessage,
  details: [{ listing: messagesOfThread, as: 'messages', most: 500 }],
  page: {
    type: 'message',
    ref: 'thread:{{item.id}}',
    title: '{{guild.name}}: {{item.name}}',
    body: ['{{guild.name}}, {{item.name}}'],
    parts: [
      {
        of: 'messages',
        as: 'message',
        text: '---\n\n{{message.by}}, {{message.timestamp}}\n\n{{message.words}}',
        only: { at: 'message.words' },
        isReversed: true,
      },
    ],
    frontmatter: { server: '{{guild.name}}', thread: '{{item.name}}', channel_id: '{{item.parent_id}}' },
    author: '{{messages.-1.by}}',
    occurredAt: '{{messages.-1.timestamp}}',
  },
};

/** Discord: messages of the channels that a bot was invited to. https://docs.discord.com/developers/reference */
export const discord: Descriptor = {
  name: 'discord',
  label: 'Discord',
  description:
    'Messages and threads of the channels that your bot is in become pages. Messages are posted once you confirm.',
  provider: 'discord',
  // Discord lets bots read and write in channels, and no person's consent.
  scopes: [],
  linkedBy: 'token',
  api: discordApi,
  coverage: {
    goesBack:
      'Messages of the chosen days. Later edits and deletions show for messages of the last 3 days; threads show whenever somebody writes in them.',
    notRead: [
      'Direct messages, voice channels, private archived threads, and channels that the bot cannot see.',
      'Reactions, and the content of files: their names are read.',
      'Of a thread, more than its last 500 messages.',
    ],
  },
  revision: 2,
  streams: [
    {
      name: 'messages',
      each: [guilds, channels([0, 5])],
      listing: {
        call: get('/channels/{{channel.id}}/messages', { limit: 100, after: '{{since}}' }),
        nextCall: get('/channels/{{channel.id}}/messages', { limit: 100, after: '{{page}}' }),
        items: '',
        // Later messages are listed newest first, page by page.
        paging: { by: 'token', at: '0.id', size: 100 },
      },
      // Edits and deletions move no message up, so the last days are always read.
      since: { at: 'timestamp', as: 'snowflake', overlapDays: 3 },
      absence: {},
      messages: readDiscordMessage,
      leftOut: 'Messages that report joins and pins, and messages without words.',
      // 0 is a message, 19 a reply, 20 and 23 answers of apps to commands; the others report joins and pins.
      leaveOut: [
        { at: 'type', isNot: [0, 19, 20, 23] },
        { at: 'words', isOneOf: [''] },
      ],
      page: {
        type: 'message',
        ref: '{{channel.id}}:{{item.id}}',
        title: '#{{channel.name}}: {{item.words}}',
        body: ['{{item.by}}', '{{item.words}}'],
        frontmatter: {
          server: '{{guild.name}}',
          channel: '{{channel.name}}',
          channel_id: '{{channel.id}}',
          user: '{{item.by}}',
          edited: '{{item.edited_timestamp}}',
        },
        author: '{{item.by}}',
        occurredAt: '{{item.timestamp}}',
      },
    },
    {
      name: 'threads',
      each: [guilds],
      listing: { call: get('/guilds/{{guild.id}}/threads/active'), items: 'threads', paging: { by: 'none' } },
      since: { at: 'last_message_id', as: 'snowflake', overlapDays: 3, isUnsorted: true },
      ...thread,
    },
    {
      name: 'archived threads',
      each: [guilds, channels([0, 5, 15])],
      listing: {
        call: get('/channels/{{channel.id}}/threads/archived/public', { limit: 100, before: '{{page}}' }),
        items: 'threads',
        paging: { by: 'token', at: 'threads.-1.thread_metadata.archive_timestamp', while: { at: 'has_more' } },
      },
      since: { at: 'thread_metadata.archive_timestamp', as: 'iso', isNewestFirst: true },
      ...thread,
    },
  ],
};
