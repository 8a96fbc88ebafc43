// A strict, stateful emulator of monday's GraphQL API and OAuth, on one origin. See README.md.
import { randomBytes, randomUUID } from 'node:crypto';
import type { GraphQLError } from 'graphql';
import { startEmulator } from '../kit/emulator.ts';
import type { Emulator, EmulatorOptions } from '../kit/emulator.ts';
import type { OrderedAnswer } from '../kit/failures.ts';
import { getArgument, formatError, prepare, run, sumFields } from '../kit/graphql.ts';
import type { PreparedDocument } from '../kit/graphql.ts';
import { exchangeToken, readForm, createStandardError, buildStandardTokenReply } from '../kit/oauth/endpoints.ts';
import { createFlow } from '../kit/oauth/flow.ts';
import type { Flow } from '../kit/oauth/flow.ts';
import { addClient, loopback, createRandomText, revokeFamily, revokeGrant } from '../kit/oauth/store.ts';
import type { Client, ClientInput } from '../kit/oauth/store.ts';
import { createQuotaMeter } from '../kit/quota.ts';
import type { QuotaMeter } from '../kit/quota.ts';
import { findRoute, splitNames } from '../kit/routing.ts';
import type { Dialect } from '../kit/server.ts';
import { WireError } from '../kit/wire.ts';
import type { IncomingRequest, Reply } from '../kit/wire.ts';
import { createMondayMutations, queryRoot } from './resolvers.ts';
import type { Caller } from './resolvers.ts';
import { mondaySchema } from './schema.ts';
import { createWorld, insertItem, insertUpdate, createMondayId, readValues, stamp, getMondayUser } from './state.ts';
import type { Board, Column, Item, MondayWorld, Update, User } from './state.ts';

/** How the emulator starts. */
export type MondayEmulatorOptions = EmulatorOptions & {
  /** 5,000,000 by default, per minute and person. */
  complexityPerMinute?: number;
  /** 3,600 by default. */
  cursorSeconds?: number;
  /** Whether the app has “New OAuth flow” switched on: tokens that end, refresh tokens, and revocation. */
  newOauth?: boolean;
};

type BoardInput = {
  name: string;
  columns?: (Omit<Column, 'labels'> & { labels?: string[] })[];
  private?: boolean;
  members?: string[];
};

/** A running emulator; users are named by name, email or id. */
export type MondayEmulator = Emulator & {
  /** A registered app; redirect URIs on the loopback are allowed. */
  client: Client;
  addClient(client: ClientInput): Client;
  addUser(user: { name: string; email?: string; admin?: boolean }): User;
  addBoard(board: BoardInput): Board;
  seedItem(boardId: string, item: { name: string; by: string; values?: Record<string, unknown>; at?: Date }): Item;
  seedUpdate(itemId: string, update: { by: string; body: string }): Update;
  /** Changes an item as somebody in the app would. */
  touchItem(itemId: string, change: { name?: string; values?: Record<string, string>; state?: Item['state'] }): void;
  items(boardId: string): Item[];
  updates(itemId: string): Update[];
  /** A personal token, which has all scopes. */
  personalToken(who: string): string;
  issueTokens(who: string, scopes?: string[], client?: Client): { accessToken: string };
  revokeAccess(who: string, client?: Client): void;
  approve(authorizationUrl: string, consent: { user: string; deny?: boolean }): Promise<string>;
  /** Sets the points per minute. */
  setBudget(points: number): void;
};

type MondayParts = { world: MondayWorld; flow: Flow; budget: QuotaMeter };

const knownScopes = splitNames(`
  me:read boards:read boards:write workspaces:read workspaces:write users:read users:write account:read updates:read
  updates:write assets:read tags:read teams:read docs:read docs:write notifications:write webhooks:read webhooks:write
`);

