// People, repositories, pull requests, releases, search and the rate limit itself.
import { getPathParameter, getTextParameter } from '../kit/routing.ts';
import type { QueryRule } from '../kit/routing.ts';
import type { Reply } from '../kit/wire.ts';
import { createNotVisibleError, createInvalidFieldsError } from './errors.ts';
import { sortIssues } from './issues.ts';
import {
  issueResource,
  pullResource,
  releaseResource,
  buildRepoResource,
  reviewCommentResource,
  reviewResource,
  buildSignedInUser,
} from './resources.ts';
import { canSee, may, buildPageReply, paging, requireCaller, getVisibleRepo } from './routing.ts';
import type { Call, Route } from './routing.ts';
import type { Issue, Repo } from './state.ts';

function getUser(call: Call): Reply {
  return { json: buildSignedInUser(call.world, requireCaller(call).user) };
}

function listEmails(call: Call): Reply {
  const { user, scopes } = requireCaller(call);
  if (!scopes.includes('user') && !scopes.includes('user:email')) throw createNotVisibleError();
  return { json: [{ email: user.email, primary: true, verified: true, visibility: 'private' }] };
}

const repoKeys: Record<string, (repo: Repo) => string> = {
  created: (repo) => repo.createdAt,
  updated: (repo) => repo.updatedAt,
  pushed: (repo) => repo.pushedAt,
  full_name: (repo) => `${repo.owner}/${repo.name}`.toLowerCase(),
};

function listRepos(call: Call): Reply {
  const { user, scopes } = requireCaller(call);
  const type = getTextParameter(call, 'type') ?? 'all';
  const given = getTextParameter(call, 'visibility') ?? 'all';
  if (
    getTextParameter(call, 'type') &&
    (getTextParameter(call, 'visibility') || getTextParameter(call, 'affiliation'))
  ) {
    throw createInvalidFieldsError({
      resource: 'Repository',
      field: 'type',
      code: 'custom',
      message: 'If you specify visibility or affiliation, you cannot specify type.',
    });
  }
  const visibility = type === 'public' || type === 'private' ? type : given;
  const affiliations = (getTextParameter(call, 'affiliation') ?? 'owner,collaborator,organization_member').split(',');
  const sort = getTextParameter(call, 'sort') ?? 'full_name';
  const key = repoKeys[sort] ?? ((repo: Repo) => repo.name);
  const sign = (getTextParameter(call, 'direction') ?? (sort === 'full_name' ? 'asc' : 'desc')) === 'asc' ? 1 : -1;
  const found = [...call.world.data.repos.values()].filter((repo) => {
    const own = repo.owner === user.login;
    if (!may(call, repo, 'read') || (repo.private && !scopes.includes('repo'))) return false;
    if (visibility !== 'all' && (visibility === 'private') !== repo.private) return false;
    if (type === 'owner' && !own) return false;
    if (type === 'member' && own) return false;
    const link = own ? 'owner' : repo.ownerType === 'Organization' ? 'organization_member' : 'collaborator';
    return affiliations.includes(link);
  });
  const sorted = found.toSorted((one, other) => sign * key(one).localeCompare(key(other)));
  return buildPageReply(call, sorted, (repo) => buildRepoResource(call.world, repo, user.login));
}

function getRepo(call: Call): Reply {
  return { json: buildRepoResource(call.world, getVisibleRepo(call), call.caller?.user.login) };
}

function listPulls(call: Call): Reply {
  const repo = getVisibleRepo(call);
  const state = getTextParameter(call, 'state') ?? 'open';
  const head = getTextParameter(call, 'head');
  const wantedBase = getTextParameter(call, 'base');
  const found = [...repo.issues.values()].filter(
    ({ pull, state: own }) =>
      pull &&
      (state === 'all' || own === state) &&
      (!head || head === `${repo.owner}:${pull.head}`) &&
      (!wantedBase || pull.base === wantedBase),
  );
  const sort = getTextParameter(call, 'sort') ?? 'created';
  const sorted = sortIssues(found, sort, getTextParameter(call, 'direction') ?? (sort === 'created' ? 'desc' : 'asc'));
  return buildPageReply(call, sorted, (issue) => pullResource(call.world, repo, issue));
}

function getPull(call: Call): Reply {
  const repo = getVisibleRepo(call);
  const issue = findPullIssue(call, repo);
  return {
    json: {
      ...pullResource(call.world, repo, issue),
      merged: issue.pull?.mergedAt !== null,
      comments: issue.comments.length,
    },
  };
}

function findPullIssue(call: Call, repo: Repo): Issue {
  const issue = repo.issues.get(Number(getPathParameter(call, 'pull_number')));
  if (!issue?.pull) throw createNotVisibleError();
  return issue;
}

function listReviews(call: Call): Reply {
  const repo = getVisibleRepo(call);
  const issue = findPullIssue(call, repo);
  return buildPageReply(call, issue.reviews, (review) => reviewResource(call.world, repo, issue, review));
}

function listReviewComments(call: Call): Reply {
  const repo = getVisibleRepo(call);
  const issue = findPullIssue(call, repo);
  return buildPageReply(call, issue.reviewComments, (comment) =>
    reviewCommentResource(call.world, repo, issue, comment),
  );
}

