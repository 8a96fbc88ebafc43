// Users, guilds, channels and messages of the REST API v10.
import { z } from 'zod';
import { checkJson } from '../kit/body.ts';
import { findQueryError, getIntegerParameter, getPathParameter, getTextParameter } from '../kit/routing.ts';
import type { PathCall, QueryRule } from '../kit/routing.ts';
import { WireError } from '../kit/wire.ts';
import type { Reply } from '../kit/wire.ts';
import { insertMessage, stamp } from './state.ts';
import type { Channel, DiscordWorld, Guild, Message, User } from './state.ts';

/** Who is calling: a bot, or an application with a person's scopes. */
export type Caller = { user: User; isBot: boolean; scopes: readonly string[] };

/** A request on its way to a handler. */
export type Call = PathCall & { world: DiscordWorld; caller: Caller };

/** A route; people's tokens need its scope, and without one only bots may call it. */
export type Route = {
  method: string;
  path: string;
  scope?: string;
  query?: Record<string, QueryRule>;
  writes?: true;
  handle(call: Call): Reply;
};

/** Any refusal. */
export function createDiscordError(
  status: number,
  code: number,
  message: string,
  more: Record<string, unknown> = {},
): WireError {
  return new WireError(status, message, { message, code, ...more });
}

/** 400 for a field that cannot be used. */
function createFormError(field: string, code: string, message: string): WireError {
  return createDiscordError(400, 50_035, 'Invalid Form Body', {
    errors: { [field]: { _errors: [{ code, message }] } },
  });
}

/** Refuses parameters that a route does not name. */
export function checkQuery(route: Route, query: URLSearchParams): void {
  const queryError = findQueryError(route.query ?? {}, query);
  if (queryError)
    throw createFormError(
      queryError.name,
      queryError.kind === 'unknown' ? 'UNKNOWN_PARAMETER' : 'NUMBER_TYPE_RANGE',
      queryError.kind,
    );
}

function parseJsonBody<T>(call: Call, schema: z.ZodType<T>): T {
  if (!(call.headers['content-type'] ?? '').includes('application/json'))
    throw createDiscordError(400, 50_109, 'The request body contains invalid JSON.');
  const checked = checkJson(schema, call.body.toString('utf8'));
  if ('value' in checked) return checked.value;
  const { error: queryError } = checked;
  if (queryError.kind === 'malformed') throw createDiscordError(400, 50_109, 'The request body contains invalid JSON.');
  if (queryError.kind === 'unknown') throw createFormError(queryError.name, 'UNKNOWN_FIELD', 'This field is unknown');
  if (queryError.kind === 'missing')
    throw createFormError(queryError.at, 'BASE_TYPE_REQUIRED', 'This field is required');
  throw createFormError(queryError.at, 'BASE_TYPE_BAD_LENGTH', queryError.message);
}

function buildUserResource(user: User, withEmail: boolean) {
  return {
    id: user.id,
    username: user.username,
    discriminator: '0',
    global_name: user.globalName,
    avatar: null,
    ...(user.bot ? { bot: true } : {}),
    ...(withEmail ? { email: user.email, verified: user.verified } : {}),
  };
}

function buildChannelResource({ id, guildId, name, topic, position, thread }: Channel, messages: Message[]) {
  const last = messages.findLast(({ channelId }) => channelId === id);
  return {
    id,
    type: thread ? 11 : 0,
    guild_id: guildId,
    name,
    ...(thread ? { thread_metadata: buildThreadMetadata(thread) } : { topic, position, nsfw: false }),
    parent_id: thread?.parentId ?? null,
    last_message_id: last?.id ?? null,
  };
}

function buildThreadMetadata({ archivedAt }: NonNullable<Channel['thread']>) {
  const at = archivedAt ?? '2026-01-01T00:00:00.000000+00:00';
  return { archived: archivedAt !== null, auto_archive_duration: 1440, archive_timestamp: at, locked: false };
}