function createMondayFlow(world: MondayWorld, isNew: boolean): Flow {
  return createFlow(world, {
    ...(isNew && {
      accessTokenSeconds: 3_600,
      refresh: { when: () => true, rotates: true, reuse: 'revokes_family', graceSeconds: 0 },
    }),
    title: 'Install app',
    authorizePath: '/oauth2/authorize',
    parameters: ['app_version_id', 'force_install_if_needed', 'subdomain'],
    required: ['client_id'],
    responseType: 'ignored',
    readScopes: (query) => (query.get('scope') ?? '').split(/\s+/).filter(Boolean),
    isKnownScope: (scope) => knownScopes.includes(scope),
    people: () =>
      [...world.data.users.values()].map(({ id, name, email }) => ({ key: id, label: `${name} <${email}>` })),
    codeSeconds: 600,
    newAccessToken: () => `eyJhbGciOiJIUzI1NiJ9.${createRandomText(60)}.${createRandomText(24)}`,
    refuse: createStandardError,
  });
}

function createMondayError(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
  more: Record<string, unknown> = {},
): WireError {
  const body = { errors: [{ message, extensions: { code, ...more } }], extensions: { request_id: randomUUID() } };
  return new WireError(status, message, body, headers);
}

/** The token of Authorization, with `Bearer` or without. */
function authenticateCaller({ world, flow }: MondayParts, { headers }: IncomingRequest): Caller {
  const given = (headers.authorization ?? '').replace(/^Bearer\s+/i, '');
  const token = flow.live(given);
  const id = token?.account ?? world.data.personalTokens.get(given);
  const user = id === undefined ? undefined : world.data.users.get(id);
  if (!user) throw new WireError(401, 'Not Authenticated', { errors: ['Not Authenticated'] });
  return { user, scopes: token?.scopes ?? knownScopes };
}

/** One point per field, ten per object. A list multiplies the cost below by its limit. */
function computeComplexity(prepared: PreparedDocument): number {
  return sumFields(mondaySchema, prepared, ({ field, isObject, below }) => {
    if (!isObject) return 1;
    const name = field.name.value;
    // The items of a page are counted by the limit of the page.
    const isOfPage = name === 'items' && !field.arguments?.length;
    const sized = !isOfPage && ['boards', 'items', 'users', 'updates', 'items_page', 'next_items_page'].includes(name);
    return 10 + below * (sized ? Number(getArgument(field, 'limit', prepared.variables) ?? 25) : 1);
  });
}

function createBudgetError(retryAfter: number): WireError {
  const more = { retry_in_seconds: retryAfter };
  return createMondayError(
    429,
    'COMPLEXITY_BUDGET_EXHAUSTED',
    'Complexity budget exhausted',
    { 'retry-after': String(retryAfter) },
    more,
  );
}

function buildErrorBody(error: GraphQLError) {
  const known = Object.keys(error.extensions).length > 0;
  if (known || !error.originalError)
    return formatError(error, known ? { ...error.extensions } : { code: 'BAD_USER_INPUT' });
  return formatError(error, { code: 'INTERNAL_SERVER_ERROR', emulatorFault: error.originalError.stack });
}

function answerGraphql(parts: MondayParts, incoming: IncomingRequest): Reply {
  const { world, budget } = parts;
  if (incoming.method !== 'POST' || !(incoming.headers['content-type'] ?? '').includes('application/json')) {
    throw createMondayError(400, 'BAD_REQUEST', 'The request has to be a POST of JSON');
  }
  const caller = authenticateCaller(parts, incoming);
  const version = incoming.headers['api-version'];
  if (version !== undefined && !/^(20\d\d-(01|04|07|10)|dev)$/.test(String(version))) {
    throw createMondayError(400, 'API_VERSION_INVALID', `Invalid API version: ${String(version)}`);
  }
  const prepared = prepare(mondaySchema, incoming.body.toString('utf8'));
  if ('errors' in prepared) {
    const code = prepared.kind === 'validation' ? 'GRAPHQL_VALIDATION_FAILED' : 'BAD_REQUEST';
    return { status: 400, json: { errors: prepared.errors.map((error) => formatError(error, { code })) } };
  }
  const now = world.now();
  const cost = computeComplexity(prepared);
  if (cost > 5_000_000)
    throw createMondayError(200, 'maxComplexityExceeded', 'Query has a complexity over the limit of 5,000,000');
  const quotaState = budget.count(caller.user.id, now, cost);
  const left = Math.max(0, (quotaState?.limit ?? 0) - (quotaState?.used ?? 0));
  const seconds = Math.ceil(((quotaState?.resetsAt.getTime() ?? 0) - now.getTime()) / 1000);
  if (quotaState?.exceeded) throw createBudgetError(Math.max(1, seconds));
  const complexity = { before: left + cost, after: left, query: cost, reset_in_x_seconds: seconds };
  const context = { world, caller, complexity };
  const { data, errors } = run(mondaySchema, prepared, { ...queryRoot(context), ...createMondayMutations(context) });
  return {
    headers: { 'api-version': String(version ?? '2026-07') },
    json: {
      data,
      ...(errors.length > 0 ? { errors: errors.map(buildErrorBody) } : {}),
      account_id: 1,
      extensions: { request_id: randomUUID() },
    },
  };
}

