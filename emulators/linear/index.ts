// A strict, stateful emulator of Linear's GraphQL API and OAuth, on one origin. See README.md.
import { randomBytes } from 'node:crypto';
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
import type { Quota, QuotaMeter, QuotaState } from '../kit/quota.ts';
import { findRoute } from '../kit/routing.ts';
import type { Dialect } from '../kit/server.ts';
import { findBearerToken } from '../kit/wire.ts';
import type { IncomingRequest, Reply, WireError } from '../kit/wire.ts';
import { buildErrorExtensions, createLinearError } from './errors.ts';
import { createMutationRoot } from './mutations.ts';
import { queryRoot } from './queries.ts';
import type { Caller } from './queries.ts';
import { linearSchema } from './schema.ts';
import {
  addTeam,
  addUser,
  createWorld,
  findIssue,
  insertComment,
  insertIssue,
  moveIssue,
  listTeamStates,
  getLinearTeam,
  getLinearUser,
} from './state.ts';
import type { Comment, Issue, LinearWorld, Team, User } from './state.ts';

/** How the emulator starts. */
export type LinearEmulatorOptions = EmulatorOptions & {
  /** 86,400 by default. */
  accessTokenSeconds?: number;
  /** How many seconds a used refresh token still works. Default: 1,800. */
  refreshGraceSeconds?: number;
  /** Requests per hour and person; 5,000 by default. */
  requestsPerHour?: number;
  /** Points per hour and person; 3,000,000 by default. */
  complexityPerHour?: number;
};

type Changes = Partial<Pick<Issue, 'title' | 'description' | 'priority'>> & { state?: string; archived?: boolean };

/** A running emulator; users are named by name, email or id, teams by key, issues by identifier or id. */
export type LinearEmulator = Emulator & {
  /** A registered application; redirect URIs on the loopback are allowed. */
  client: Client;
  addClient(client: ClientInput): Client;
  addUser(user: { name: string; email?: string; admin?: boolean }): User;
  addTeam(team: Parameters<typeof addTeam>[1]): Team;
  seedIssue(
    team: string,
    issue: { title: string; description?: string; creator: string; assignee?: string; at?: Date },
  ): Issue;
  seedComment(issue: string, comment: { user: string; body: string; at?: Date }): Comment;
  /** Changes an issue as somebody in the app would; `state` is a column's name. */
  touchIssue(issue: string, change: Changes): void;
  /** Deletes an issue permanently, as after its time in the trash. */
  purgeIssue(issue: string): void;
  issues(team?: string): Issue[];
  comments(issue: string): Comment[];
  /** A personal API key, sent without `Bearer`. */
  apiKey(who: string): string;
  issueTokens(who: string, scopes?: string[], client?: Client): { accessToken: string; refreshToken: string };
  revokeAccess(who: string, client?: Client): void;
  approve(authorizationUrl: string, consent: { user: string; deny?: boolean }): Promise<string>;
  setQuota(quota: Quota | undefined): void;
};

type LinearParts = { world: LinearWorld; flow: Flow; requests: QuotaMeter; points: QuotaMeter };

const knownScopes = [
  'read',
  'write',
  'issues:create',
  'comments:create',
  'timeSchedule:write',
  'admin',
  'app:assignable',
  'app:mentionable',
];

function createLinearFlow(world: LinearWorld, options: LinearEmulatorOptions): Flow {
  return createFlow(world, {
    title: 'Authorize application',
    authorizePath: '/oauth/authorize',
    parameters: ['prompt', 'actor'],
    required: ['client_id', 'redirect_uri', 'response_type'],
    responseType: 'code',
    // `read` is always there.
    readScopes: (query) => [...new Set(['read', ...(query.get('scope') ?? '').split(/[\s,]+/).filter(Boolean)])],
    isKnownScope: (scope) => knownScopes.includes(scope),
    people: () =>
      [...world.data.users.values()].map(({ id, name, email }) => ({ key: id, label: `${name} <${email}>` })),
    codeSeconds: 600,
    accessTokenSeconds: options.accessTokenSeconds ?? 86_400,
    refresh: {
      when: () => true,
      rotates: true,
      reuse: 'revokes_family',
      graceSeconds: options.refreshGraceSeconds ?? 1800,
    },
    newAccessToken: () => `lin_oauth_${randomBytes(32).toString('hex')}`,
    newRefreshToken: () => `lin_refresh_${randomBytes(32).toString('hex')}`,
    refuse: createStandardError,
  });
}

