// A strict, stateful emulator of GitHub's REST API and OAuth web flow, on one origin. See README.md.
import { randomBytes } from 'node:crypto';
import { startEmulator } from '../kit/emulator.ts';
import type { Emulator, EmulatorOptions } from '../kit/emulator.ts';
import type { OrderedAnswer } from '../kit/failures.ts';
import type { Flow } from '../kit/oauth/flow.ts';
import { addClient, loopback, revokeGrant } from '../kit/oauth/store.ts';
import type { Client, ClientInput } from '../kit/oauth/store.ts';
import { createQuotaMeter } from '../kit/quota.ts';
import type { Quota, QuotaMeter, QuotaState } from '../kit/quota.ts';
import { findRoute } from '../kit/routing.ts';
import type { Dialect } from '../kit/server.ts';
import { WireError } from '../kit/wire.ts';
import type { IncomingRequest, Reply } from '../kit/wire.ts';
import { createNotVisibleError, createGitHubError, createSecondaryLimitError } from './errors.ts';
import { issueRoutes } from './issues.ts';
import { createCredentialsError, createGitHubFlow, createOAuthRoutes, createGitHubTokenError } from './oauth.ts';
import { repoRoutes } from './repos.ts';
import { checkQuery, withEtag } from './routing.ts';
import type { Caller, Route } from './routing.ts';
import {
  addPersonalToken,
  addRelease,
  addRepo,
  addUser,
  createWorld,
  openIssue,
  getRepo,
  setState,
  stamp,
  getGitHubUser,
  writeComment,
  writeReview,
} from './state.ts';
import type {
  Comment,
  GitHubWorld,
  Issue,
  IssueInput,
  Release,
  Repo,
  RepoInput,
  Review,
  ReviewInput,
  User,
} from './state.ts';

/** How the emulator starts. */
export type GitHubEmulatorOptions = EmulatorOptions & {
  /** Requests per hour and account; 5,000 by default, 60 for those who do not sign in. */
  requestsPerHour?: number;
  /** The most issues and comments per minute. Default: 80. */
  contentPerMinute?: number;
  /** The delay in seconds until search finds new items. Default: 60. */
  searchLagSeconds?: number;
};

/** A running emulator. */
export type GitHubEmulator = Emulator & {
  /** A registered OAuth app; redirect URIs on the loopback are allowed. */
  client: Client;
  addClient(client: ClientInput): Client;
  addUser(user: { login: string; name?: string; email?: string }): User;
  addRepo(repo: RepoInput): Repo;
  /** Opens an issue, or with `pull` a pull request. Changing the returned object changes it upstream; use `touchIssue` for that. */
  seedIssue(repo: string, issue: IssueInput): Issue;
  seedComment(repo: string, number: number, comment: { author: string; body: string; at?: Date }): Comment;
  seedReview(repo: string, number: number, review: ReviewInput): Review;
  seedRelease(repo: string, release: Parameters<typeof addRelease>[2]): Release;
  /** Changes an issue as somebody on the site would. */
  touchIssue(repo: string, number: number, change: Partial<Pick<Issue, 'title' | 'body' | 'state' | 'labels'>>): void;
  deleteIssue(repo: string, number: number): void;
  issues(repo: string): Issue[];
  /** A personal token (classic). */
  personalToken(login: string, scopes?: string[]): string;
  issueTokens(login: string, scopes?: string[], client?: Client): { accessToken: string };
  /** Removes an app's access, as the person can in their settings. */
  revokeAccess(login: string, client?: Client): void;
  approve(authorizationUrl: string, consent: { login: string; deny?: boolean }): Promise<string>;
  /** Sets or lifts the hourly limit. */
  setQuota(quota: Quota | undefined): void;
};

type GithubParts = {
  world: GitHubWorld;
  flow: Flow;
  routes: Route[];
  quota: QuotaMeter;
  anonymous: QuotaMeter;
  content: QuotaMeter;
};