/** A message. Without the intent a bot sees the content only of its own messages. */
function buildMessageResource({ world, caller }: Call, message: Message): Record<string, unknown> {
  const author = world.data.users.get(message.authorId);
  const seen = world.messageContent || message.authorId === caller.user.id;
  const replied = world.data.messages.find(({ id }) => id === message.replyTo);
  return {
    id: message.id,
    type: message.type ?? (message.replyTo ? 19 : 0),
    channel_id: message.channelId,
    author: author && buildUserResource(author, false),
    content: seen ? message.content : '',
    timestamp: message.timestamp,
    edited_timestamp: message.editedTimestamp,
    tts: false,
    mention_everyone: false,
    mentions: [],
    attachments: [],
    embeds: seen ? message.embeds : [],
    pinned: false,
    ...(seen ? message.more : {}),
    ...(message.replyTo
      ? {
          message_reference: { type: 0, channel_id: message.channelId, message_id: message.replyTo },
          referenced_message: replied ? { id: replied.id } : null,
        }
      : {}),
  };
}

function getMe({ caller }: Call): Reply {
  return { json: buildUserResource(caller.user, caller.scopes.includes('email')) };
}

function compareIds(one: { id: string }, other: { id: string }): number {
  return BigInt(one.id) < BigInt(other.id) ? -1 : 1;
}

function listGuilds(call: Call): Reply {
  const { user } = call.caller;
  const after = BigInt(getTextParameter(call, 'after') ?? '0');
  const before = getTextParameter(call, 'before');
  const own = [...call.world.data.guilds.values()]
    .filter(
      ({ memberIds, id }) =>
        memberIds.includes(user.id) && BigInt(id) > after && (!before || BigInt(id) < BigInt(before)),
    )
    .toSorted(compareIds);
  const rows = own.slice(0, getIntegerParameter(call, 'limit', 200));
  return {
    json: rows.map(({ id, name, ownerId }) => ({
      id,
      name,
      icon: null,
      owner: ownerId === user.id,
      permissions: '68608',
      features: [],
    })),
  };
}

function requireGuild(call: Call): Guild {
  const guild = call.world.data.guilds.get(getPathParameter(call, 'guild'));
  if (!guild) throw createDiscordError(404, 10_004, 'Unknown Guild');
  if (!guild.memberIds.includes(call.caller.user.id)) throw createDiscordError(403, 50_001, 'Missing Access');
  return guild;
}

/** A thread is seen by those who see its channel. */
function canSee(call: Call, given: Channel): boolean {
  const { world, caller } = call;
  const channel = world.data.channels.get(given.thread?.parentId ?? '') ?? given;
  const guild = world.data.guilds.get(channel.guildId);
  const { id } = caller.user;
  return guild !== undefined && guild.memberIds.includes(id) && (!channel.allowed || channel.allowed.includes(id));
}

/** All channels of a guild: also those the bot cannot open. */
function listChannels(call: Call): Reply {
  const { id } = requireGuild(call);
  const { channels, messages } = call.world.data;
  return {
    json: [...channels.values()]
      .filter(({ guildId, thread }) => guildId === id && !thread)
      .map((channel) => buildChannelResource(channel, messages)),
  };
}

function compareIdsDescending(one: { id: string }, other: { id: string }): number {
  return compareIds(other, one);
}

/** Those that are not archived and can be seen, the newest first. */
function listActiveThreads(call: Call): Reply {
  const { id } = requireGuild(call);
  const { channels, messages } = call.world.data;
  const threads = [...channels.values()].filter(
    (channel) => channel.guildId === id && channel.thread?.archivedAt === null && canSee(call, channel),
  );
  return {
    json: {
      threads: threads.toSorted(compareIdsDescending).map((each) => buildChannelResource(each, messages)),
      members: [],
    },
  };
}