/** The caller: an OAuth token with `Bearer`, or a personal key without it. */
function authenticateCaller({ world, flow }: LinearParts, { headers }: IncomingRequest): Caller {
  const given = headers.authorization ?? '';
  const bearer = findBearerToken(headers);
  if (bearer?.startsWith('lin_api_')) {
    const message =
      "It looks like you're trying to use an API key as a Bearer token. Remove the Bearer prefix from the Authorization header.";
    throw createLinearError(400, 'INPUT_ERROR', message);
  }
  const key = world.data.apiKeys.get(given);
  const token = flow.live(bearer);
  const user = world.data.users.get(token?.account ?? key ?? '');
  if (!user) throw createLinearError(401, 'AUTHENTICATION_ERROR', 'Authentication required, not authenticated');
  return { user, scopes: token?.scopes ?? ['read', 'write', 'admin'] };
}

/** A tenth of a point per field, one per object. A connection multiplies the cost below by its size. */
function computeComplexity(prepared: PreparedDocument): number {
  const total = sumFields(linearSchema, prepared, ({ field, isObject, below }) => {
    if (!isObject) return 0.1;
    const size = getArgument(field, 'first', prepared.variables) ?? getArgument(field, 'last', prepared.variables);
    const isPage = field.selectionSet?.selections.some(
      (item) => 'name' in item && ['nodes', 'edges'].includes(item.name.value),
    );
    return isPage ? below * Number(size ?? 50) : 1 + below;
  });
  return Math.ceil(total);
}

function buildBudgetHeaders(name: string, quotaState: QuotaState | undefined): Record<string, string> {
  if (!quotaState) return {};
  return {
    [`x-ratelimit-${name}-limit`]: String(quotaState.limit),
    [`x-ratelimit-${name}-remaining`]: String(Math.max(0, quotaState.limit - quotaState.used)),
    [`x-ratelimit-${name}-reset`]: String(quotaState.resetsAt.getTime()),
  };
}

function buildErrorBody(error: GraphQLError) {
  const known = Object.keys(error.extensions).length > 0;
  const internalError = error.originalError && !known;
  return formatError(
    error,
    known
      ? { ...error.extensions }
      : internalError
        ? { ...buildErrorExtensions('INTERNAL_SERVER_ERROR', 'emulatorFault'), stack: error.originalError?.stack }
        : buildErrorExtensions('INPUT_ERROR', error.message),
  );
}

function answerGraphql(parts: LinearParts, incoming: IncomingRequest): Reply {
  const { world, requests, points } = parts;
  if (incoming.method !== 'POST' || !(incoming.headers['content-type'] ?? '').includes('application/json')) {
    throw createLinearError(
      400,
      'INPUT_ERROR',
      'This operation has been blocked as a potential Cross-Site Request Forgery (CSRF).',
    );
  }
  const caller = authenticateCaller(parts, incoming);
  const now = world.now();
  const counted = requests.count(caller.user.id, now);
  const headers = buildBudgetHeaders('requests', counted);
  if (counted?.exceeded) throw createLinearError(400, 'RATELIMITED', 'Rate limit exceeded', headers);
  const prepared = prepare(linearSchema, incoming.body.toString('utf8'));
  if ('errors' in prepared) {
    const code = prepared.kind === 'syntax' ? 'GRAPHQL_PARSE_FAILED' : 'GRAPHQL_VALIDATION_FAILED';
    const errors = prepared.errors.map((error) => formatError(error, buildErrorExtensions(code, error.message)));
    return { status: 400, headers, json: { errors } };
  }
  const complexity = computeComplexity(prepared);
  if (complexity > 10_000) throw createLinearError(400, 'INPUT_ERROR', 'Query too complex', headers);
  const budget = points.count(caller.user.id, now, complexity);
  Object.assign(headers, { 'x-complexity': String(complexity) }, buildBudgetHeaders('complexity', budget));
  if (budget?.exceeded) throw createLinearError(400, 'RATELIMITED', 'Rate limit exceeded', headers);
  const context = { world, caller };
  const { data, errors } = run(linearSchema, prepared, { ...queryRoot(context), ...createMutationRoot(context) });
  return { headers, json: { data, ...(errors.length > 0 ? { errors: errors.map(buildErrorBody) } : {}) } };
}

/** Ends a token and all that came from the same consent. */
function revoke({ world, flow }: LinearParts, incoming: IncomingRequest): Reply {
  const form = incoming.body.length > 0 ? readForm(incoming) : new URLSearchParams();
  const given = form.get('token') ?? findBearerToken(incoming.headers) ?? '';
  const { oauth } = world.data;
  const token = flow.live(given) ?? oauth.refreshTokens.get(given);
  if (!token) throw createStandardError('bad_refresh_token', 'unknown token');
  if (token.family) revokeFamily(oauth, token.family);
  return { json: { success: true } };
}

function answer(parts: LinearParts, incoming: IncomingRequest): Reply {
  const { world, flow } = parts;
  const { url, headers, body, method } = incoming;
  const now = world.now();
  const page = findRoute(flow.routes, incoming);
  if (page) return page.route.handle({ now, url, headers, body, params: page.params });
  if (method === 'POST' && url.pathname === '/oauth/token') {
    return buildStandardTokenReply(exchangeToken(flow, incoming, readForm(incoming)), now);
  }
  if (method === 'POST' && url.pathname === '/oauth/revoke') return revoke(parts, incoming);
  if (url.pathname === '/graphql') return answerGraphql(parts, incoming);
  return { status: 404, json: { error: 'Not found' } };
}