/** The caller of a bearer token, `token` scheme or Basic password. */
function authenticateCaller({ world, flow }: GithubParts, { headers }: IncomingRequest): Caller | undefined {
  const [, scheme = '', value = ''] = /^(\S+)\s+(.+)$/.exec(headers.authorization ?? '') ?? [];
  if (!scheme) return undefined;
  const given =
    scheme.toLowerCase() === 'basic' ? (Buffer.from(value, 'base64').toString().split(':')[1] ?? '') : value;
  const token = flow.live(given) ?? world.data.personalTokens.get(given);
  if (!token) throw createCredentialsError();
  return { user: getGitHubUser(world, token.account), scopes: token.scopes };
}

const versions = ['2022-11-28', '2026-03-10'];

function checkHeaders({ headers }: IncomingRequest): void {
  if (!headers['user-agent']) {
    throw createGitHubError(
      403,
      'Request forbidden by administrative rules. Please make sure your request has a User-Agent header',
    );
  }
  const version = headers['x-github-api-version'];
  if (version !== undefined && !versions.includes(String(version))) {
    throw createGitHubError(400, `Version is not supported: ${String(version)}`);
  }
}

function limitHeaders(quotaState: QuotaState | undefined, resource: string): Record<string, string> {
  if (!quotaState) return {};
  return {
    'x-ratelimit-limit': String(quotaState.limit),
    'x-ratelimit-remaining': String(Math.max(0, quotaState.limit - quotaState.used)),
    'x-ratelimit-used': String(Math.min(quotaState.limit, quotaState.used)),
    'x-ratelimit-reset': String(Math.ceil(quotaState.resetsAt.getTime() / 1000)),
    'x-ratelimit-resource': resource,
  };
}

function isBrowserPath(path: string): boolean {
  return path.startsWith('/login/') || path.startsWith('/applications/');
}

function run(parts: GithubParts, incoming: IncomingRequest, caller: Caller | undefined): Reply {
  const { url, headers, body } = incoming;
  const found = findRoute(parts.routes, incoming);
  if (!found) throw createNotVisibleError();
  const { route, params } = found;
  const now = parts.world.now();
  const call = { world: parts.world, now, url, params, headers, body, caller };
  if (isBrowserPath(url.pathname)) return route.handle(call);
  checkQuery(route, url.searchParams);
  if (route.content && parts.content.count(caller?.user.login ?? '', now)?.exceeded)
    throw createSecondaryLimitError(403, 60);
  const reply = route.handle(call);
  return incoming.method === 'GET' ? withEtag(call, reply) : reply;
}

/** Runs a request of the API: a 304 to somebody signed in costs nothing. */
function answer(parts: GithubParts, incoming: IncomingRequest): Reply {
  if (isBrowserPath(incoming.url.pathname)) return run(parts, incoming, undefined);
  checkHeaders(incoming);
  const caller = authenticateCaller(parts, incoming);
  const meter = caller ? parts.quota : parts.anonymous;
  const resource = incoming.url.pathname.startsWith('/search/') ? 'search' : 'core';
  const key = `${caller?.user.login ?? 'anonymous'} ${resource}`;
  const now = parts.world.now();
  const before = meter.count(key, now, 0);
  const always = {
    'x-github-media-type': 'github.v3; format=json',
    ...(caller ? { 'x-oauth-scopes': caller.scopes.join(', ') } : {}),
  };
  if (before && before.used >= before.limit) {
    const who = caller ? `user ID ${caller.user.id}` : '127.0.0.1';
    throw createGitHubError(403, `API rate limit exceeded for ${who}.`, {
      ...always,
      ...limitHeaders(before, resource),
    });
  }
  try {
    const reply = run(parts, incoming, caller);
    const quotaState = meter.count(key, now, reply.status === 304 && caller ? 0 : 1);
    return { ...reply, headers: { ...always, ...limitHeaders(quotaState, resource), ...reply.headers } };
  } catch (error) {
    const quotaState = meter.count(key, now);
    if (!(error instanceof WireError)) throw error;
    throw new WireError(error.status, error.message, error.body, {
      ...always,
      ...limitHeaders(quotaState, resource),
      ...error.headers,
    });
  }
}

