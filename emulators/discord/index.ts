// A strict, stateful emulator of Discord's REST API and OAuth 2, on one origin. See README.md.
import { createHash } from 'node:crypto';
import { startEmulator } from '../kit/emulator.ts';
import type { Emulator, EmulatorOptions } from '../kit/emulator.ts';
import type { OrderedAnswer } from '../kit/failures.ts';
import { exchangeToken, readForm, createStandardError, buildStandardTokenReply } from '../kit/oauth/endpoints.ts';
import { createFlow } from '../kit/oauth/flow.ts';
import type { Flow } from '../kit/oauth/flow.ts';
import { addClient, loopback, createRandomText, revokeFamily, revokeGrant } from '../kit/oauth/store.ts';
import type { Client, ClientInput } from '../kit/oauth/store.ts';
import { createQuotaMeter } from '../kit/quota.ts';
import type { Quota, QuotaMeter, QuotaState } from '../kit/quota.ts';
import { findRoute, splitNames } from '../kit/routing.ts';
import type { Dialect } from '../kit/server.ts';
import { WireError } from '../kit/wire.ts';
import type { IncomingRequest, Reply } from '../kit/wire.ts';
import { checkQuery, discordRoutes, createDiscordError } from './routes.ts';
import type { Caller } from './routes.ts';
import { getDiscordChannel, createWorld, insertMessage, createSnowflake, stamp, getDiscordUser } from './state.ts';
import type { Channel, DiscordWorld, Guild, Message, User } from './state.ts';

/** How the emulator starts. */
export type DiscordEmulatorOptions = EmulatorOptions & {
  /** Whether bots have the privileged intent that shows the content of other people's messages; true by default. */
  messageContent?: boolean;
};

type UserInput = { username: string; globalName?: string; email?: string | null; verified?: boolean };
type ChannelInput = { guild: Guild; name: string; topic?: string; allowed?: string[]; readOnly?: boolean };

/** A message to seed. */
export type SeedMessage = Pick<Message, 'content'> &
  Partial<Pick<Message, 'embeds' | 'type' | 'more'>> & { author: string; at?: Date };

/** A running emulator; people and channels are named by name or id. */
export type DiscordEmulator = Emulator & {
  /** A registered application; redirect URIs on the loopback are allowed. */
  client: Client;
  addClient(client: ClientInput): Client;
  addUser(user: UserInput): User;
  /** A bot with its token, sent as `Bot <token>`. */
  addBot(username: string): { user: User; token: string };
  addGuild(guild: { name: string; owner: string; members?: string[] }): Guild;
  addChannel(channel: ChannelInput): Channel;
  /** A thread of a channel, archived when it has a time for that. */
  addThread(thread: { channel: string; name: string; archivedAt?: Date }): Channel;
  seedMessage(channel: string, message: SeedMessage): Message;
  editMessage(id: string, content: string): void;
  deleteMessage(id: string): void;
  messages(channel: string): Message[];
  issueTokens(who: string, scopes: string[], client?: Client): { accessToken: string; refreshToken: string };
  revokeAccess(who: string, client?: Client): void;
  approve(authorizationUrl: string, consent: { user: string; deny?: boolean }): Promise<string>;
  /** Sets the limit of writes per channel; at first 5 in 5 seconds. */
  setQuota(quota: Quota | undefined): void;
};

type DiscordParts = { world: DiscordWorld; flow: Flow; reads: QuotaMeter; writes: QuotaMeter };

const knownScopes = splitNames(
  'identify email guilds guilds.join guilds.members.read connections bot applications.commands role_connections.write',
);

function createDiscordFlow(world: DiscordWorld): Flow {
  return createFlow(world, {
    title: 'Authorize access to your account',
    authorizePath: '/oauth2/authorize',
    parameters: ['prompt', 'permissions', 'guild_id', 'disable_guild_select', 'integration_type'],
    required: ['client_id', 'redirect_uri', 'response_type', 'scope'],
    responseType: 'code',
    readScopes: (query) => (query.get('scope') ?? '').split(/\s+/).filter(Boolean),
    isKnownScope: (scope) => knownScopes.includes(scope),
    people: () =>
      [...world.data.users.values()]
        .filter(({ bot }) => !bot)
        .map(({ id, username }) => ({ key: id, label: username })),
    codeSeconds: 60,
    accessTokenSeconds: 604_800,
    refresh: { when: () => true, rotates: true, reuse: 'refused', graceSeconds: 0 },
    newAccessToken: () => createRandomText(22),
    newRefreshToken: () => createRandomText(22),
    refuse: createStandardError,
  });
}