function buildOrderedReply(order: OrderedAnswer): Reply {
  const retryAfter = order.kind === 'status' ? order.retryAfter : undefined;
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  const wanted: WireError =
    order.kind === 'invalid_grant'
      ? createStandardError('bad_refresh_token', '')
      : order.kind === 'rate_limited'
        ? createLinearError(400, 'RATELIMITED', 'Rate limit exceeded')
        : createLinearError(
            order.status,
            order.status === 429 ? 'RATELIMITED' : 'INTERNAL_SERVER_ERROR',
            order.reason ?? 'Internal server error',
            headers,
          );
  return { status: wanted.status, headers: wanted.headers, json: wanted.body };
}

function createDialect(parts: LinearParts): Dialect {
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

function createSeeding(world: LinearWorld) {
  const getIssue = (which: string): Issue => {
    const issue = findIssue(world, which);
    if (!issue) throw new Error(`There is no issue ${which}`);
    return issue;
  };
  return {
    addUser: (input: { name: string; email?: string; admin?: boolean }) => addUser(world, input),
    addTeam: (input: Parameters<typeof addTeam>[1]) => addTeam(world, input),
    seedIssue(
      team: string,
      input: { title: string; description?: string; creator: string; assignee?: string; at?: Date },
    ) {
      const { title, description = null, creator, assignee, at } = input;
      const assigneeId = assignee ? getLinearUser(world, assignee).id : null;
      const made = {
        title,
        description,
        assigneeId,
        teamId: getLinearTeam(world, team).id,
        creatorId: getLinearUser(world, creator).id,
      };
      return insertIssue(world, made, (at ?? world.now()).toISOString());
    },
    seedComment(issue: string, { user, body, at }: { user: string; body: string; at?: Date }) {
      const made = { issueId: getIssue(issue).id, userId: getLinearUser(world, user).id, body };
      return insertComment(world, made, (at ?? world.now()).toISOString());
    },
    touchIssue(which: string, { state, archived, ...fields }: Changes) {
      const issue = getIssue(which);
      const at = world.now().toISOString();
      Object.assign(issue, fields, { updatedAt: at });
      if (archived !== undefined) issue.archivedAt = archived ? at : null;
      const column = listTeamStates(world, issue.teamId).find(({ name }) => name === state);
      if (column) moveIssue(world, issue, column.id, at);
    },
    purgeIssue: (which: string) => void world.data.issues.delete(getIssue(which).id),
    issues: (team?: string) =>
      [...world.data.issues.values()].filter((issue) => !team || issue.teamId === getLinearTeam(world, team).id),
    comments: (issue: string) =>
      [...world.data.comments.values()].filter((comment) => comment.issueId === getIssue(issue).id),
  };
}

/** Starts the emulator on the loopback. It has one application, an empty workspace and no users. */
export async function startLinearEmulator(options: LinearEmulatorOptions = {}): Promise<LinearEmulator> {
  const world = createWorld(options.now ?? (() => new Date()));
  const flow = createLinearFlow(world, options);
  const register = (input: ClientInput) =>
    addClient(world.data.oauth, input, () => ({
      id: randomBytes(16).toString('hex'),
      secret: randomBytes(16).toString('hex'),
    }));
  const client = register({ redirectUris: [loopback] });
  const requests = createQuotaMeter({ requests: options.requestsPerHour ?? 5000, seconds: 3600 });
  const points = createQuotaMeter({ requests: options.complexityPerHour ?? 3_000_000, seconds: 3600 });
  const emulator = await startEmulator(world, createDialect({ world, flow, requests, points }), options);
  return {
    ...emulator,
    client,
    addClient: register,
    ...createSeeding(world),
    apiKey(who) {
      const key = `lin_api_${createRandomText(40)
        .replace(/[^A-Za-z0-9]/g, '0')
        .slice(0, 40)}`;
      world.data.apiKeys.set(key, getLinearUser(world, who).id);
      return key;
    },
    issueTokens(who, scopes = ['read', 'write'], other = client) {
      const { access, refresh } = flow.issue({ account: getLinearUser(world, who).id, client: other, scopes });
      return { accessToken: access.token, refreshToken: refresh?.token ?? '' };
    },
    revokeAccess: (who, other = client) => revokeGrant(world.data.oauth, getLinearUser(world, who).id, other.id),
    approve: (url, { user, deny }) =>
      flow.approve(url, { account: getLinearUser(world, user).id, deny: deny ?? false }),
    setQuota: requests.set,
  };
}