function buildOrderedReply(order: OrderedAnswer): Reply {
  const wanted =
    order.kind === 'invalid_grant'
      ? createGitHubTokenError('bad_code')
      : order.kind === 'rate_limited'
        ? createSecondaryLimitError(403, 60)
        : order.status === 429
          ? createSecondaryLimitError(429, order.retryAfter ?? 60)
          : createGitHubError(
              order.status,
              order.reason ?? 'Server Error',
              order.retryAfter === undefined ? {} : { 'retry-after': String(order.retryAfter) },
            );
  return { status: wanted.status, headers: wanted.headers, json: wanted.body };
}

function createDialect(parts: GithubParts): Dialect {
  return {
    findAccount(incoming) {
      try {
        return authenticateCaller(parts, incoming)?.user.login;
      } catch {
        return undefined;
      }
    },
    answer: (incoming) => answer(parts, incoming),
    ordered: buildOrderedReply,
    internalError: (detail) => ({ status: 500, json: { message: 'emulatorFault', detail } }),
  };
}

function createSeeding(world: GitHubWorld) {
  const getIssue = (repo: string, number: number): Issue => {
    const issue = getRepo(world, repo).issues.get(number);
    if (!issue) throw new Error(`There is no issue ${repo}#${number}`);
    return issue;
  };
  return {
    addUser: (input: { login: string; name?: string; email?: string }) => addUser(world, input),
    addRepo: (input: RepoInput) => addRepo(world, input),
    seedIssue: (repo: string, input: IssueInput) => openIssue(world, getRepo(world, repo), input),
    seedComment: (repo: string, number: number, input: { author: string; body: string; at?: Date }) =>
      writeComment(world, getIssue(repo, number), input),
    seedReview: (repo: string, number: number, input: ReviewInput) => writeReview(world, getIssue(repo, number), input),
    seedRelease: (repo: string, input: Parameters<typeof addRelease>[2]) =>
      addRelease(world, getRepo(world, repo), input),
    touchIssue(repo: string, number: number, change: Partial<Pick<Issue, 'title' | 'body' | 'state' | 'labels'>>) {
      const issue = getIssue(repo, number);
      const { state, ...rest } = change;
      Object.assign(issue, rest, { updatedAt: stamp(world.now()) });
      if (state) setState(issue, state, null, issue.updatedAt);
    },
    deleteIssue(repo: string, number: number) {
      getIssue(repo, number);
      getRepo(world, repo).issues.delete(number);
      getRepo(world, repo).deleted.add(number);
    },
    issues: (repo: string) => [...getRepo(world, repo).issues.values()],
  };
}

/** Starts the emulator on the loopback. It has one OAuth app and no users. */
export async function startGitHubEmulator(options: GitHubEmulatorOptions = {}): Promise<GitHubEmulator> {
  const world = createWorld({
    now: options.now ?? (() => new Date()),
    searchLagSeconds: options.searchLagSeconds ?? 60,
  });
  const flow = createGitHubFlow(world);
  const register = (input: ClientInput) =>
    addClient(world.data.oauth, input, () => ({
      id: `Ov23li${randomBytes(7).toString('hex')}`,
      secret: randomBytes(20).toString('hex'),
    }));
  const client = register({ redirectUris: [loopback] });
  const quota = createQuotaMeter({ requests: options.requestsPerHour ?? 5000, seconds: 3600 });
  const emulator = await startEmulator(
    world,
    createDialect({
      world,
      flow,
      routes: [...createOAuthRoutes(flow), ...issueRoutes, ...repoRoutes],
      quota,
      anonymous: createQuotaMeter({ requests: 60, seconds: 3600 }),
      content: createQuotaMeter({ requests: options.contentPerMinute ?? 80, seconds: 60 }),
    }),
    options,
  );
  return {
    ...emulator,
    client,
    addClient: register,
    ...createSeeding(world),
    personalToken: (login, scopes = ['repo']) => addPersonalToken(world, login, scopes),
    issueTokens(login, scopes = ['repo'], other = client) {
      const { access } = flow.issue({ account: getGitHubUser(world, login).login, client: other, scopes });
      return { accessToken: access.token };
    },
    revokeAccess: (login, other = client) => revokeGrant(world.data.oauth, getGitHubUser(world, login).login, other.id),
    approve: (url, { login, deny }) =>
      flow.approve(url, { account: getGitHubUser(world, login).login, deny: deny ?? false }),
    setQuota: quota.set,
  };
}
