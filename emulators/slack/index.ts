// A strict, stateful emulator of Slack's Web API and OAuth v2, on one origin. See README.md.
import { randomBytes, randomInt } from 'node:crypto';
import { startEmulator } from '../kit/emulator.ts';
import type { Emulator, EmulatorOptions } from '../kit/emulator.ts';
import type { OrderedAnswer } from '../kit/failures.ts';
import type { Flow } from '../kit/oauth/flow.ts';
import { addClient, loopback, revokeGrant } from '../kit/oauth/store.ts';
import type { Client, ClientInput } from '../kit/oauth/store.ts';
import { createQuotaMeter } from '../kit/quota.ts';
import type { Quota, QuotaMeter } from '../kit/quota.ts';
import { findRoute } from '../kit/routing.ts';
import type { Dialect } from '../kit/server.ts';
import { findBearerToken, WireError } from '../kit/wire.ts';
import type { IncomingRequest, Reply } from '../kit/wire.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import { checkArguments, requireScope, createRateLimitError, readArguments, createSlackError } from './methods.ts';
import type { Caller } from './methods.ts';
import { answerAccess, createSlackFlow, install, createSlackTokenError } from './oauth.ts';
import { buildFilePath, peopleMethods, canSeeFile } from './people.ts';
import {
  addChannel,
  addFile,
  addMessage,
  addTeam,
  addUser,
  ensureBot,
  getSlackChannel,
  createWorld,
  getMember,
  createTimestamp,
  removeMessage,
} from './state.ts';
import type {
  Channel,
  ChannelInput,
  Member,
  Message,
  MessageInput,
  SlackFile,
  SlackWorld,
  Team,
  UserInput,
} from './state.ts';

/** How the emulator starts. */
export type SlackEmulatorOptions = EmulatorOptions & {
  /** Tokens live 12 hours and are refreshed with tokens that work once; off by default, as for most apps. */
  tokenRotation?: boolean;
  /** A limit of calls per method and workspace. */
  quota?: Quota;
};

/** A running emulator; members and channels are named by name or id. */
export type SlackEmulator = Emulator & {
  /** A registered app; redirect URIs on the loopback are allowed. */
  client: Client;
  /** The first workspace. */
  team: Team;
  addClient(client: ClientInput): Client;
  addTeam(team: { name: string; domain?: string }): Team;
  addUser(user: UserInput): Member;
  addChannel(channel: ChannelInput): Channel;
  /** Invites a member, or the bot of an app, into a channel. */
  join(channel: string, who: string): void;
  /** The bot of the app in a workspace. */
  bot(team?: string, client?: Client): Member;
  seedMessage(channel: string, message: MessageInput & { at?: Date }): Message;
  editMessage(channel: string, ts: string, text: string): void;
  deleteMessage(channel: string, ts: string): void;
  seedFile(channel: string, file: Parameters<typeof addFile>[2]): SlackFile;
  messages(channel: string): Message[];
  /** Installs the app for a person without a browser. */
  issueTokens(
    who: string,
    scopes: { bot?: string[]; user?: string[] },
    client?: Client,
  ): { botToken: string; userToken: string };
  /** Removes the app from the person's workspace. */
  revokeAccess(who: string, client?: Client): void;
  approve(authorizationUrl: string, consent: { user: string; deny?: boolean }): Promise<string>;
  setQuota(quota: Quota | undefined): void;
};

const methods = [...peopleMethods, ...conversationMethods, ...chatMethods];

type SlackParts = { world: SlackWorld; flow: Flow; quota: QuotaMeter };

function authenticateCaller({ world, flow }: SlackParts, token: string | undefined): Caller {
  if (!token) throw createSlackError('not_authed');
  const kept = flow.live(token);
  if (!kept) throw createSlackError(world.data.oauth.accessTokens.has(token) ? 'token_expired' : 'invalid_auth');
  const member = getMember(world, kept.account);
  if (member.deleted) throw createSlackError('account_inactive');
  return { member, scopes: kept.scopes, token, clientId: kept.clientId };
}

/** The token of the header, the query or the form. */
function findToken({ headers, url, body }: IncomingRequest): string | undefined {
  const form = (headers['content-type'] ?? '').includes('x-www-form-urlencoded');
  return (
    findBearerToken(headers) ??
    url.searchParams.get('token') ??
    (form ? new URLSearchParams(body.toString('utf8')).get('token') : null) ??
    undefined
  );
}

/** Bytes of a file; without a token Slack answers a sign-in page with status 200. */
function download(parts: SlackParts, incoming: IncomingRequest): Reply {
  const { world, flow } = parts;
  const file = [...world.data.files.values()].find((item) => buildFilePath(item) === incoming.url.pathname);
  const kept = flow.live(findBearerToken(incoming.headers));
  const member = kept && world.data.members.get(kept.account);
  const page = Buffer.from('<!DOCTYPE html><html><title>Sign in | Slack</title></html>');
  if (!member || !kept.scopes.includes('files:read')) return { bytes: { contentType: 'text/html', content: page } };
  if (!file || file.deleted || !canSeeFile(world, member, file)) {
    return { status: 404, bytes: { contentType: 'text/html', content: Buffer.from('<html>Not found</html>') } };
  }
  return { bytes: { contentType: file.mimetype, content: file.content } };
}