function listVisibleReleases(call: Call, repo: Repo) {
  return repo.releases.filter((release) => !release.draft || may(call, repo, 'write'));
}

function listReleases(call: Call): Reply {
  const repo = getVisibleRepo(call);
  const newestFirst = listVisibleReleases(call, repo).toReversed();
  return buildPageReply(call, newestFirst, (release) => releaseResource(call.world, repo, release));
}

function showLatestRelease(call: Call): Reply {
  const repo = getVisibleRepo(call);
  const found = repo.releases.findLast((release) => !release.draft && !release.prerelease);
  if (!found) throw createNotVisibleError();
  return { json: releaseResource(call.world, repo, found) };
}

type Term = (repo: Repo, issue: Issue) => boolean;

const qualifiers: Record<string, (value: string) => Term> = {
  repo: (value) => (repo) => `${repo.owner}/${repo.name}`.toLowerCase() === value.toLowerCase(),
  user: (value) => (repo) => repo.owner.toLowerCase() === value.toLowerCase(),
  org: (value) => (repo) => repo.owner.toLowerCase() === value.toLowerCase(),
  author: (value) => (_, issue) => issue.author.toLowerCase() === value.toLowerCase(),
  assignee: (value) => (_, issue) => issue.assignees.includes(value),
  label: (value) => (_, issue) => issue.labels.includes(value),
  state: (value) => (_, issue) => issue.state === value,
  type: (value) => (_, issue) => (value === 'pr') === (issue.pull !== undefined),
  is: (value) => (repo, issue) =>
    ({
      open: issue.state === 'open',
      closed: issue.state === 'closed',
      issue: !issue.pull,
      pr: issue.pull !== undefined,
      public: !repo.private,
      private: repo.private,
    })[value] ?? false,
};

function readTerms(query: string): Term[] {
  const words = query.match(/\w+:"[^"]*"|"[^"]*"|\S+/g) ?? [];
  return words.map((word) => {
    const [, name = '', quoted = ''] = /^(\w+):(.+)$/.exec(word) ?? [];
    const made = qualifiers[name]?.(quoted.replaceAll('"', ''));
    if (made) return made;
    const wanted = word.replaceAll('"', '').toLowerCase();
    return (_, issue) => `${issue.title} ${issue.body ?? ''}`.toLowerCase().includes(wanted);
  });
}

function searchIssues(call: Call): Reply {
  const query = getTextParameter(call, 'q') ?? '';
  if (query.trim() === '') throw createInvalidFieldsError({ resource: 'Search', field: 'q', code: 'missing' });
  const terms = readTerms(query);
  // The index lags: new items are not found yet.
  const indexed = call.now.getTime() - call.world.searchLagSeconds * 1000;
  const found = [...call.world.data.repos.values()]
    .filter((repo) => canSee(call, repo))
    .flatMap((repo) => [...repo.issues.values()].map((issue) => ({ repo, issue })))
    .filter(({ issue }) => Date.parse(issue.createdAt) <= indexed)
    .filter(({ repo, issue }) => terms.every((term) => term(repo, issue)));
  const page = buildPageReply(call, found, ({ repo, issue }) => ({
    ...issueResource(call.world, repo, issue),
    score: 1,
  }));
  return { ...page, json: { total_count: found.length, incomplete_results: false, items: page.json } };
}

const buildSortRules = (values: string[]): Record<string, QueryRule> => ({
  ...paging,
  sort: { type: 'string', values },
  direction: { type: 'string', values: ['asc', 'desc'] },
});

/** The routes about people and repositories. */
export const repoRoutes: Route[] = [
  { method: 'GET', path: '/user', handle: getUser },
  { method: 'GET', path: '/user/emails', query: paging, handle: listEmails },
  {
    method: 'GET',
    path: '/user/repos',
    query: {
      ...buildSortRules(['created', 'updated', 'pushed', 'full_name']),
      visibility: { type: 'string', values: ['all', 'public', 'private'] },
      affiliation: { type: 'string' },
      type: { type: 'string', values: ['all', 'owner', 'public', 'private', 'member'] },
    },
    handle: listRepos,
  },
  { method: 'GET', path: '/repos/:owner/:repo', handle: getRepo },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/pulls',
    query: {
      ...buildSortRules(['created', 'updated']),
      state: { type: 'string', values: ['open', 'closed', 'all'] },
      head: { type: 'string' },
      base: { type: 'string' },
    },
    handle: listPulls,
  },
  { method: 'GET', path: '/repos/:owner/:repo/pulls/:pull_number', handle: getPull },
  { method: 'GET', path: '/repos/:owner/:repo/pulls/:pull_number/reviews', query: paging, handle: listReviews },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/pulls/:pull_number/comments',
    query: buildSortRules(['created', 'updated']),
    handle: listReviewComments,
  },
  { method: 'GET', path: '/repos/:owner/:repo/releases', query: paging, handle: listReleases },
  { method: 'GET', path: '/repos/:owner/:repo/releases/latest', handle: showLatestRelease },
  {
    method: 'GET',
    path: '/search/issues',
    resource: 'search',
    query: {
      ...paging,
      q: { type: 'string', required: true },
      sort: { type: 'string' },
      order: { type: 'string', values: ['asc', 'desc'] },
    },
    handle: searchIssues,
  },
];