function authenticateCaller({ world, flow }: DiscordParts, { headers }: IncomingRequest): Caller {
  const [, scheme = '', value = ''] = /^(Bot|Bearer)\s+(.+)$/.exec(headers.authorization ?? '') ?? [];
  const token = scheme === 'Bearer' ? flow.live(value) : undefined;
  const id = scheme === 'Bot' ? world.data.botTokens.get(value) : token?.account;
  const user = world.data.users.get(id ?? '');
  if (!user) throw createDiscordError(401, 0, '401: Unauthorized');
  return { user, isBot: scheme === 'Bot', scopes: token?.scopes ?? [] };
}

function createRateLimitError(retryAfter: number): WireError {
  const body = { message: 'You are being rate limited.', retry_after: retryAfter, global: false };
  return new WireError(429, body.message, body, {
    'retry-after': String(Math.ceil(retryAfter)),
    'x-ratelimit-scope': 'user',
  });
}

function buildBucketHeaders(quotaState: QuotaState | undefined, bucket: string, now: Date): Record<string, string> {
  if (!quotaState) return {};
  return {
    'x-ratelimit-limit': String(quotaState.limit),
    'x-ratelimit-remaining': String(Math.max(0, quotaState.limit - quotaState.used)),
    'x-ratelimit-reset': (quotaState.resetsAt.getTime() / 1000).toFixed(3),
    'x-ratelimit-reset-after': ((quotaState.resetsAt.getTime() - now.getTime()) / 1000).toFixed(3),
    'x-ratelimit-bucket': createHash('md5').update(bucket).digest('hex'),
  };
}

function answerApi(parts: DiscordParts, incoming: IncomingRequest): Reply {
  const { world, reads, writes } = parts;
  const { url, headers, body } = incoming;
  const now = world.now();
  const caller = authenticateCaller(parts, incoming);
  const found = findRoute(discordRoutes, incoming);
  if (!found) throw createDiscordError(404, 0, '404: Not Found');
  const { route, params } = found;
  // A bucket is a route and, of its ids, the channel or guild.
  const bucket = `${caller.user.id} ${route.method} ${route.path} ${params.channel ?? params.guild ?? ''}`;
  const quotaState = (route.writes ? writes : reads).count(bucket, now);
  const limits = buildBucketHeaders(quotaState, bucket, now);
  if (quotaState?.exceeded) {
    const error = createRateLimitError((quotaState.resetsAt.getTime() - now.getTime()) / 1000);
    throw new WireError(429, error.message, error.body, { ...limits, ...error.headers });
  }
  if (!caller.isBot && !(route.scope && caller.scopes.includes(route.scope)))
    throw createDiscordError(401, 0, '401: Unauthorized');
  checkQuery(route, url.searchParams);
  const reply = route.handle({ world, now, url, params, headers, body, caller });
  return { ...reply, headers: { ...limits, ...reply.headers } };
}

/** Ends a token and all of the same consent; an unknown one is not an error. */
function revoke({ world, flow }: DiscordParts, incoming: IncomingRequest): Reply {
  const form = readForm(incoming);
  const client = flow.authenticate(incoming.headers, form);
  const { oauth } = world.data;
  const given = form.get('token') ?? '';
  const token = oauth.accessTokens.get(given) ?? oauth.refreshTokens.get(given);
  if (token?.family && token.clientId === client.id) revokeFamily(oauth, token.family);
  return { json: {} };
}

function answer(parts: DiscordParts, incoming: IncomingRequest): Reply {
  const { world, flow } = parts;
  const { headers, body, method } = incoming;
  // The API without a version is v10, too.
  const url = new URL(incoming.url);
  url.pathname = url.pathname.replace(/^\/api\/(?!v\d+\/)/, '/api/v10/');
  const page = findRoute(flow.routes, { method, url: incoming.url });
  if (page) return page.route.handle({ now: world.now(), url, headers, body, params: page.params });
  if (method === 'POST' && url.pathname === '/api/v10/oauth2/token') {
    return buildStandardTokenReply(exchangeToken(flow, incoming, readForm(incoming)), world.now());
  }
  if (method === 'POST' && url.pathname === '/api/v10/oauth2/token/revoke') return revoke(parts, incoming);
  return answerApi(parts, { ...incoming, url });
}

function buildOrderedReply(order: OrderedAnswer): Reply {
  const wanted =
    order.kind === 'invalid_grant'
      ? createStandardError('bad_refresh_token', '')
      : order.kind === 'rate_limited' || order.status === 429
        ? createRateLimitError(order.kind === 'status' ? (order.retryAfter ?? 1) : 1)
        : createDiscordError(order.status, 0, order.reason ?? `${order.status}: Internal Server Error`);
  return { status: wanted.status, headers: wanted.headers, json: wanted.body };
}

