// conversations.*: lists, history and threads.
import type { Reply } from '../kit/wire.ts';
import { buildSlackFile } from './people.ts';
import { cutCursorPage, requireScope, buildOkReply, createSlackError, getTextArgument } from './methods.ts';
import type { ApiCall, ArgumentRule, Method } from './methods.ts';
import { buildRichText } from './rich-text.ts';
import type { Channel, Member, Message, SlackWorld } from './state.ts';

const kinds = ['public_channel', 'private_channel', 'mpim', 'im'] as const;

const scopeNames: Record<string, string> = {
  public_channel: 'channels',
  private_channel: 'groups',
  mpim: 'mpim',
  im: 'im',
};

/** The scope that a kind of conversation needs, such as `groups:history`. */
function buildScopeName(kind: string, what: 'read' | 'history'): string {
  return `${scopeNames[kind] ?? kind}:${what}`;
}

function buildChannelResource(channel: Channel, caller: string) {
  const { id, name, kind, archived, members, topic, created } = channel;
  if (kind === 'im') {
    return {
      id,
      created,
      is_im: true,
      is_archived: archived,
      user: members.find((member) => member !== caller) ?? caller,
    };
  }
  return {
    id,
    name,
    is_channel: kind === 'public_channel',
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: kind === 'private_channel',
    created,
    is_archived: archived,
    is_general: false,
    name_normalized: name,
    is_shared: false,
    is_member: members.includes(caller),
    context_team_id: channel.teamId,
    topic: { value: topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    num_members: members.length,
  };
}

/** The conversation of an argument, when it exists for the caller. Some methods take a name, too. */
export function getVisibleChannel({ world, caller }: ApiCall, which: string, byName = false): Channel {
  const name = which.replace(/^#/, '');
  const { channels } = world.data;
  const found = channels.get(which) ?? (byName ? [...channels.values()].find((item) => item.name === name) : undefined);
  if (!found || found.teamId !== caller.member.teamId) throw createSlackError('channel_not_found');
  if (found.kind !== 'public_channel' && !found.members.includes(caller.member.id))
    throw createSlackError('channel_not_found');
  return found;
}

/** All that one may see, or, `ofOwn`, those that one is in. */
function listConversations(call: ApiCall, ofOwn: boolean): Reply {
  const { world, caller, args } = call;
  const types = (getTextArgument(call, 'types') ?? 'public_channel').split(',').map((type) => type.trim());
  if (types.some((type) => !kinds.includes(type as 'im'))) throw createSlackError('invalid_types');
  for (const type of types) requireScope(caller, buildScopeName(type, 'read'));
  const { id, teamId } = caller.member;
  const all = [...world.data.channels.values()].filter(
    (channel) =>
      channel.teamId === teamId &&
      types.includes(channel.kind) &&
      ((channel.kind === 'public_channel' && !ofOwn) || channel.members.includes(id)),
  );
  const page = cutCursorPage(call, all, Number(args.limit ?? 100));
  const shown = page.items.filter((channel) => !args.exclude_archived || !channel.archived);
  return buildOkReply({
    channels: shown.map((channel) => buildChannelResource(channel, id)),
    response_metadata: { next_cursor: page.next },
  });
}

function showConversation(call: ApiCall): Reply {
  const channel = getVisibleChannel(call, getTextArgument(call, 'channel') ?? '');
  requireScope(call.caller, buildScopeName(channel.kind, 'read'));
  const { num_members: count, ...rest } = buildChannelResource(channel, call.caller.member.id);
  return buildOkReply({ channel: { ...rest, ...(call.args.include_num_members ? { num_members: count } : {}) } });
}

function buildBotFields({ realName, teamId }: Member, { botId, appId }: NonNullable<Member['bot']>) {
  const profile = { id: botId, app_id: appId, name: realName, deleted: false, updated: 0, team_id: teamId };
  return { bot_id: botId, app_id: appId, bot_profile: profile };
}

/** Slack numbers attachments, and gives one without a fallback its own. */
function buildAttachmentResource(attachment: Record<string, unknown>, position: number) {
  return { id: position + 1, fallback: '[no preview available]', ...attachment };
}

/** A message as it is shown, with its thread's figures on the parent. */
export function buildSlackMessage(world: SlackWorld, channel: Channel, message: Message, withMetadata: boolean) {
  const { ts, user, text, subtype, threadTs, edited, attachments, metadata, fileIds, username } = message;
  const author = user === undefined ? undefined : world.data.members.get(user);
  // Slack makes blocks of every text that came without blocks and attachments.
  const blocks =
    message.blocks ?? (text && !attachments && subtype !== 'tombstone' ? [buildRichText(text, ts)] : undefined);
  const replies = channel.messages.filter((item) => item.threadTs === ts && item.ts !== ts);
  const authors = [...new Set(replies.map((reply) => reply.user))];
  return {
    type: 'message',
    ...(subtype ? { subtype } : {}),
    ...(user === undefined ? { bot_id: 'B0WEBHOOK0', username } : { user }),
    text,
    ts,
    team: channel.teamId,
    ...(author?.bot ? { ...buildBotFields(author, author.bot) } : {}),
    ...(blocks ? { blocks } : {}),
    ...(attachments ? { attachments: attachments.map(buildAttachmentResource) } : {}),
    ...(edited ? { edited } : {}),
    ...(threadTs ? { thread_ts: threadTs } : {}),
    ...(replies.length > 0
      ? {
          reply_count: replies.length,
          reply_users_count: authors.length,
          latest_reply: replies.at(-1)?.ts,
          reply_users: authors,
          is_locked: false,
          subscribed: false,
        }
      : {}),
    ...(fileIds
      ? {
          files: fileIds.map((id) => world.data.files.get(id)).map((file) => file && buildSlackFile(world, file)),
          upload: false,
        }
      : {}),
    ...(metadata && withMetadata ? { metadata } : {}),
  };
}

function isInTimeRange(call: ApiCall, message: Message): boolean {
  const inclusive = call.args.inclusive === true;
  const oldest = getTextArgument(call, 'oldest') ?? '0';
  const latest = getTextArgument(call, 'latest');
  const ts = Number(message.ts);
  if (inclusive ? ts < Number(oldest) : ts <= Number(oldest)) return false;
  return latest === undefined || (inclusive ? ts <= Number(latest) : ts < Number(latest));
}

/** The conversation, if the caller may read it. */
function getReadableChannel(call: ApiCall): Channel {
  const channel = getVisibleChannel(call, getTextArgument(call, 'channel') ?? '');
  requireScope(call.caller, buildScopeName(channel.kind, 'history'));
  if (call.caller.member.bot && !channel.members.includes(call.caller.member.id))
    throw createSlackError('not_in_channel');
  return channel;
}

function buildMessagesReply(call: ApiCall, channel: Channel, messages: Message[], size: number): Reply {
  const page = cutCursorPage(call, messages, size);
  return buildOkReply({
    messages: page.items.map((item) =>
      buildSlackMessage(call.world, channel, item, call.args.include_all_metadata === true),
    ),
    has_more: page.next !== '',
    ...(page.next ? { response_metadata: { next_cursor: page.next } } : {}),
  });
}

function listHistory(call: ApiCall): Reply {
  const channel = getReadableChannel(call);
  const isTop = ({ ts, threadTs, subtype }: Message) => !threadTs || threadTs === ts || subtype === 'thread_broadcast';
  const found = channel.messages.filter((message) => isTop(message) && isInTimeRange(call, message));
  const newestFirst = found.toSorted((one, other) => Number(other.ts) - Number(one.ts));
  return buildMessagesReply(call, channel, newestFirst, Number(call.args.limit ?? 100));
}

function listReplies(call: ApiCall): Reply {
  const channel = getReadableChannel(call);
  const ts = getTextArgument(call, 'ts') ?? '';
  const start = channel.messages.find((message) => message.ts === ts);
  if (!start) throw createSlackError('thread_not_found');
  const thread = channel.messages.filter(
    (message) => message.ts === ts || (message.threadTs === ts && isInTimeRange(call, message)),
  );
  const oldestFirst = thread.toSorted((one, other) => Number(one.ts) - Number(other.ts));
  return buildMessagesReply(call, channel, oldestFirst, Number(call.args.limit ?? 1000));
}

const channelId: ArgumentRule = { type: 'string', required: true };

const timeline: Record<string, ArgumentRule> = {
  channel: channelId,
  cursor: { type: 'string' },
  include_all_metadata: { type: 'boolean' },
  inclusive: { type: 'boolean' },
  latest: { type: 'ts' },
  oldest: { type: 'ts' },
  limit: { type: 'integer', max: 999 },
};

/** The methods about conversations. */
export const conversationMethods: Method[] = [
  {
    name: 'conversations.list',
    args: {
      cursor: { type: 'string' },
      exclude_archived: { type: 'boolean' },
      limit: { type: 'integer', max: 1000 },
      team_id: { type: 'string' },
      types: { type: 'string' },
    },
    handle: (call) => listConversations(call, false),
  },
  {
    name: 'users.conversations',
    args: {
      cursor: { type: 'string' },
      exclude_archived: { type: 'boolean' },
      limit: { type: 'integer', max: 999 },
      team_id: { type: 'string' },
      types: { type: 'string' },
    },
    handle: (call) => listConversations(call, true),
  },
  {
    name: 'conversations.info',
    args: { channel: channelId, include_locale: { type: 'boolean' }, include_num_members: { type: 'boolean' } },
    handle: showConversation,
  },
  { name: 'conversations.history', args: timeline, handle: listHistory },
  {
    name: 'conversations.replies',
    args: { ...timeline, ts: { type: 'ts', required: true }, limit: { type: 'integer' } },
    handle: listReplies,
  },
];
