// A strict, stateful emulator of Microsoft's sign-in and of Graph's mail and calendar, on one origin. See README.md.
import { randomUUID } from 'node:crypto';
import { startEmulator } from '../kit/emulator.ts';
import type { Emulator, EmulatorOptions } from '../kit/emulator.ts';
import type { OrderedAnswer } from '../kit/failures.ts';
import { exchangeToken, readForm } from '../kit/oauth/endpoints.ts';
import { createFlow } from '../kit/oauth/flow.ts';
import type { Flow, Reuse, TokenErrorCode } from '../kit/oauth/flow.ts';
import { addClient, loopback, createRandomText, revokeGrant } from '../kit/oauth/store.ts';
import type { Client, ClientInput } from '../kit/oauth/store.ts';
import { createQuotaMeter } from '../kit/quota.ts';
import type { Quota, QuotaMeter } from '../kit/quota.ts';
import { findRoute, splitNames } from '../kit/routing.ts';
import type { Dialect } from '../kit/server.ts';
import { findBearerToken, WireError } from '../kit/wire.ts';
import type { IncomingRequest, Reply } from '../kit/wire.ts';
import { calendarRoutes } from './calendar.ts';
import { putPiece } from './attachments.ts';
import { addFolder, getMailFolder, folderRoutes, touchFolder } from './folders.ts';
import { mailRoutes } from './mail.ts';
import { checkQuery, createGraphError } from './routing.ts';
import {
  getMicrosoftAccount,
  addAccount,
  createWorld,
  dropMessage,
  insertEvent,
  insertMessage,
  moveMessage,
  newId,
  noteChange,
  stamp,
  touchMessage,
} from './state.ts';
import type { Account, Event, Message, MicrosoftWorld, NewEvent, SentInvitation, SentMail } from './state.ts';

/** How the emulator starts. */
export type MicrosoftEmulatorOptions = EmulatorOptions & {
  /** 3,600 by default. */
  accessTokenSeconds?: number;
  /** Refresh tokens rotate; Microsoft lets the used one live (`allowed`, the default). */
  refreshReuse?: Reuse;
  /** 10,000 requests in 10 minutes by default. */
  quota?: Quota;
};

/** What `seedMessage` takes. */
export type SeedMessage = {
  from: string;
  subject: string;
  text?: string;
  html?: string;
  to?: string[];
  cc?: string[];
  replyTo?: string[];
  folder?: string;
  conversationId?: string;
  attachments?: { name: string; contentType: string; content: string | Uint8Array }[];
  at?: Date;
};

/** A running emulator; people are named by their address, messages by any of their ids. */
export type MicrosoftEmulator = Emulator & {
  /** A registered application; redirect URIs on the loopback are allowed. */
  client: Client;
  addClient(client: ClientInput): Client;
  addAccount(account: { email: string; name: string }): Account;
  /** Answers its id; `in` is a folder's id or well-known name. */
  addFolder(who: string, folder: { name: string; in?: string }): string;
  /** Renames or moves a folder. `in: null` deletes it permanently with its contents. */
  touchFolder(who: string, id: string, change: { name?: string; in?: string | null }): void;
  seedMessage(who: string, message: SeedMessage): Message;
  /** Marks, moves or deletes a message as the person would. `folder: null` deletes it permanently. */
  touchMessage(who: string, id: string, change: { isRead?: boolean; folder?: string | null }): void;
  /** With `organizer`, somebody else invites the person. */
  seedEvent(who: string, event: NewEvent & { invitedBy?: string }): Event;
  touchEvent(who: string, id: string, change: Partial<Pick<Event, 'subject' | 'isCancelled'>>): void;
  deleteEvent(who: string, id: string): void;
  messages(who: string, folder?: string): Message[];
  events(who: string): Event[];
  /** The mails that left, and the rounds of calendar mail. */
  sent(who?: string): SentMail[];
  /** Whether a search by an extended property finds every message. */
  findEverything(isSo: boolean): void;
  invitations(who?: string): SentInvitation[];
  /** Makes every delta link handed out so far too old. */
  expireDeltaLinks(who: string): void;
  issueTokens(who: string, scopes: string[], client?: Client): { accessToken: string; refreshToken: string };
  revokeAccess(who: string, client?: Client): void;
  approve(authorizationUrl: string, consent: { email: string; deny?: boolean }): Promise<string>;
  setQuota(quota: Quota | undefined): void;
};

type MicrosoftParts = { world: MicrosoftWorld; flow: Flow; quota: QuotaMeter };