function createDialect(parts: DiscordParts): Dialect {
  return {
    findAccount(incoming) {
      try {
        return authenticateCaller(parts, incoming).user.username;
      } catch {
        return undefined;
      }
    },
    answer: (incoming) => answer(parts, incoming),
    ordered: buildOrderedReply,
    internalError: (detail) => ({ status: 500, json: { message: 'emulatorFault', code: 0, detail } }),
  };
}

function createSeeding(world: DiscordWorld) {
  const { data } = world;
  const addUser = (input: UserInput, bot = false): User => {
    const { username, globalName = null, verified = true } = input;
    const { email = bot ? null : `${username}@example.com` } = input;
    const user: User = { id: createSnowflake(world), username, globalName, email, verified, bot };
    data.users.set(user.id, user);
    return user;
  };
  return {
    addUser: (input: UserInput) => addUser(input),
    addBot(username: string) {
      const user = addUser({ username }, true);
      const token = `${Buffer.from(user.id).toString('base64url')}.${createRandomText(4)}.${createRandomText(28)}`;
      data.botTokens.set(token, user.id);
      return { user, token };
    },
    addGuild({ name, owner, members = [] }: { name: string; owner: string; members?: string[] }): Guild {
      const ids = [owner, ...members].map((who) => getDiscordUser(world, who).id);
      const guild: Guild = { id: createSnowflake(world), name, ownerId: ids[0] ?? '', memberIds: ids };
      data.guilds.set(guild.id, guild);
      return guild;
    },
    addChannel({ guild, name, topic, allowed, readOnly = false }: ChannelInput): Channel {
      const position = [...data.channels.values()].filter(({ guildId }) => guildId === guild.id).length;
      const only = allowed?.map((who) => getDiscordUser(world, who).id);
      const channel: Channel = {
        id: createSnowflake(world),
        guildId: guild.id,
        name,
        topic: topic ?? null,
        position,
        allowed: only,
        readOnly,
      };
      data.channels.set(channel.id, channel);
      return channel;
    },
    addThread({ channel, name, archivedAt }: { channel: string; name: string; archivedAt?: Date }): Channel {
      const parent = getDiscordChannel(world, channel);
      const of = { parentId: parent.id, archivedAt: archivedAt ? stamp(archivedAt) : null };
      const thread: Channel = { ...parent, id: createSnowflake(world), name, topic: null, thread: of };
      data.channels.set(thread.id, thread);
      return thread;
    },
    seedMessage(channel: string, { author, at, ...message }: SeedMessage): Message {
      const made = {
        ...message,
        channelId: getDiscordChannel(world, channel).id,
        authorId: getDiscordUser(world, author).id,
      };
      return insertMessage(world, made, at ?? world.now());
    },
    editMessage(id: string, content: string): void {
      const message = data.messages.find((item) => item.id === id);
      if (message) Object.assign(message, { content, editedTimestamp: stamp(world.now()) });
    },
    deleteMessage: (id: string) => void (data.messages = data.messages.filter((item) => item.id !== id)),
    messages: (channel: string) =>
      data.messages.filter(({ channelId }) => channelId === getDiscordChannel(world, channel).id),
  };
}

/** Starts the emulator on the loopback. It has one application, no guild and no users. */
export async function startDiscordEmulator(options: DiscordEmulatorOptions = {}): Promise<DiscordEmulator> {
  const world = createWorld({ now: options.now ?? (() => new Date()), messageContent: options.messageContent ?? true });
  const flow = createDiscordFlow(world);
  const register = (input: ClientInput) =>
    addClient(world.data.oauth, input, () => ({ id: createSnowflake(world), secret: createRandomText(24) }));
  const client = register({ redirectUris: [loopback] });
  const reads = createQuotaMeter({ requests: 50, seconds: 1 });
  const writes = createQuotaMeter({ requests: 5, seconds: 5 });
  const emulator = await startEmulator(world, createDialect({ world, flow, reads, writes }), options);
  return {
    ...emulator,
    client,
    addClient: register,
    ...createSeeding(world),
    issueTokens(who, scopes, other = client) {
      const { access, refresh } = flow.issue({ account: getDiscordUser(world, who).id, client: other, scopes });
      return { accessToken: access.token, refreshToken: refresh?.token ?? '' };
    },
    revokeAccess: (who, other = client) => revokeGrant(world.data.oauth, getDiscordUser(world, who).id, other.id),
    approve: (url, { user, deny }) =>
      flow.approve(url, { account: getDiscordUser(world, user).id, deny: deny ?? false }),
    setQuota: writes.set,
  };
}
