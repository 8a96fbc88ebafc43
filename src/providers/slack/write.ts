// Writes at Slack. It has no protection against duplicates, but stores metadata with a message and returns it on
// request. https://docs.slack.dev/messaging/message-metadata
import { z } from 'zod';
import type { ListRequest, ProviderApi, Request } from '#providers/http';
import {
  judgeChange,
  defineWrite,
  findFirst,
  line,
  makeOptional,
  assertFound,
  pick,
  text as textField,
} from '#providers/writing';
import { slackApi } from './account.ts';
import { convertMarkdown } from './markdown.ts';

const slack = { source: 'slack', api: slackApi };

const channelOf = z.object({ id: z.string(), name: z.string() });
const messageOf = z.object({
  ts: z.string(),
  text: z.string().nullish(),
  edited: z.object({ ts: z.string() }).nullish(),
  metadata: z.object({ event_payload: z.object({ draft_id: z.unknown() }).nullish() }).nullish(),
});
const posted = z.object({ ts: z.string() });
type Channel = z.output<typeof channelOf>;
type Message = z.output<typeof messageOf>;

const channel = line('Channel', { about: "The channel's name, with or without #, or its id.", prefix: '#', most: 100 });
const about =
  "Slack's markup: *bold*, <https://example.com|a link>, <@U0123> for a person. Markdown's **bold**, ~~struck~~, links and headings become Slack's.";
/** Slack cuts messages longer than 40,000 characters, counted with & and < escaped. */
const longestText = 30_000;
const text = textField('Text', { about, most: longestText, convert: convertMarkdown });
const shape = { pattern: '^[0-9]{1,12}\\.[0-9]{1,6}$', says: 'must be the ts of a message, such as 1729000000.000100' };

const buildMetadata = ({ id }: { id: string }) => ({ event_type: 'thalamus_draft', event_payload: { draft_id: id } });
const isMarked = ({ metadata }: Message, { id }: { id: string }) => metadata?.event_payload?.draft_id === id;
const notes = [
  {
    label: 'Also sent',
    text: 'A hidden tracking id in the metadata confirms delivery.',
  },
];

function buildFormRequest(path: string, fields: NonNullable<Request['form']>): Request {
  return { method: 'POST', path, form: fields };
}

const cursor = z.object({ next_cursor: z.string().nullish() }).nullish();
const readNextCursor = ({ response_metadata: metadata }: { response_metadata?: z.output<typeof cursor> }) =>
  metadata?.next_cursor;

/** Only channels that the account is in: elsewhere it could not find its own message. */
async function findChannel(api: ProviderApi, name: string): Promise<Channel> {
  const types = { types: 'public_channel,private_channel', exclude_archived: true, limit: 200 };
  const channels = api.list({
    answer: z.object({ channels: z.array(channelOf), response_metadata: cursor }),
    request: (page) => buildFormRequest('/users.conversations', { ...types, cursor: page }),
    items: (answer) => answer.channels,
    next: readNextCursor,
  });
  const missing = `There is no channel ${name} that this account is in.`;
  const { id, name: called } = await pick(channels, (each) => each.name === name || each.id === name, { missing });
  return { id, name: called };
}

const page = z.object({ messages: z.array(messageOf), response_metadata: cursor });

function createMessagesRequest(path: string, fields: NonNullable<Request['form']>): ListRequest<typeof page, Message> {
  return {
    answer: page,
    request: (at) => buildFormRequest(path, { ...fields, limit: 200, cursor: at }),
    items: (answer) => answer.messages,
    next: readNextCursor,
  };
}

/** A single message is a thread of one. */
function createThreadRequest(api: ProviderApi, channelId: string, ts: string, more: NonNullable<Request['form']> = {}) {
  return api.list(createMessagesRequest('/conversations.replies', { channel: channelId, ts, ...more }));
}

const buildFacts = ({ channel: { id, name } }: { channel: Channel }) => ({
  names: [`channel ${name}`, `channel ${id}`],
  shown: [{ label: 'Channel', text: `#${name} (${id})` }],
});
const buildResult = ({ id, name }: Channel, { ts }: { ts: string }) => ({ channel: name, channel_id: id, ts });