const routes = [...folderRoutes, ...mailRoutes, ...calendarRoutes];

const knownScopes = splitNames(`
  openid profile email offline_access User.Read User.ReadWrite Mail.Read Mail.ReadBasic Mail.ReadWrite Mail.Send
  MailboxSettings.Read MailboxSettings.ReadWrite Calendars.Read Calendars.ReadBasic Calendars.ReadWrite Contacts.Read
  Files.Read Files.ReadWrite Tasks.Read Tasks.ReadWrite People.Read
`);

const errors: Record<TokenErrorCode, [status: number, error: string, code: number, message: string]> = {
  missing_parameter: [
    400,
    'invalid_request',
    900144,
    "The request body must contain the following parameter: 'PARAMETER'.",
  ],
  unknown_client: [400, 'unauthorized_client', 700016, 'Application was not found in the directory.'],
  missing_secret: [
    401,
    'invalid_client',
    7000218,
    "The request body must contain 'client_assertion' or 'client_secret'.",
  ],
  bad_secret: [401, 'invalid_client', 7000215, 'Invalid client secret provided.'],
  bad_code: [400, 'invalid_grant', 70008, 'The provided authorization code or refresh token has expired.'],
  redirect_mismatch: [400, 'invalid_grant', 50011, 'The redirect URI specified in the request does not match.'],
  bad_verifier: [400, 'invalid_grant', 501481, 'The Code_Verifier does not match the code_challenge.'],
  bad_refresh_token: [400, 'invalid_grant', 700082, 'The refresh token has expired due to inactivity or was revoked.'],
  bad_scope: [400, 'invalid_scope', 70011, 'The provided value for the input parameter scope is not valid.'],
  unsupported_grant_type: [400, 'unsupported_grant_type', 70003, 'The app requested an unsupported grant type.'],
};

function createTokenError(errorCode: TokenErrorCode, detail: string): WireError {
  const [status, error, code, message] = errors[errorCode];
  const description = `AADSTS${code}: ${message.replace('PARAMETER', detail)}`;
  const ids = { trace_id: randomUUID(), correlation_id: randomUUID() };
  return new WireError(status, description, { error, error_description: description, error_codes: [code], ...ids });
}

const graphPrefix = 'https://graph.microsoft.com/';

function createMicrosoftFlow(world: MicrosoftWorld, options: MicrosoftEmulatorOptions): Flow {
  return createFlow(world, {
    title: 'Sign in to your account',
    authorizePath: '/:tenant/oauth2/v2.0/authorize',
    parameters: ['response_mode', 'prompt', 'login_hint', 'domain_hint', 'nonce'],
    required: ['client_id', 'redirect_uri', 'response_type', 'scope'],
    responseType: 'code',
    readScopes: (query) =>
      (query.get('scope') ?? '')
        .split(/\s+/)
        .filter(Boolean)
        .map((scope) => scope.replace(graphPrefix, '')),
    isKnownScope: (scope) => knownScopes.includes(scope),
    people: () =>
      [...world.data.accounts.values()].map(({ email, name }) => ({ key: email, label: `${name} <${email}>` })),
    codeSeconds: 600,
    accessTokenSeconds: options.accessTokenSeconds ?? 3600,
    refresh: {
      when: (scopes) => scopes.includes('offline_access'),
      rotates: true,
      reuse: options.refreshReuse ?? 'allowed',
      graceSeconds: 0,
    },
    newCode: () => `M.C5.${createRandomText(40)}`,
    newAccessToken: () => `EwB${createRandomText(120)}`,
    newRefreshToken: () => `M.R3.${createRandomText(90)}`,
    refuse: createTokenError,
  });
}

function answerToken({ world, flow }: MicrosoftParts, incoming: IncomingRequest): Reply {
  const form = readForm(incoming);
  const { access, refresh } = exchangeToken(flow, incoming, form);
  const seconds = Math.floor(((access.expiresAt ?? 0) - world.now().getTime()) / 1000);
  const named = access.scopes.filter((scope) => scope !== 'offline_access');
  return {
    headers: { 'cache-control': 'no-store' },
    json: {
      token_type: 'Bearer',
      scope: named.join(' '),
      expires_in: seconds,
      ext_expires_in: seconds,
      access_token: access.token,
      ...(refresh ? { refresh_token: refresh.token } : {}),
    },
  };
}

