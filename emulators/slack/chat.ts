// chat.*: posting, changing and deleting. Posting has no idempotency handle; metadata can be read back instead.
import { z } from 'zod';
import type { Reply } from '../kit/wire.ts';
import { buildSlackMessage, getVisibleChannel } from './conversations.ts';
import { buildOkReply, createSlackError, getTextArgument } from './methods.ts';
import type { ApiCall, ArgumentRule, Method } from './methods.ts';
import { addMessage, createTimestamp, removeMessage } from './state.ts';
import type { Channel, Message } from './state.ts';

const metadataShape = z.strictObject({
  event_type: z.string().min(1).max(255),
  event_payload: z.record(z.string(), z.unknown()),
});

function parseMetadata({ args }: ApiCall): Message['metadata'] {
  if (args.metadata === undefined) return undefined;
  const checked = metadataShape.safeParse(args.metadata);
  if (!checked.success) throw createSlackError('invalid_metadata_format');
  if (JSON.stringify(checked.data).length > 16_384) throw createSlackError('metadata_too_large');
  return checked.data;
}

/** Text, blocks and attachments of a message; one of them has to be there. */
function parseMessageContent(call: ApiCall): Pick<Message, 'text' | 'blocks' | 'attachments'> {
  const { blocks, attachments } = call.args;
  const text = getTextArgument(call, 'text') ?? '';
  if (blocks !== undefined && (!Array.isArray(blocks) || blocks.length > 50)) throw createSlackError('invalid_blocks');
  if (attachments !== undefined && (!Array.isArray(attachments) || attachments.length > 100)) {
    throw createSlackError('too_many_attachments');
  }
  if (text.trim() === '' && blocks === undefined && attachments === undefined) throw createSlackError('no_text');
  if (text.length > 40_000) throw createSlackError('msg_too_long');
  return { text, ...(blocks ? { blocks } : {}), ...(attachments ? { attachments } : {}) };
}

function checkMembership({ caller }: ApiCall, channel: Channel): void {
  if (channel.archived) throw createSlackError('is_archived');
  const isOpen = channel.kind === 'public_channel' && caller.scopes.includes('chat:write.public');
  if (!channel.members.includes(caller.member.id) && !isOpen) throw createSlackError('not_in_channel');
}

function postMessage(call: ApiCall): Reply {
  const { world, caller, args, now } = call;
  const channel = getVisibleChannel(call, getTextArgument(call, 'channel') ?? '', true);
  checkMembership(call, channel);
  const content = parseMessageContent(call);
  const metadata = parseMetadata(call);
  const threadTs = getTextArgument(call, 'thread_ts');
  const parent = channel.messages.find((message) => message.ts === threadTs);
  if (threadTs && !parent) throw createSlackError('thread_not_found');
  if (parent?.threadTs && parent.threadTs !== parent.ts) throw createSlackError('cannot_reply_to_message');
  const message = addMessage(
    world,
    channel,
    {
      user: caller.member.id,
      ...content,
      ...(threadTs ? { threadTs } : {}),
      ...(threadTs && args.reply_broadcast === true ? { subtype: 'thread_broadcast' as const } : {}),
      ...(metadata ? { metadata } : {}),
    },
    now,
  );
  return buildOkReply({
    channel: channel.id,
    ts: message.ts,
    message: buildSlackMessage(world, channel, message, true),
  });
}

function getOwnMessage(call: ApiCall, error: string): { channel: Channel; message: Message } {
  const channel = getVisibleChannel(call, getTextArgument(call, 'channel') ?? '');
  const message = channel.messages.find(({ ts }) => ts === getTextArgument(call, 'ts'));
  if (!message) throw createSlackError('message_not_found');
  if (message.user !== call.caller.member.id) throw createSlackError(error);
  return { channel, message };
}

function updateMessage(call: ApiCall): Reply {
  const { channel, message } = getOwnMessage(call, 'cant_update_message');
  const { text, blocks, attachments } = parseMessageContent(call);
  const metadata = parseMetadata(call);
  message.text = text;
  // Blocks and attachments that are not sent again are removed.
  message.blocks = blocks;
  message.attachments = attachments;
  if (metadata) message.metadata = metadata;
  message.edited = { user: call.caller.member.id, ts: createTimestamp(call.world, call.now) };
  const { world } = call;
  return buildOkReply({
    channel: channel.id,
    ts: message.ts,
    text,
    message: buildSlackMessage(world, channel, message, true),
  });
}

function deleteMessage(call: ApiCall): Reply {
  const { channel, message } = getOwnMessage(call, 'cant_delete_message');
  removeMessage(channel, message);
  return buildOkReply({ channel: channel.id, ts: message.ts });
}

const content: Record<string, ArgumentRule> = {
  channel: { type: 'string', required: true },
  text: { type: 'string' },
  blocks: { type: 'json' },
  attachments: { type: 'json' },
  metadata: { type: 'json' },
  link_names: { type: 'boolean' },
  parse: { type: 'string' },
  reply_broadcast: { type: 'boolean' },
};

const write = { scopes: ['chat:write'], takesJson: true } as const;

/** The methods that write messages. */
export const chatMethods: Method[] = [
  {
    name: 'chat.postMessage',
    ...write,
    args: {
      ...content,
      thread_ts: { type: 'ts' },
      mrkdwn: { type: 'boolean' },
      unfurl_links: { type: 'boolean' },
      unfurl_media: { type: 'boolean' },
      username: { type: 'string' },
      icon_emoji: { type: 'string' },
      icon_url: { type: 'string' },
    },
    handle: postMessage,
  },
  { name: 'chat.update', ...write, args: { ...content, ts: { type: 'ts', required: true } }, handle: updateMessage },
  {
    name: 'chat.delete',
    ...write,
    args: { channel: { type: 'string', required: true }, ts: { type: 'ts', required: true } },
    handle: deleteMessage,
  },
];