/** The last archived first; `before` is a time. */
function listArchivedThreads(call: Call): Reply {
  const { id } = requireChannel(call);
  const { channels, messages } = call.world.data;
  const before = Date.parse(getTextParameter(call, 'before') ?? '9999-01-01T00:00:00Z');
  const size = getIntegerParameter(call, 'limit', 50);
  const archivedAt = ({ thread }: Channel) => Date.parse(thread?.archivedAt ?? '');
  const threads = [...channels.values()]
    .filter((channel) => channel.thread?.parentId === id && archivedAt(channel) < before)
    .toSorted((one, other) => archivedAt(other) - archivedAt(one));
  const page = threads.slice(0, size).map((each) => buildChannelResource(each, messages));
  return { json: { threads: page, members: [], has_more: threads.length > size } };
}

function requireChannel(call: Call): Channel {
  const channel = call.world.data.channels.get(getPathParameter(call, 'channel'));
  if (!channel) throw createDiscordError(404, 10_003, 'Unknown Channel');
  if (!canSee(call, channel)) throw createDiscordError(403, 50_001, 'Missing Access');
  return channel;
}

const bounds = ['around', 'before', 'after'] as const;

/** Always newest first, also with `after`, which starts right behind that message. */
function listMessages(call: Call): Reply {
  const channel = requireChannel(call);
  const given = bounds.filter((name) => getTextParameter(call, name) !== undefined);
  if (given.length > 1)
    throw createFormError(given[1] ?? '', 'BASE_TYPE_MUTUALLY_EXCLUSIVE', 'Only one of around, before and after');
  const [name] = given;
  const limit = getIntegerParameter(call, 'limit', 50);
  const bound = name ? getTextParameter(call, name) : undefined;
  if (bound !== undefined && !/^\d+$/.test(bound))
    throw createFormError(name ?? '', 'NUMBER_TYPE_COERCE', `Value "${bound}" is not snowflake.`);
  const at = BigInt(bound ?? 0);
  const all = call.world.data.messages.filter(({ channelId }) => channelId === channel.id).toSorted(compareIds);
  const chosen = {
    none: () => all.slice(-limit),
    before: () => all.filter(({ id }) => BigInt(id) < at).slice(-limit),
    after: () => all.filter(({ id }) => BigInt(id) > at).slice(0, limit),
    around: () => {
      const half = Math.floor(limit / 2);
      const middle = all.findIndex(({ id }) => BigInt(id) >= at);
      return all.slice(Math.max(0, middle - half), middle + limit - half);
    },
  }[name ?? 'none']();
  return { json: chosen.toReversed().map((message) => buildMessageResource(call, message)) };
}

function requireMessage(call: Call): Message {
  const { id } = requireChannel(call);
  const message = call.world.data.messages.find(
    (item) => item.id === getPathParameter(call, 'message') && item.channelId === id,
  );
  if (!message) throw createDiscordError(404, 10_008, 'Unknown Message');
  return message;
}

const content = z.string().max(2000, 'Must be 2000 or fewer in length.');

const newMessage = z.strictObject({
  content: content.optional(),
  nonce: z.union([z.string().max(25), z.number().int().transform(String)]).optional(),
  enforce_nonce: z.boolean().optional(),
  tts: z.literal(false).optional(),
  embeds: z.array(z.record(z.string(), z.unknown())).max(10).optional(),
  allowed_mentions: z.record(z.string(), z.unknown()).optional(),
  message_reference: z
    .strictObject({
      message_id: z.string(),
      channel_id: z.string().optional(),
      guild_id: z.string().optional(),
      fail_if_not_exists: z.boolean().optional(),
    })
    .optional(),
  flags: z.number().int().optional(),
});

/** With `enforce_nonce`, a nonce of the last minutes gives back its message. */
const nonceMinutes = 5;

