// Writes at Discord, by a bot. Discord accepts a nonce once within minutes, and does not return it afterwards: a posted
// message is found by its fingerprint among new messages of the bot. https://docs.discord.com/developers/resources/message
import { z } from 'zod';
import { writePath, type ProviderApi } from '#providers/http';
import {
  defineWrite,
  findFirst,
  isLoosely,
  writeIfKnown,
  line,
  makeOptional,
  assertFound,
  pick,
  text,
} from '#providers/writing';
import { discordApi } from './account.ts';

const named = z.object({ id: z.string(), name: z.string() });
const channelOf = named.extend({
  guild_id: z.string().nullish(),
  type: z.number(),
  parent_id: z.string().nullish(),
});
const messageOf = z.object({ id: z.string(), content: z.string(), author: z.object({ id: z.string() }) });
type Channel = { id: string; name: string; server?: string | null; type?: number; parent?: string | null };

/** Text, voice, announcement and stage channels: the other types contain channels or threads. */
const forMessages = [0, 2, 5, 13];
const threads = [10, 11, 12];
/** The page size of a list. */
const [serversAtOnce, messagesAtOnce] = [200, 100];

function listServers(api: ProviderApi) {
  return api.list({
    answer: z.array(named),
    request: (after) => ({ path: '/users/@me/guilds', query: { limit: serversAtOnce, after } }),
    items: (answer) => answer,
    next: (answer) => (answer.length < serversAtOnce ? null : answer.at(-1)?.id),
  });
}

function getChannel(api: ProviderApi, id: string) {
  return api.find(channelOf, { path: writePath`/channels/${id}` });
}

/** Finds a channel by its id, which may also be a thread's, or by its name in a server. */
async function findChannel(api: ProviderApi, name: string, server: string | undefined): Promise<Channel> {
  if (/^[0-9]{15,20}$/.test(name)) {
    const found = assertFound(await getChannel(api, name), `There is no channel ${name} that this bot can see.`);
    return { id: found.id, name: found.name, server: found.guild_id, type: found.type, parent: found.parent_id };
  }
  const isMeant = (each: z.output<typeof named>) => server === undefined || each.name === server || each.id === server;
  const home = await pick(listServers(api), isMeant, {
    missing: `This bot is in no server that is called ${server ?? ''}.`,
    several: 'This bot is in several servers of that name: name one as server, or pass the id of the channel.',
  });
  const channels = await api.read(z.array(channelOf), { path: writePath`/guilds/${home.id}/channels` });
  const isCalled = (each: z.output<typeof channelOf>) => forMessages.includes(each.type) && each.name === name;
  const { id, guild_id } = await pick(channels, isCalled, {
    missing: `The server ${home.name} has no channel ${name}.`,
    several: `Several channels of ${home.name} are called ${name}: pass the channel's id.`,
  });
  return { id, name, server: guild_id };
}

/** A thread also counts for its channel, and both count for their server. */
async function buildFacts(api: ProviderApi, channel: Channel) {
  const parent = threads.includes(channel.type ?? 0)
    ? assertFound(await getChannel(api, channel.parent ?? ''), 'The channel of this thread was not found.')
    : undefined;
  const missing = `This bot is not in the server of ${channel.name}.`;
  const home = channel.server
    ? assertFound(await findFirst(listServers(api), ({ id }) => id === channel.server), missing)
    : undefined;
  const places = [channel, parent].flatMap((place) => (place ? [place.name, place.id] : []));
  return {
    names: places.flatMap((place) => [
      writeIfKnown`channel ${place}`,
      writeIfKnown`channel ${place} ${home?.name}`,
      writeIfKnown`channel ${place} ${home?.id}`,
    ]),
    shown: [
      { label: 'Channel', text: `#${channel.name} (${channel.id})` },
      { label: 'Thread of', text: writeIfKnown`#${parent?.name} (${parent?.id})` },
      { label: 'Server', text: writeIfKnown`${home?.name} (${home?.id})` },
    ],
  };
}

const buildResult = ({ id, name, server }: Channel, message: { id: string }) => ({
  message_id: message.id,
  channel: name,
  channel_id: id,
  link: `https://discord.com/channels/${server ?? ''}/${id}/${message.id}`,
});

const postMessage = defineWrite(
  { source: 'discord', api: discordApi },
  {
    name: 'post_message',
    example: { server: 'Engine', channel: 'general', text: 'The release is out.' },
    summary: 'Post a message to a channel or a thread of Discord, as the bot.',
    risk: 'write',
    fields: {
      channel: line('Channel', {
        about: "The channel's name, with or without #, or its id. For a thread, its id.",
        prefix: '#',
        most: 100,
      }),
      server: makeOptional(
        line('Server', {
          about: "The server's name or id, when the bot is in several servers and the channel is given by name.",
          most: 100,
        }),
      ),
      text: text('Text', { about: 'Markdown, and <@id> for a person.', most: 2_000 }),
    },
    editable: ['text'],
    title: (input) => `Message to #${input.channel}`,
    target: (input) => `channel ${input.channel} ${input.server ?? ''}`,
    otherNames: 'channel *',
    handle: 'fingerprint',

    async resolve(api, input) {
      const { id } = await api.read(z.object({ id: z.string() }), { path: '/users/@me' });
      return { me: { id }, channel: await findChannel(api, input.channel, input.server) };
    },
    snapshot: (api, { channel }) => buildFacts(api, channel),
    async send(api, input, { channel, draft }) {
      const body = { content: input.text, nonce: draft.nonce, enforce_nonce: true };
      const path = writePath`/channels/${channel.id}/messages`;
      return buildResult(channel, await api.write(z.object({ id: z.string() }), { method: 'POST', path, body }));
    },
    fingerprint: {
      list: (api, _input, { channel, me, draft }) =>
        api.list({
          answer: z.array(messageOf),
          request: (after = draft.since_snowflake) => ({
            path: writePath`/channels/${channel.id}/messages`,
            query: { limit: messagesAtOnce, after },
          }),
          items: (answer) => answer.filter(({ author }) => author.id === me.id),
          // Later messages are listed newest first, page by page.
          next: (answer) => (answer.length < messagesAtOnce ? null : answer[0]?.id),
        }),
      getId: ({ id }) => id,
      isLike: ({ content }, input) => isLoosely(content, input.text),
      key: (input) => input.text,
      result: (message, { channel }) => buildResult(channel, message),
      idIn: 'message_id',
    },
    undo: {
      says: 'Delete the message',
      forMinutes: 60,
      steps: (_input, { channel, result }) => [
        { method: 'DELETE', path: writePath`/channels/${channel.id}/messages/${result['message_id'] ?? ''}` },
      ],
    },
  },
);

/** The writes at Discord. */
export const discordWrites = [postMessage];
