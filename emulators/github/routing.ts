// Routes of GitHub's REST API and what every handler may ask of a request.
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { checkJson } from '../kit/body.ts';
import { findQueryError, getIntegerParameter, getPathParameter } from '../kit/routing.ts';
import type { PathCall, QueryRule } from '../kit/routing.ts';
import type { Reply } from '../kit/wire.ts';
import {
  createInvalidRequestError,
  createNotVisibleError,
  createGitHubError,
  createInvalidFieldsError,
} from './errors.ts';
import type { GitHubWorld, Permission, Repo, User } from './state.ts';

/** An authenticated caller. Anonymous requests may read public items. */
export type Caller = { user: User; scopes: readonly string[] };

/** A request on its way to a handler. */
export type Call = PathCall & { world: GitHubWorld; caller: Caller | undefined };

/** A route; `secondary` marks those that make content. */
export type Route = {
  method: string;
  path: string;
  query?: Record<string, QueryRule>;
  content?: true;
  resource?: 'search';
  handle(call: Call): Reply;
};

/** `per_page` and `page`; the real one silently cuts `per_page` to 100. */
export const paging: Record<string, QueryRule> = {
  per_page: { type: 'integer', min: 1, max: 100 },
  page: { type: 'integer', min: 1 },
};

/** Refuses what the description does not name. The real one ignores unknown parameters. */
export function checkQuery(route: Route, query: URLSearchParams): void {
  const queryError = findQueryError(route.query ?? {}, query);
  if (!queryError) return;
  if (queryError.kind === 'missing')
    throw createInvalidFieldsError({ resource: 'Search', field: queryError.name, code: 'missing' });
  throw createInvalidRequestError(`${queryError.kind} parameter ${queryError.name}: ${queryError.value}`);
}

/** The JSON body by its schema. */
export function parseJsonBody<T>(call: Call, schema: z.ZodType<T>): T {
  const checked = checkJson(schema, call.body.toString('utf8'));
  if ('value' in checked) return checked.value;
  const { error: queryError } = checked;
  if (queryError.kind === 'malformed') throw createGitHubError(400, 'Problems parsing JSON');
  if (queryError.kind === 'unknown') throw createInvalidRequestError(`"${queryError.name}" is not a permitted key.`);
  if (queryError.kind === 'missing') throw createInvalidRequestError(`"${queryError.at}" wasn't supplied.`);
  throw createInvalidRequestError(`For '${queryError.at}', ${queryError.message}`);
}

/** The caller, or 401. */
export function requireCaller(call: Call): Caller {
  if (!call.caller) throw createGitHubError(401, 'Requires authentication');
  return call.caller;
}

/** Whether a token reaches a repository: `repo` for private ones, `public_repo` to write to public ones. */
function canReach({ caller }: Call, repo: Repo, write: boolean): boolean {
  if (caller?.scopes.includes('repo')) return true;
  return !repo.private && (!write || (caller?.scopes.includes('public_repo') ?? false));
}

const ranks: Permission[] = ['read', 'write', 'admin'];

/** Whether the caller has a permission in a repository. */
export function may(call: Call, repo: Repo, permission: Permission): boolean {
  const memberPermission = repo.members.get(call.caller?.user.login.toLowerCase() ?? '');
  return memberPermission !== undefined && ranks.indexOf(memberPermission) >= ranks.indexOf(permission);
}

/** Whether a repository exists for the caller. */
export function canSee(call: Call, repo: Repo): boolean {
  return (!repo.private || may(call, repo, 'read')) && canReach(call, repo, false);
}

/** The repository of the path, when the caller may see it. */
export function getVisibleRepo(call: Call): Repo {
  const repo = call.world.data.repos.get(
    `${getPathParameter(call, 'owner')}/${getPathParameter(call, 'repo')}`.toLowerCase(),
  );
  if (!repo || !canSee(call, repo)) throw createNotVisibleError();
  return repo;
}

/** The same for a write: a token without the scope gets 404 too. */
export function getWritableRepo(call: Call): { repo: Repo; caller: Caller } {
  const caller = requireCaller(call);
  const repo = getVisibleRepo(call);
  if (!canReach(call, repo, true)) throw createNotVisibleError();
  return { repo, caller };
}

/** One page with its Link header. */
export function buildPageReply<T>(call: Call, items: T[], shape: (item: T) => unknown): Reply {
  const size = getIntegerParameter(call, 'per_page', 30);
  const page = getIntegerParameter(call, 'page', 1);
  return {
    headers: linkHeader(call, page, Math.max(1, Math.ceil(items.length / size))),
    json: items.slice((page - 1) * size, page * size).map(shape),
  };
}

/** The Link header of a page; a single page has none. */
function linkHeader(call: Call, page: number, last: number): Record<string, string> {
  const link = (rel: string, number: number) => {
    const url = new URL(call.url);
    url.searchParams.set('page', String(number));
    return `<${url.href}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link('prev', Math.min(page - 1, last)), link('first', 1)] : []),
    ...(page < last ? [link('next', page + 1), link('last', last)] : []),
  ];
  return links.length > 0 ? { link: links.join(', ') } : {};
}

/** Adds the ETag, and answers 304 when the client has that version. */
export function withEtag(call: Call, reply: Reply): Reply {
  if ((reply.status ?? 200) !== 200 || reply.json === undefined) return reply;
  const digest = createHash('sha256').update(JSON.stringify([call.caller?.user.id, reply.json]));
  const etag = `W/"${digest.digest('hex')}"`;
  const headers = {
    ...reply.headers,
    etag,
    'cache-control': 'private, max-age=60, s-maxage=60',
    vary: 'Accept, Authorization',
  };
  const given = (call.headers['if-none-match'] ?? '').split(',').map((item) => item.trim().replace(/^W\//, ''));
  if (given.includes(etag.slice(2)) || given.includes('*')) return { status: 304, headers };
  return { ...reply, headers };
}