const postMessage = defineWrite(slack, {
  name: 'post_message',
  example: { channel: '#general', text: 'The release is out.' },
  summary: 'Post a message to a channel of Slack, or a reply to a thread.',
  risk: 'write',
  fields: {
    channel,
    text,
    thread_ts: makeOptional(
      line('In reply to', {
        about: "The ts of the thread's first message, such as 1729000000.000100.",
        shape,
      }),
    ),
  },
  editable: ['text'],
  title: (input) => `Message to #${input.channel}`,
  notes,
  target: (input) => `channel ${input.channel}`,
  otherNames: 'channel *',
  handle: 'mark',

  async resolve(api, { channel: name, thread_ts: ts }) {
    const found = await findChannel(api, name);
    if (ts === undefined) return { channel: found };
    const answer = await api.find(
      page,
      buildFormRequest('/conversations.replies', { channel: found.id, ts, limit: 1 }),
    );
    const first = answer?.messages[0]?.ts === ts ? { ts } : undefined;
    return { channel: found, thread: assertFound(first, `No message ${ts} starts a thread in ${name}.`) };
  },
  snapshot: (_api, found) => buildFacts(found),
  async send(api, input, { channel: { id, name }, thread: replied, draft }) {
    const body = { channel: id, text: input.text, thread_ts: replied?.ts, metadata: buildMetadata(draft) };
    const made = await api.write(posted, { method: 'POST', path: '/chat.postMessage', body });
    return { ...buildResult({ id, name }, made), thread_ts: replied?.ts };
  },
  async find(api, _input, { channel: found, thread: replied, draft }) {
    const since = { oldest: draft.since_seconds, include_all_metadata: true };
    const all = replied
      ? createThreadRequest(api, found.id, replied.ts, since)
      : api.list(createMessagesRequest('/conversations.history', { channel: found.id, ...since }));
    const made = await findFirst(all, (each) => isMarked(each, draft));
    return made && { ...buildResult(found, made), thread_ts: replied?.ts };
  },
  undo: {
    says: 'Delete the message',
    forMinutes: 60,
    steps: (_input, { channel: { id }, result }) => [
      { method: 'POST', path: '/chat.delete', body: { channel: id, ts: result['ts'] } },
    ],
  },
});

const updateMessage = defineWrite(slack, {
  name: 'update_message',
  example: { channel: '#general', ts: '1717243200.000100', text: 'The release is out at last.' },
  summary: 'Change the text of a message of your own in Slack.',
  risk: 'write',
  fields: {
    channel,
    ts: line('Message', { about: "The message's ts, from post_message.", shape }),
    text: { ...text, about: `${text.about} Replaces the whole text.` },
  },
  editable: ['text'],
  title: (input) => `Change a message in #${input.channel}`,
  notes,
  target: (input) => `channel ${input.channel}`,
  otherNames: 'channel *',
  handle: 'mark',

  async resolve(api, { channel: name, ts }) {
    const found = await findChannel(api, name);
    const missing = `There is no message ${ts} in ${name}.`;
    const { text: was, edited } = await pick(createThreadRequest(api, found.id, ts), (each) => each.ts === ts, {
      missing,
    });
    return { channel: found, message: { ts, text: was ?? '', edited: edited?.ts } };
  },
  snapshot: (_api, found) => ({ ...buildFacts(found), was: { text: found.message.text } }),
  async send(api, input, { channel: found, message: { ts }, draft }) {
    const body = { channel: found.id, ts, text: input.text, metadata: buildMetadata(draft) };
    return buildResult(found, await api.write(posted, { method: 'POST', path: '/chat.update', body }));
  },
  async lookup(api, _input, { channel: found, message, draft }) {
    const there = createThreadRequest(api, found.id, message.ts, { include_all_metadata: true });
    return judgeChange(await findFirst(there, ({ ts }) => ts === message.ts), {
      isDone: (each) => isMarked(each, draft), // a later change by another client removes our metadata
      isSame: (each) => each.edited?.ts === message.edited,
      result: (each) => buildResult(found, each),
    });
  },
});

/** The writes at Slack. */
export const slackWrites = [postMessage, updateMessage];
