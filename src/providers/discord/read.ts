// Discord: messages of the channels of servers that a bot was invited to. https://docs.discord.com/developers/reference
import { writePath, formatText, readValue } from '#providers/http';
import {
  createReadApi,
  createReadValue,
  defineStream,
  defineStreamSource,
  joinBlocks,
  describeList,
  readFields,
  writeBlock,
  writeText,
  type AnyStream,
  type ItemContent,
  type ListForm,
  type ReadApi,
} from '#providers/reading';
import { discordApi } from './account.ts';
import { readDiscordMessage } from './message.ts';

export const discord = defineStreamSource({
  name: 'discord',
  label: 'Discord',
  icon: 'Gamepad2',
  description:
    'Messages and threads of the channels that your bot is in become pages. Messages are posted with your approval.',
  provider: 'discord',
  // Only bots can read and write channels in Discord; people cannot consent to it.
  scopes: [],
  linkedBy: 'token',
  coverage: {
    goesBack:
      'Messages of the chosen days. Later edits and deletions show for messages of the last 3 days; threads show whenever somebody writes in them.',
    notRead: [
      'Direct messages, voice channels, private archived threads, and channels that the bot cannot see.',
      'Reactions, and the content of files. Only the names of files are read.',
      'Of a thread, more than its last 500 messages.',
    ],
  },
  revision: 2,
  openStreams(reader) {
    const api = createReadApi(discordApi, reader);
    return [createMessages(api), createActiveThreads(api), createArchivedThreads(api)];
  },
});

/** The parents of a list: a server, and for some lists a channel. */
type DiscordPlace = { guild: unknown; channel?: unknown };

/** https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
const [textChannel, announcements, forum] = [0, 5, 15];
/** 0 is a message, 19 a reply, 20 and 23 answers of apps to commands; the others report joins and pins. */
const messageTypes: readonly unknown[] = [0, 19, 20, 23];
const mostOfThread = 500;

/** A list without pages. */
const wholeList: ListForm = { next: () => null };

/** A list that continues after a given item; a page that is not full is the last. */
function describeIds(size: number, position: '0.id' | '-1.id'): ListForm {
  return { next: (_data, items) => (items.length < size ? null : readValue(items, position)) };
}

function findId(value: unknown): string {
  return formatText(readValue(value, 'id'));
}

async function listGuilds(api: ReadApi): Promise<unknown[]> {
  const build = (page: string | null) => ({
    path: '/users/@me/guilds',
    query: { limit: 200, after: page ?? undefined },
  });
  return api.listAll(build, describeIds(200, '-1.id'));
}

/** The channels of these types, in every server. */
async function listChannels(api: ReadApi, types: readonly unknown[]): Promise<DiscordPlace[]> {
  const places: DiscordPlace[] = [];
  for (const guild of await listGuilds(api)) {
    const channels = await api.listAll(() => ({ path: writePath`/guilds/${findId(guild)}/channels` }), wholeList);
    const wanted = channels.filter((channel) => types.includes(readValue(channel, 'type')));
    places.push(...wanted.map((channel) => ({ guild, channel })));
  }
  return places;
}

function describeLists(name: string, places: readonly DiscordPlace[]) {
  const lists = places.map((of) => {
    const parents = of.channel === undefined ? [of.guild] : [of.guild, of.channel];
    const named = parents.map((each) => ({ id: findId(each), label: String(readValue(each, 'name') ?? findId(each)) }));
    return { ...describeList({ name }, named), of };
  });
  return { lists, isWhole: true };
}

function createMessages(api: ReadApi): AnyStream {
  const name = 'messages';
  return defineStream<DiscordPlace>({
    name,
    type: 'message',
    findLists: async () => describeLists(name, await listChannels(api, [textChannel, announcements])),
    listPage({ of, since, page }) {
      const path = writePath`/channels/${findId(of.channel)}/messages`;
      // Later messages are listed newest first, page by page.
      return api.askPage({ path, query: { limit: 100, after: page ?? since } }, describeIds(100, '0.id'));
    },
    // Edits and deletions move no message up, so the last days are always read.
    since: { as: 'snowflake', overlapDays: 3 },
    readTimes: (message) => [readValue(message, 'timestamp')],
    absence: {},
    isLeftOut: (message) =>
      !messageTypes.includes(readValue(message, 'type')) || readDiscordMessage(message).words === '',
    leftOut: 'Messages that report joins and pins, and messages without words.',
    buildRef: (message, { channel }) => writeText`${readValue(channel, 'id')}:${readValue(message, 'id')}`,
    readItem: async (message, place) => readMessage(message, place),
  });
}