/** Only codes are exchanged: tokens do not expire. */
function exchange({ world, flow }: MondayParts, incoming: IncomingRequest): Reply {
  const form = readForm(incoming);
  const grantType = form.get('grant_type');
  if (grantType !== null && grantType !== 'authorization_code')
    throw createStandardError('unsupported_grant_type', grantType);
  return buildStandardTokenReply(flow.redeemCode(form, flow.authenticate(incoming.headers, form)), world.now());
}

/** The endpoints of the new flow take JSON. */
function readJsonForm({ headers, body }: IncomingRequest): URLSearchParams {
  if (!(headers['content-type'] ?? '').includes('application/json'))
    throw createStandardError('missing_parameter', 'the body has to be JSON');
  return new URLSearchParams(JSON.parse(body.toString('utf8')) as Record<string, string>);
}

/** Ends a token and all of the same consent; an unknown one is not an error (RFC 7009). */
function revoke({ world, flow }: MondayParts, incoming: IncomingRequest): Reply {
  const form = readJsonForm(incoming);
  const client = flow.authenticate(incoming.headers, form);
  const { oauth } = world.data;
  const given = form.get('token') ?? '';
  const token = oauth.accessTokens.get(given) ?? oauth.refreshTokens.get(given);
  if (token?.family && token.clientId === client.id) revokeFamily(oauth, token.family);
  return { json: {} };
}

function answerNewOauth(parts: MondayParts, incoming: IncomingRequest): Reply {
  if (incoming.url.pathname === '/oauth_ms/oauth/revoke') return revoke(parts, incoming);
  return buildStandardTokenReply(exchangeToken(parts.flow, incoming, readJsonForm(incoming)), parts.world.now());
}

function answer(parts: MondayParts, incoming: IncomingRequest): Reply {
  const { url, headers, body } = incoming;
  const page = findRoute(parts.flow.routes, incoming);
  if (page) return page.route.handle({ now: parts.world.now(), url, headers, body, params: page.params });
  if (incoming.method === 'POST' && url.pathname === '/oauth2/token') return exchange(parts, incoming);
  if (incoming.method === 'POST' && /^\/oauth_ms\/oauth\/(token|revoke)$/.test(url.pathname))
    return answerNewOauth(parts, incoming);
  if (url.pathname === '/v2') return answerGraphql(parts, incoming);
  return { status: 404, json: { errors: ['Not found'] } };
}

function buildOrderedReply(order: OrderedAnswer): Reply {
  const retryAfter = order.kind === 'status' ? order.retryAfter : undefined;
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  const wanted =
    order.kind === 'invalid_grant'
      ? createStandardError('bad_code', '')
      : order.kind === 'rate_limited'
        ? createBudgetError(30)
        : createMondayError(
            order.status,
            order.status === 429 ? 'RATE_LIMIT_EXCEEDED' : 'INTERNAL_SERVER_ERROR',
            order.reason ?? 'Internal server error',
            headers,
          );
  return { status: wanted.status, headers: wanted.headers, json: wanted.body };
}

function createDialect(parts: MondayParts): Dialect {
  return {
    findAccount(incoming) {
      try {
        return authenticateCaller(parts, incoming).user.email;
      } catch {
        return undefined;
      }
    },
    answer: (incoming) => answer(parts, incoming),
    ordered: buildOrderedReply,
    internalError: (detail) => ({ status: 500, json: { errors: [{ message: 'emulatorFault', detail }] } }),
  };
}

