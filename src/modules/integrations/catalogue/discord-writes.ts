// What is written at Discord, by a bot. It takes a nonce once within minutes, and does not tell it afterwards: what was posted is
// known by its likeness among what is new of the bot. https://docs.discord.com/developers/resources/message
import type { Call } from './pieces.ts';
import type { Before, Write } from './write.ts';

function get(path: string, queryParams: NonNullable<Call['queryParams']> = {}): Call {
  return { method: 'GET', path, queryParams };
}

const me: Before = {
  as: 'me',
  one: { call: get('/users/@me'), at: '' },
  keep: { id: 'id' },
  missing: 'Discord does not say who this bot is.',
};

/** By its id, which threads have too, or by its name in a server. */
const findChannel: readonly Before[] = [
  {
    as: 'channel',
    when: { at: 'ids.channel' },
    one: { call: get('/channels/{{ids.channel}}'), at: '' },
    keep: { id: 'id', name: 'name', server: 'guild_id', type: 'type', parent: 'parent_id' },
    missing: 'There is no channel {{input.channel}} that this bot can see.',
  },
  {
    as: 'server',
    when: { at: 'names.channel' },
    listing: {
      call: get('/users/@me/guilds', { limit: 200, after: '{{page}}' }),
      items: '',
      paging: { by: 'token', at: '-1.id', size: 200 },
    },
    where: [{ at: ['name', 'id'], is: '{{input.server}}' }],
    keep: { id: 'id', name: 'name' },
    missing: 'This bot is in no server that is called {{input.server}}.',
    several: 'This bot is in several servers that are meant: name one as server, or pass the id of the channel.',
  },
  {
    as: 'channel',
    when: { at: 'names.channel' },
    listing: { call: get('/guilds/{{server.id}}/channels'), items: '', paging: { by: 'none' } },
    // Text, voice, announcements, and stages: the others hold channels, or threads.
    only: { at: 'type', isOneOf: [0, 2, 5, 13] },
    where: [{ at: 'name', is: '{{names.channel}}' }],
    keep: { id: 'id', name: 'name', server: 'guild_id' },
    missing: 'The server {{server.name}} has no channel {{input.channel}}.',
    several: 'Several channels of {{server.name}} are called {{input.channel}}: pass the id of the one that is meant.',
  },
];

const ofServer = { at: 'channel.server' };

/** A thread is of its channel, too. */
const known: NonNullable<Write['known']> = {
  also: [
    {
      as: 'parent',
      when: { at: 'channel.type', isOneOf: [10, 11, 12] },
      one: { call: get('/channels/{{channel.parent}}'), at: '' },
      keep: { id: 'id', name: 'name' },
      missing: 'There is no channel that this thread is of.',
    },
    {
      as: 'home',
      when: ofServer,
      listing: {
        call: get('/users/@me/guilds', { limit: 200, after: '{{page}}' }),
        items: '',
        paging: { by: 'token', at: '-1.id', size: 200 },
      },
      where: [{ at: 'id', is: '{{channel.server}}' }],
      keep: { id: 'id', name: 'name' },
      missing: 'This bot is not in the server of {{input.channel}}.',
    },
  ],
  names: ['channel', 'parent'].flatMap((which) =>
    ['name', 'id'].flatMap((form) => [
      `channel {{${which}.${form}}}`,
      `channel {{${which}.${form}}} {{home.name}}`,
      `channel {{${which}.${form}}} {{home.id}}`,
    ]),
  ),
  shown: [
    { label: 'Channel', text: '#{{channel.name}} ({{channel.id}})' },
    { label: 'Thread of', text: '#{{parent.name}} ({{parent.id}})' },
    { label: 'Server', text: '{{home.name}} ({{home.id}})' },
  ],
};

const postMessage: Write = {
  name: 'post_message',
  example: { server: 'Engine', channel: 'general', text: 'The release is out.' },
  summary: 'Post a message to a channel or a thread of Discord, as the bot.',
  risk: 'write',
  fields: {
    channel: {
      kind: 'line',
      label: 'Channel',
      about: 'Its name, with or without #, or its id; a thread by its id.',
      prefix: '#',
      most: 100,
      id: '^[0-9]{15,20}$',
    },
    server: {
      kind: 'line',
      label: 'Server',
      about: 'Its name or its id, when the bot is in several and the channel is named.',
      most: 100,
      isOptional: true,
    },
    text: { kind: 'text', label: 'Text', about: 'Markdown, and <@id> for a person.', most: 2_000 },
  },
  editable: ['text'],
  target: 'channel {{input.channel}} {{input.server}}',
  known,
  title: 'Message to #{{input.channel}}',
  handle: 'likeness',
  before: [me, ...findChannel],
  call: {
    method: 'POST',
    path: '/channels/{{channel.id}}/messages',
    body: { content: '{{input.text}}', nonce: '{{draft.nonce}}', enforce_nonce: true },
  },
  doneWhen: { at: 'id' },
  at: '',
  result: {
    message_id: '{{item.id}}',
    channel: '{{channel.name}}',
    channel_id: '{{channel.id}}',
    link: 'https://discord.com/channels/{{channel.server}}/{{channel.id}}/{{item.id}}',
  },
  lookups: [
    {
      listing: {
        call: get('/channels/{{channel.id}}/messages', { limit: 100, after: '{{draft.since_snowflake}}' }),
        nextCall: get('/channels/{{channel.id}}/messages', { limit: 100, after: '{{page}}' }),
        items: '',
        // What comes after a message is answered newest first, page by page.
        paging: { by: 'token', at: '0.id', size: 100 },
      },
      where: [{ at: 'author.id', is: '{{me.id}}' }],
      like: [{ at: 'content', is: '{{input.text}}', isLoose: true }],
      isNew: 'id',
    },
  ],
  undo: {
    says: 'Delete the message again',
    forMinutes: 60,
    steps: [{ call: { method: 'DELETE', path: '/channels/{{channel.id}}/messages/{{result.message_id}}' } }],
  },
};

/** What can be written at Discord. */
export const discordWrites: readonly Write[] = [postMessage];
