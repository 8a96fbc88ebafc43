// People, repositories, pull requests, releases, search and the rate limit itself.
import { param, text } from '../kit/routing.ts';
import type { QueryRule } from '../kit/routing.ts';
import type { Reply } from '../kit/wire.ts';
import { notFound, validationFailed } from './errors.ts';
import { sortIssues } from './issues.ts';
import {
  issueResource,
  pullResource,
  releaseResource,
  repoResource,
  reviewCommentResource,
  reviewResource,
  userResource,
} from './resources.ts';
import { canSee, may, pageReply, paging, requireCaller, visibleRepo } from './routing.ts';
import type { Call, Route } from './routing.ts';
import type { Issue, Repo } from './state.ts';

function getUser(call: Call): Reply {
  return { json: userResource(call.world, requireCaller(call).user) };
}

function listEmails(call: Call): Reply {
  const { user, scopes } = requireCaller(call);
  if (!scopes.includes('user') && !scopes.includes('user:email')) throw notFound();
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
  const type = text(call, 'type') ?? 'all';
  const given = text(call, 'visibility') ?? 'all';
  if (text(call, 'type') && (text(call, 'visibility') || text(call, 'affiliation'))) {
    throw validationFailed({
      resource: 'Repository',
      field: 'type',
      code: 'custom',
      message: 'If you specify visibility or affiliation, you cannot specify type.',
    });
  }
  const visibility = type === 'public' || type === 'private' ? type : given;
  const affiliations = (text(call, 'affiliation') ?? 'owner,collaborator,organization_member').split(',');
  const sort = text(call, 'sort') ?? 'full_name';
  const key = repoKeys[sort] ?? ((repo: Repo) => repo.name);
  const sign = (text(call, 'direction') ?? (sort === 'full_name' ? 'asc' : 'desc')) === 'asc' ? 1 : -1;
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
  return pageReply(call, sorted, (repo) => repoResource(call.world, repo, user.login));
}

function getRepo(call: Call): Reply {
  return { json: repoResource(call.world, visibleRepo(call), call.caller?.user.login) };
}

function listPulls(call: Call): Reply {
  const repo = visibleRepo(call);
  const state = text(call, 'state') ?? 'open';
  const head = text(call, 'head');
  const wantedBase = text(call, 'base');
  const found = [...repo.issues.values()].filter(
    ({ pull, state: own }) =>
      pull &&
      (state === 'all' || own === state) &&
      (!head || head === `${repo.owner}:${pull.head}`) &&
      (!wantedBase || pull.base === wantedBase),
  );
  const sort = text(call, 'sort') ?? 'created';
  const sorted = sortIssues(found, sort, text(call, 'direction') ?? (sort === 'created' ? 'desc' : 'asc'));
  return pageReply(call, sorted, (issue) => pullResource(call.world, repo, issue));
}

function getPull(call: Call): Reply {
  const repo = visibleRepo(call);
  const issue = pullOf(call, repo);
  return {
    json: {
      ...pullResource(call.world, repo, issue),
      merged: issue.pull?.mergedAt !== null,
      comments: issue.comments.length,
    },
  };
}

function pullOf(call: Call, repo: Repo): Issue {
  const issue = repo.issues.get(Number(param(call, 'pull_number')));
  if (!issue?.pull) throw notFound();
  return issue;
}

function listReviews(call: Call): Reply {
  const repo = visibleRepo(call);
  const issue = pullOf(call, repo);
  return pageReply(call, issue.reviews, (review) => reviewResource(call.world, repo, issue, review));
}

function listReviewComments(call: Call): Reply {
  const repo = visibleRepo(call);
  const issue = pullOf(call, repo);
  return pageReply(call, issue.reviewComments, (comment) => reviewCommentResource(call.world, repo, issue, comment));
}

function visibleReleases(call: Call, repo: Repo) {
  return repo.releases.filter((release) => !release.draft || may(call, repo, 'write'));
}

function listReleases(call: Call): Reply {
  const repo = visibleRepo(call);
  const newestFirst = visibleReleases(call, repo).toReversed();
  return pageReply(call, newestFirst, (release) => releaseResource(call.world, repo, release));
}

function latestRelease(call: Call): Reply {
  const repo = visibleRepo(call);
  const found = repo.releases.findLast((release) => !release.draft && !release.prerelease);
  if (!found) throw notFound();
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
  const query = text(call, 'q') ?? '';
  if (query.trim() === '') throw validationFailed({ resource: 'Search', field: 'q', code: 'missing' });
  const terms = readTerms(query);
  // The index lags: new items are not found yet.
  const indexed = call.now.getTime() - call.world.searchLagSeconds * 1000;
  const found = [...call.world.data.repos.values()]
    .filter((repo) => canSee(call, repo))
    .flatMap((repo) => [...repo.issues.values()].map((issue) => ({ repo, issue })))
    .filter(({ issue }) => Date.parse(issue.createdAt) <= indexed)
    .filter(({ repo, issue }) => terms.every((term) => term(repo, issue)));
  const page = pageReply(call, found, ({ repo, issue }) => ({ ...issueResource(call.world, repo, issue), score: 1 }));
  return { ...page, json: { total_count: found.length, incomplete_results: false, items: page.json } };
}

const sorting = (values: string[]): Record<string, QueryRule> => ({
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
      ...sorting(['created', 'updated', 'pushed', 'full_name']),
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
      ...sorting(['created', 'updated']),
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
    query: sorting(['created', 'updated']),
    handle: listReviewComments,
  },
  { method: 'GET', path: '/repos/:owner/:repo/releases', query: paging, handle: listReleases },
  { method: 'GET', path: '/repos/:owner/:repo/releases/latest', handle: latestRelease },
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