function answer(parts: SlackParts, incoming: IncomingRequest): Reply {
  const { world, flow, quota } = parts;
  const { url, headers, body } = incoming;
  const now = world.now();
  const page = findRoute(flow.routes, incoming);
  if (page) return page.route.handle({ now, url, headers, body, params: page.params });
  if (url.pathname.startsWith('/files-pri/')) return download(parts, incoming);
  if (!['GET', 'POST'].includes(incoming.method)) throw createSlackError('invalid_post_type');
  if (url.pathname === '/api/oauth.v2.access') return answerAccess(world, flow, incoming);
  const method = methods.find(({ name }) => url.pathname === `/api/${name}`);
  if (!method) throw createSlackError('unknown_method', { req_method: url.pathname.replace('/api/', '') });
  const caller = authenticateCaller(parts, findToken(incoming));
  const quotaState = quota.count(`${method.name} ${caller.member.teamId}`, now);
  if (quotaState?.exceeded)
    throw createRateLimitError(Math.ceil((quotaState.resetsAt.getTime() - now.getTime()) / 1000));
  for (const scope of method.scopes ?? []) requireScope(caller, scope);
  const args = checkArguments(method, readArguments(incoming, method.takesJson ?? false));
  const reply = method.handle({ world, now, args, headers, caller });
  return { ...reply, headers: { 'x-oauth-scopes': caller.scopes.join(','), ...reply.headers } };
}

function buildOrderedReply(order: OrderedAnswer): Reply {
  const retryAfter = order.kind === 'status' ? order.retryAfter : undefined;
  const wanted =
    order.kind === 'invalid_grant'
      ? createSlackTokenError('bad_refresh_token')
      : order.kind === 'rate_limited' || order.status === 429
        ? createRateLimitError(retryAfter ?? 30)
        : new WireError(
            order.status,
            'outage',
            { ok: false, error: order.reason ?? (order.status === 503 ? 'service_unavailable' : 'internal_error') },
            retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
          );
  return { status: wanted.status, headers: wanted.headers, json: wanted.body };
}

function createDialect(parts: SlackParts): Dialect {
  return {
    findAccount: (incoming) => parts.world.data.members.get(parts.flow.live(findToken(incoming))?.account ?? '')?.name,
    answer: (incoming) => answer(parts, incoming),
    ordered: buildOrderedReply,
    internalError: (detail) => ({ status: 500, json: { ok: false, error: 'emulator_fault', detail } }),
  };
}

function createSeeding(world: SlackWorld) {
  const getMessage = (channel: string, ts: string): Message => {
    const found = getSlackChannel(world, channel).messages.find((message) => message.ts === ts);
    if (!found) throw new Error(`There is no message ${ts} in ${channel}`);
    return found;
  };
  return {
    addTeam: (input: { name: string; domain?: string }) => addTeam(world, input),
    addUser: (input: UserInput) => addUser(world, input),
    addChannel: (input: ChannelInput) => addChannel(world, input),
    join: (channel: string, who: string) => void getSlackChannel(world, channel).members.push(getMember(world, who).id),
    seedMessage(channel: string, { at, ...input }: MessageInput & { at?: Date }) {
      const user = input.user === undefined ? {} : { user: getMember(world, input.user).id };
      return addMessage(world, getSlackChannel(world, channel), { ...input, ...user }, at ?? world.now());
    },
    editMessage(channel: string, ts: string, text: string) {
      const message = getMessage(channel, ts);
      Object.assign(message, { text, edited: { user: message.user ?? '', ts: createTimestamp(world, world.now()) } });
    },
    deleteMessage: (channel: string, ts: string) =>
      removeMessage(getSlackChannel(world, channel), getMessage(channel, ts)),
    seedFile: (channel: string, input: Parameters<typeof addFile>[2]) =>
      addFile(world, getSlackChannel(world, channel), input),
    messages: (channel: string) => getSlackChannel(world, channel).messages,
  };
}

/** Starts the emulator on the loopback. It has one app, one workspace and no users. */
export async function startSlackEmulator(options: SlackEmulatorOptions = {}): Promise<SlackEmulator> {
  const world = createWorld(options.now ?? (() => new Date()));
  const team = addTeam(world, { name: 'Thalamus Test' });
  const flow = createSlackFlow(world, options.tokenRotation ?? false);
  const register = (input: ClientInput) =>
    addClient(world.data.oauth, input, () => ({
      id: `${randomInt(1e10, 9e10)}.${randomInt(1e12, 9e12)}`,
      secret: randomBytes(16).toString('hex'),
    }));
  const client = register({ redirectUris: [loopback] });
  const quota = createQuotaMeter(options.quota);
  const emulator = await startEmulator(world, createDialect({ world, flow, quota }), options);
  return {
    ...emulator,
    client,
    team,
    addClient: register,
    ...createSeeding(world),
    bot: (teamId = team.id, other = client) => ensureBot(world, other.id, teamId),
    issueTokens(who, { bot = [], user = [] }, other = client) {
      const scopes = [...bot, ...user.map((scope) => `user/${scope}`)];
      const answered = install(world, flow, { person: getMember(world, who), client: other, scopes });
      return {
        botToken: String(answered.access_token ?? ''),
        userToken: String(answered.authed_user.access_token ?? ''),
      };
    },
    revokeAccess(who, other = client) {
      const person = getMember(world, who);
      for (const id of [person.id, ensureBot(world, other.id, person.teamId).id])
        revokeGrant(world.data.oauth, id, other.id);
    },
    approve: (url, { user, deny }) => flow.approve(url, { account: getMember(world, user).id, deny: deny ?? false }),
    setQuota: quota.set,
  };
}