function answerGraph({ world, flow, quota }: MicrosoftParts, incoming: IncomingRequest): Reply {
  const { url, headers, body } = incoming;
  const now = world.now();
  const token = flow.live(findBearerToken(headers));
  const account = token && world.data.accounts.get(token.account);
  if (!account)
    throw createGraphError(401, 'InvalidAuthenticationToken', 'Access token has expired or is not yet valid.');
  const quotaState = quota.count(account.email, now);
  if (quotaState?.exceeded)
    throw createThrottleError(Math.max(1, Math.ceil((quotaState.resetsAt.getTime() - now.getTime()) / 1000)));
  const found = findRoute(routes, incoming);
  if (!found)
    throw createGraphError(
      400,
      'BadRequest',
      `Resource not found for the segment '${url.pathname.split('/').at(-1) ?? ''}'.`,
    );
  if (!found.route.scopes.some((scope) => token.scopes.includes(scope))) {
    throw createGraphError(403, 'ErrorAccessDenied', 'Access is denied. Check credentials and try again.');
  }
  checkQuery(found.route, url.searchParams);
  if (body.length > 0 && !(headers['content-type'] ?? '').includes('json'))
    throw createGraphError(415, 'RequestBodyRead', 'The content type has to be JSON.');
  return found.route.handle({ now, url, headers, body, params: found.params, world, account, scopes: token.scopes });
}

function createThrottleError(retryAfter: number): WireError {
  return createGraphError(429, 'ApplicationThrottled', 'Application is over its MailboxConcurrency limit.', {
    'retry-after': String(retryAfter),
  });
}

