// Slack: a thread of a channel that the account is in becomes a page. https://docs.slack.dev/apis/web-api
import { formatText, readValue, type Values } from '#providers/http';
import {
  createReadApi,
  defineStream,
  defineStreamSource,
  joinBlocks,
  describeList,
  writeText,
  type AnyStream,
  type ItemContent,
  type ListForm,
  type ReadApi,
} from '#providers/reading';
import { slackApi } from './account.ts';
import { readSlackMessage } from './message.ts';

const leftOut = 'Messages that report joins, leaves, names and topics.';

export const slack = defineStreamSource({
  name: 'slack',
  label: 'Slack',
  icon: 'Hash',
  description: 'Threads of the channels you are in become pages. Messages are posted with your approval.',
  provider: 'slack',
  scopes: [
    { scope: 'channels:read', why: 'See which public channels you are in.' },
    { scope: 'channels:history', why: 'Read the messages of these channels.' },
    { scope: 'groups:read', why: 'See which private channels you are in.' },
    { scope: 'groups:history', why: 'Read the messages of these channels.' },
    { scope: 'users:read', why: 'Show names instead of ids.' },
    { scope: 'chat:write', why: 'Post messages with your approval, and change your own.', for: 'act' },
  ],
  coverage: {
    goesBack:
      'Messages of the chosen days. Later replies and edits show for messages of the last 90 days, in a channel with many messages up to a day later.',
    notRead: [
      'Direct messages, and channels that the account is not in.',
      'Reactions, and the content of files. Only the names of files are read.',
      leftOut,
      'Of threads older than 3 days, replies that are edited or deleted.',
    ],
  },
  revision: 2,
  openStreams: (reader) => [createThreads(createReadApi(slackApi, reader))],
});

const reports: readonly unknown[] = [
  'channel_join',
  'channel_leave',
  'channel_topic',
  'channel_purpose',
  'channel_name',
];

/** A Slack list. All methods return the next cursor in the same field. */
function describeSlackList(items: string): ListForm {
  return { items, next: (data) => readValue(data, 'response_metadata.next_cursor') };
}

function buildForm(path: string, form: Readonly<Record<string, string | number | boolean>>, page: string | null) {
  return { path, form: { ...form, cursor: page ?? undefined } };
}

function createThreads(api: ReadApi): AnyStream {
  const name = 'threads';
  let names: Promise<Values> | undefined;
  return defineStream<unknown>({
    name,
    type: 'message',
    async findLists() {
      const lists = (await listChannels(api)).map((of) => {
        const id = String(readValue(of, 'id'));
        return { ...describeList({ name }, [{ id, label: String(readValue(of, 'name') ?? id) }]), of };
      });
      return { lists, isWhole: true };
    },
    listPage({ of, since, page }) {
      const form = { channel: formatText(readValue(of, 'id')), oldest: since, inclusive: true, limit: 200 };
      return api.askPage(buildForm('/conversations.history', form, page), describeSlackList('messages'));
    },
    // Replies and edits do not move a message in the list, but they show on it. An edited or deleted reply shows
    // nowhere, so the threads of the last days are always read again.
    since: { as: 'seconds', overlapDays: 3, lookBackDays: 90 },
    readTimes: (message) => ['ts', 'latest_reply', 'edited.ts'].map((path) => readValue(message, path)),
    absence: {},
    isLeftOut: (message) => reports.includes(readValue(message, 'subtype')),
    leftOut,
    buildRef: (message, channel) => writeText`${readValue(channel, 'id')}:${readValue(message, 'ts')}`,
    isGone: (message) => readValue(message, 'subtype') === 'tombstone',
    hasDetails: true,
    readNames: () => (names ??= readNames(api)),
    readItem: (message, channel, known) => readThread(api, message, channel, known),
  });
}

async function listChannels(api: ReadApi): Promise<unknown[]> {
  const form = { types: 'public_channel,private_channel', exclude_archived: true, limit: 200 };
  const all = await api.listAll((page) => buildForm('/conversations.list', form, page), describeSlackList('channels'));
  return all.filter((channel) => readValue(channel, 'is_member'));
}

/** People's names, by id. */
async function readNames(api: ReadApi): Promise<Values> {
  const people = await api.listAll(
    (page) => buildForm('/users.list', { limit: 200 }, page),
    describeSlackList('members'),
  );
  return Object.fromEntries(people.map((each) => [String(readValue(each, 'id')), readValue(each, 'real_name')]));
}

async function readThread(api: ReadApi, message: unknown, channel: unknown, names: Values): Promise<ItemContent> {
  const ts = formatText(readValue(message, 'ts'));
  const form = { channel: formatText(readValue(channel, 'id')), ts, limit: 100 };
  const thread = readValue(message, 'reply_count')
    ? await api.listAll((page) => buildForm('/conversations.replies', form, page), describeSlackList('messages'))
    : [];
  const { words, by } = readSlackMessage(message, names);
  // The first message of the thread is the message itself.
  const replies = thread.slice(1).map((reply) => readSlackMessage(reply, names));
  const channelName = formatText(readValue(channel, 'name'));
  return {
    title: writeText`#${channelName}: ${words}`,
    body: joinBlocks([
      by.trim(),
      words.trim(),
      ...replies.map((reply) => writeText`---\n\n${reply.by}\n\n${reply.words}`),
    ]),
    frontmatter: { channel: channelName, channel_id: form.channel, ts, user: by },
    author: by,
    occurredAt: readValue(message, 'ts'),
  };
}