function readMessage(message: unknown, { guild, channel }: DiscordPlace): ItemContent {
  const { words, by } = readDiscordMessage(message);
  return {
    title: writeText`#${readValue(channel, 'name')}: ${words}`,
    body: joinBlocks([by.trim(), words.trim()]),
    frontmatter: {
      ...readFields(createReadValue({ guild, channel, message }), {
        server: 'guild.name',
        channel: 'channel.name',
        channel_id: 'channel.id',
        edited: 'message.edited_timestamp',
      }),
      user: by,
    },
    author: by,
    occurredAt: readValue(message, 'timestamp'),
  };
}

function createActiveThreads(api: ReadApi): AnyStream {
  const name = 'threads';
  return defineStream<DiscordPlace>({
    ...describeThread(api),
    name,
    findLists: async () =>
      describeLists(
        name,
        (await listGuilds(api)).map((guild) => ({ guild })),
      ),
    listPage: ({ of }) =>
      api.askPage({ path: writePath`/guilds/${findId(of.guild)}/threads/active` }, { ...wholeList, items: 'threads' }),
    since: { as: 'snowflake', overlapDays: 3, isUnsorted: true },
    readTimes: (thread) => [readValue(thread, 'last_message_id')],
  });
}

function createArchivedThreads(api: ReadApi): AnyStream {
  const name = 'archived threads';
  const form: ListForm = {
    items: 'threads',
    next: (data) =>
      readValue(data, 'has_more') ? readValue(data, 'threads.-1.thread_metadata.archive_timestamp') : null,
  };
  return defineStream<DiscordPlace>({
    ...describeThread(api),
    name,
    findLists: async () => describeLists(name, await listChannels(api, [textChannel, announcements, forum])),
    listPage({ of, page }) {
      const path = writePath`/channels/${findId(of.channel)}/threads/archived/public`;
      return api.askPage({ path, query: { limit: 100, before: page ?? undefined } }, form);
    },
    since: { as: 'iso', isNewestFirst: true },
    readTimes: (thread) => [readValue(thread, 'thread_metadata.archive_timestamp')],
  });
}

/** The common parts of both lists of threads. */
function describeThread(api: ReadApi) {
  return {
    type: 'message',
    buildRef: (thread: unknown) => writeText`thread:${readValue(thread, 'id')}`,
    hasDetails: true,
    readItem: (thread: unknown, { guild }: DiscordPlace) => readThread(api, thread, guild),
  };
}

async function readThread(api: ReadApi, thread: unknown, guild: unknown): Promise<ItemContent> {
  const path = writePath`/channels/${findId(thread)}/messages`;
  // Read from the newest message back: of a very long thread, the last messages matter.
  const messages = await api.listAll(
    (page) => ({ path, query: { limit: 100, before: page ?? undefined } }),
    describeIds(100, '-1.id'),
    mostOfThread,
  );
  const said = messages.map((message) => ({ ...readDiscordMessage(message), at: readValue(message, 'timestamp') }));
  const withWords = said.filter(({ words }) => words !== '').reverse();
  const first = said.at(-1);
  return {
    title: writeText`${readValue(guild, 'name')}: ${readValue(thread, 'name')}`,
    body: joinBlocks([
      writeBlock`${readValue(guild, 'name')}, ${readValue(thread, 'name')}`,
      ...withWords.map(({ by, at: time, words }) => writeText`---\n\n${by}, ${time}\n\n${words}`),
    ]),
    frontmatter: readFields(createReadValue({ guild, thread }), {
      server: 'guild.name',
      thread: 'thread.name',
      channel_id: 'thread.parent_id',
    }),
    author: first?.by ?? '',
    occurredAt: first?.at,
    leftOut: messages.length >= mostOfThread ? [`More than ${mostOfThread} messages: only the first are read.`] : [],
  };
}