/** Every answer of Graph names the request, and the client's own name for it. */
function withRequestIds(incoming: IncomingRequest, reply: Reply): Reply {
  const own = incoming.headers['client-request-id'];
  const headers = { 'request-id': randomUUID(), ...(own === undefined ? {} : { 'client-request-id': String(own) }) };
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

function answer(parts: MicrosoftParts, incoming: IncomingRequest): Reply {
  const { url, headers, body, method } = incoming;
  const page = findRoute(parts.flow.routes, incoming);
  if (page) return page.route.handle({ now: parts.world.now(), url, headers, body, params: page.params });
  if (method === 'POST' && /^\/[^/]+\/oauth2\/v2\.0\/token$/.test(url.pathname)) return answerToken(parts, incoming);
  if (method === 'PUT' && url.pathname.startsWith('/api/v2.0/AttachmentSessions'))
    return putPiece(parts.world, incoming);
  return withRequestIds(incoming, answerGraph(parts, incoming));
}

const outages: Record<number, string> = {
  409: 'ErrorIrresolvableConflict',
  412: 'ErrorIrresolvableConflict',
  503: 'serviceNotAvailable',
};

function buildOrderedReply(order: OrderedAnswer): Reply {
  const retryAfter = order.kind === 'status' ? order.retryAfter : 10;
  const wanted =
    order.kind === 'invalid_grant'
      ? createTokenError('bad_refresh_token', '')
      : order.kind === 'rate_limited' || order.status === 429
        ? createThrottleError(retryAfter ?? 10)
        : createGraphError(
            order.status,
            order.reason ?? outages[order.status] ?? 'generalException',
            'The server failed.',
            retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
          );
  return { status: wanted.status, headers: wanted.headers, json: wanted.body };
}

function createDialect(parts: MicrosoftParts): Dialect {
  return {
    findAccount: ({ headers }) => parts.flow.live(findBearerToken(headers))?.account,
    answer: (incoming) => answer(parts, incoming),
    ordered: buildOrderedReply,
    internalError: (detail) => ({ status: 500, json: { error: { code: 'emulatorFault', message: detail } } }),
  };
}

function seedMessage(world: MicrosoftWorld, who: string, input: SeedMessage): Message {
  const account = getMicrosoftAccount(world, who);
  const named = (address: string) => ({ emailAddress: { address } });
  const { html, text = '', subject, folder = 'inbox', conversationId } = input;
  return insertMessage(
    world,
    account,
    {
      folder: getMailFolder(account, folder).key,
      subject,
      isDraft: folder === 'drafts',
      from: named(input.from),
      toRecipients: (input.to ?? [account.email]).map(named),
      ccRecipients: (input.cc ?? []).map(named),
      replyTo: (input.replyTo ?? []).map(named),
      body: html === undefined ? { contentType: 'text', content: text } : { contentType: 'html', content: html },
      attachments: (input.attachments ?? []).map(({ name, contentType, content }) => ({
        id: newId('AAMkF'),
        name,
        contentType,
        contentBytes: Buffer.from(content).toString('base64'),
        isInline: false,
      })),
      ...(conversationId ? { conversationId } : {}),
    },
    stamp(input.at ?? world.now()),
  );
}

function createSeeding(world: MicrosoftWorld) {
  const getEvent = (who: string, id: string): Event => {
    const event = getMicrosoftAccount(world, who).events.find((item) => item.id === id);
    if (!event) throw new Error(`There is no event ${id}`);
    return event;
  };
  const own = <T extends { account: string }>(list: T[], who?: string) =>
    list.filter(({ account }) => !who || account === who.toLowerCase());
  return {
    addAccount: (input: { email: string; name: string }) => addAccount(world, input),
    addFolder: (who: string, input: { name: string; in?: string }) => addFolder(getMicrosoftAccount(world, who), input),
    touchFolder: (who: string, id: string, change: { name?: string; in?: string | null }) =>
      touchFolder(world, getMicrosoftAccount(world, who), id, change),
    seedMessage: (who: string, input: SeedMessage) => seedMessage(world, who, input),
    touchMessage(who: string, id: string, { isRead, folder }: { isRead?: boolean; folder?: string | null }) {
      const account = getMicrosoftAccount(world, who);
      const message = account.messages.find((item) => item.id === id || item.immutableId === id);
      if (!message) throw new Error(`There is no message ${id}`);
      if (isRead !== undefined) message.isRead = isRead;
      if (folder === null) dropMessage(world, account, message);
      else if (folder) moveMessage(world, account, message, getMailFolder(account, folder).key);
      else touchMessage(world, account, message);
    },
    seedEvent(who: string, { invitedBy, ...event }: NewEvent & { invitedBy?: string }) {
      const invited = invitedBy
        ? { organizer: { emailAddress: { address: invitedBy } }, response: 'notResponded' }
        : {};
      return insertEvent(world, getMicrosoftAccount(world, who), { ...event, ...invited }, stamp(world.now()));
    },
    touchEvent(who: string, id: string, change: Partial<Pick<Event, 'subject' | 'isCancelled'>>) {
      Object.assign(getEvent(who, id), change, { changedAt: stamp(world.now()) });
      noteChange(world, getMicrosoftAccount(world, who), id, 'calendar');
    },
    deleteEvent(who: string, id: string) {
      const account = getMicrosoftAccount(world, who);
      const event = getEvent(who, id);
      account.events = account.events.filter((item) => item !== event);
      noteChange(world, account, id, 'calendar');
    },
    messages: (who: string, folder?: string) =>
      getMicrosoftAccount(world, who).messages.filter((message) => !folder || message.folder === folder),
    events: (who: string) => getMicrosoftAccount(world, who).events,
    sent: (who?: string) => own(world.data.sent, who),
    findEverything: (isSo: boolean) => void (world.data.findsEverything = isSo),
    invitations: (who?: string) => own(world.data.invitations, who),
    expireDeltaLinks(who: string) {
      world.data.lastSeq += 1;
      getMicrosoftAccount(world, who).floor = world.data.lastSeq;
    },
  };
}

/** Starts the emulator on the loopback. It has one application and no users. */
export async function startMicrosoftEmulator(options: MicrosoftEmulatorOptions = {}): Promise<MicrosoftEmulator> {
  const world = createWorld(options.now ?? (() => new Date()));
  const flow = createMicrosoftFlow(world, options);
  const register = (input: ClientInput) =>
    addClient(world.data.oauth, input, () => ({ id: randomUUID(), secret: createRandomText(30) }));
  const client = register({ redirectUris: [loopback] });
  const quota = createQuotaMeter(options.quota ?? { requests: 10_000, seconds: 600 });
  const emulator = await startEmulator(world, createDialect({ world, flow, quota }), options);
  return {
    ...emulator,
    client,
    addClient: register,
    ...createSeeding(world),
    issueTokens(who, scopes, other = client) {
      const { access, refresh } = flow.issue({
        account: getMicrosoftAccount(world, who).email,
        client: other,
        scopes: [...scopes, 'offline_access'],
      });
      return { accessToken: access.token, refreshToken: refresh?.token ?? '' };
    },
    revokeAccess: (who, other = client) => revokeGrant(world.data.oauth, who.toLowerCase(), other.id),
    approve: (url, { email, deny }) => flow.approve(url, { account: email.toLowerCase(), deny: deny ?? false }),
    setQuota: quota.set,
  };
}