function createSeeding(world: MondayWorld) {
  const getBoard = (id: string): Board => {
    const board = world.data.boards.get(id);
    if (!board) throw new Error(`There is no board ${id}`);
    return board;
  };
  const getItem = (id: string): Item => {
    const item = world.data.items.get(id);
    if (!item) throw new Error(`There is no item ${id}`);
    return item;
  };
  return {
    addUser({ name, email, admin }: { name: string; email?: string; admin?: boolean }): User {
      const user = {
        id: createMondayId(world),
        name,
        email: email ?? `${name.toLowerCase()}@example.com`,
        admin: admin ?? false,
      };
      world.data.users.set(user.id, user);
      return user;
    },
    addBoard(input: BoardInput): Board {
      const board: Board = {
        id: createMondayId(world),
        name: input.name,
        description: '',
        kind: input.private ? 'private' : 'public',
        state: 'active',
        memberIds: (input.members ?? []).map((who) => getMondayUser(world, who).id),
        columns: (input.columns ?? []).map((column) => ({ labels: [], ...column })),
        groups: [{ id: 'topics', title: 'Group Title' }],
        updatedAt: stamp(world.now()),
      };
      world.data.boards.set(board.id, board);
      return board;
    },
    seedItem(boardId: string, input: { name: string; by: string; values?: Record<string, unknown>; at?: Date }) {
      const board = getBoard(boardId);
      const values = readValues(board, input.values, true);
      const made = { name: input.name, creatorId: getMondayUser(world, input.by).id, values };
      return insertItem(world, board, made, stamp(input.at ?? world.now()));
    },
    seedUpdate: (itemId: string, { by, body }: { by: string; body: string }) =>
      insertUpdate(world, getItem(itemId), getMondayUser(world, by).id, body, stamp(world.now())),
    touchItem(
      itemId: string,
      { name, values, state }: { name?: string; values?: Record<string, string>; state?: Item['state'] },
    ) {
      const item = getItem(itemId);
      Object.assign(item.values, values);
      Object.assign(item, { name: name ?? item.name, state: state ?? item.state, updatedAt: stamp(world.now()) });
    },
    items: (boardId: string) => [...world.data.items.values()].filter((item) => item.boardId === boardId),
    updates: (itemId: string) => [...world.data.updates.values()].filter((update) => update.itemId === itemId),
  };
}

/** Starts the emulator on the loopback. It has one app, an empty account and no users. */
export async function startMondayEmulator(options: MondayEmulatorOptions = {}): Promise<MondayEmulator> {
  const world = createWorld({ now: options.now ?? (() => new Date()), cursorSeconds: options.cursorSeconds ?? 3600 });
  const flow = createMondayFlow(world, options.newOauth ?? false);
  const register = (input: ClientInput) =>
    addClient(world.data.oauth, input, () => ({
      id: randomBytes(16).toString('hex'),
      secret: randomBytes(16).toString('hex'),
    }));
  const client = register({ redirectUris: [loopback] });
  const budget = createQuotaMeter({ requests: options.complexityPerMinute ?? 5_000_000, seconds: 60 });
  const emulator = await startEmulator(world, createDialect({ world, flow, budget }), options);
  return {
    ...emulator,
    client,
    addClient: register,
    ...createSeeding(world),
    personalToken(who) {
      const token = `eyJhbGciOiJIUzI1NiJ9.${createRandomText(60)}`;
      world.data.personalTokens.set(token, getMondayUser(world, who).id);
      return token;
    },
    issueTokens(who, scopes = knownScopes, other = client) {
      return { accessToken: flow.issue({ account: getMondayUser(world, who).id, client: other, scopes }).access.token };
    },
    revokeAccess: (who, other = client) => revokeGrant(world.data.oauth, getMondayUser(world, who).id, other.id),
    approve: (url, { user, deny }) =>
      flow.approve(url, { account: getMondayUser(world, user).id, deny: deny ?? false }),
    setBudget: (points) => budget.set({ requests: points, seconds: 60 }),
  };
}