function createMessage(call: Call): Reply {
  const channel = requireChannel(call);
  const { user } = call.caller;
  const { data } = call.world;
  if (channel.readOnly && data.guilds.get(channel.guildId)?.ownerId !== user.id)
    throw createDiscordError(403, 50_013, 'Missing Permissions');
  const body = parseJsonBody(call, newMessage);
  if (!body.content?.trim() && !body.embeds?.length)
    throw createDiscordError(400, 50_006, 'Cannot send an empty message');
  const since = call.now.getTime() - nonceMinutes * 60_000;
  const known = data.messages.find(
    (message) =>
      message.nonce !== undefined &&
      message.nonce === body.nonce &&
      message.authorId === user.id &&
      message.channelId === channel.id &&
      Date.parse(message.timestamp) > since,
  );
  // Only the response to a post has the nonce.
  const posted = (message: Message) => ({
    json: { ...buildMessageResource(call, message), ...(message.nonce && { nonce: message.nonce }) },
  });
  if (body.enforce_nonce && known) return posted(known);
  const replyTo = body.message_reference?.message_id;
  const found = data.messages.some(({ id, channelId }) => id === replyTo && channelId === channel.id);
  if (replyTo && !found && body.message_reference?.fail_if_not_exists !== false) {
    throw createFormError('message_reference', 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
  }
  const made = {
    channelId: channel.id,
    authorId: user.id,
    content: body.content ?? '',
    embeds: body.embeds ?? [],
    nonce: body.nonce,
  };
  return posted(insertMessage(call.world, { ...made, replyTo: found ? replyTo : undefined }, call.now));
}

function editMessage(call: Call): Reply {
  const message = requireMessage(call);
  if (message.authorId !== call.caller.user.id)
    throw createDiscordError(403, 50_005, 'Cannot edit a message authored by another user');
  const body = parseJsonBody(
    call,
    newMessage.pick({ content: true, embeds: true, allowed_mentions: true, flags: true }),
  );
  if (body.content?.trim() === '' && !(body.embeds ?? message.embeds).length)
    throw createDiscordError(400, 50_006, 'Cannot send an empty message');
  message.content = body.content ?? message.content;
  message.embeds = body.embeds ?? message.embeds;
  message.editedTimestamp = stamp(call.now);
  return { json: buildMessageResource(call, message) };
}

function deleteMessage(call: Call): Reply {
  const message = requireMessage(call);
  if (message.authorId !== call.caller.user.id) throw createDiscordError(403, 50_013, 'Missing Permissions');
  call.world.data.messages = call.world.data.messages.filter((item) => item !== message);
  return { status: 204 };
}

const limit = (max: number): QueryRule => ({ type: 'integer', min: 1, max });
const id: QueryRule = { type: 'string' };
const messages = '/api/v10/channels/:channel/messages';

/** All routes. `@me` comes before ids. */
export const discordRoutes: Route[] = [
  { method: 'GET', path: '/api/v10/users/@me', scope: 'identify', handle: getMe },
  {
    method: 'GET',
    path: '/api/v10/users/@me/guilds',
    scope: 'guilds',
    query: { limit: limit(200), before: id, after: id },
    handle: listGuilds,
  },
  {
    method: 'GET',
    path: '/api/v10/guilds/:guild',
    handle: (call) => ({
      json: { id: requireGuild(call).id, name: requireGuild(call).name, owner_id: requireGuild(call).ownerId },
    }),
  },
  { method: 'GET', path: '/api/v10/guilds/:guild/channels', handle: listChannels },
  { method: 'GET', path: '/api/v10/guilds/:guild/threads/active', handle: listActiveThreads },
  {
    method: 'GET',
    path: '/api/v10/channels/:channel/threads/archived/public',
    query: { before: { type: 'date-time' }, limit: limit(100) },
    handle: listArchivedThreads,
  },
  {
    method: 'GET',
    path: '/api/v10/channels/:channel',
    handle: (call) => ({ json: buildChannelResource(requireChannel(call), call.world.data.messages) }),
  },
  {
    method: 'GET',
    path: messages,
    query: { limit: limit(100), around: id, before: id, after: id },
    handle: listMessages,
  },
  { method: 'POST', path: messages, writes: true, handle: createMessage },
  {
    method: 'GET',
    path: `${messages}/:message`,
    handle: (call) => ({ json: buildMessageResource(call, requireMessage(call)) }),
  },
  { method: 'PATCH', path: `${messages}/:message`, writes: true, handle: editMessage },
  { method: 'DELETE', path: `${messages}/:message`, handle: deleteMessage },
];
