// Issues and their comments; pull requests appear among the issues.
import { z } from 'zod';
import { getPathParameter, getTextParameter } from '../kit/routing.ts';
import type { QueryRule } from '../kit/routing.ts';
import type { Reply } from '../kit/wire.ts';
import { createNotVisibleError, createGitHubError, createInvalidFieldsError } from './errors.ts';
import { buildGitHubComment, issueResource, buildRepoResource } from './resources.ts';
import {
  parseJsonBody,
  may,
  buildPageReply,
  paging,
  requireCaller,
  getVisibleRepo,
  getWritableRepo,
} from './routing.ts';
import type { Call, Route } from './routing.ts';
import { openIssue, setState, stamp, writeComment } from './state.ts';
import type { Comment, Issue, Repo } from './state.ts';

const base = '/repos/:owner/:repo/issues';

const listQuery: Record<string, QueryRule> = {
  ...paging,
  milestone: { type: 'string', values: ['*', 'none'] },
  state: { type: 'string', values: ['open', 'closed', 'all'] },
  assignee: { type: 'string' },
  creator: { type: 'string' },
  labels: { type: 'string' },
  sort: { type: 'string', values: ['created', 'updated', 'comments'] },
  direction: { type: 'string', values: ['asc', 'desc'] },
  since: { type: 'date-time' },
};

const sortKeys: Record<string, (issue: Issue) => string | number> = {
  created: (issue) => issue.createdAt,
  updated: (issue) => issue.updatedAt,
  comments: (issue) => issue.comments.length,
};

/** Sorted as asked; of equals the newer comes first when descending. */
export function sortIssues(issues: Issue[], sort: string, direction: string): Issue[] {
  const key = sortKeys[sort] ?? sortKeys.created;
  const sign = direction === 'asc' ? 1 : -1;
  return issues.toSorted((one, other) => {
    const [left, right] = [key?.(one) ?? '', key?.(other) ?? ''];
    if (left === right) return sign * (one.id - other.id);
    return left < right ? -sign : sign;
  });
}

function isListedIssue(call: Call, issue: Issue): boolean {
  const state = getTextParameter(call, 'state') ?? 'open';
  const assignee = getTextParameter(call, 'assignee');
  const creator = getTextParameter(call, 'creator');
  const since = getTextParameter(call, 'since');
  const labels = (getTextParameter(call, 'labels') ?? '').split(',').filter(Boolean);
  if (state !== 'all' && issue.state !== state) return false;
  if (creator && issue.author.toLowerCase() !== creator.toLowerCase()) return false;
  if (assignee === 'none' && issue.assignees.length > 0) return false;
  if (assignee === '*' && issue.assignees.length === 0) return false;
  if (assignee && !['none', '*'].includes(assignee) && !issue.assignees.includes(assignee)) return false;
  if (getTextParameter(call, 'milestone') === '*') return false;
  if (since && Date.parse(issue.updatedAt) < Date.parse(since)) return false;
  return labels.every((label) => issue.labels.some((own) => own.toLowerCase() === label.toLowerCase()));
}

function withIssues(repo: Repo): Repo {
  if (!repo.hasIssues) throw createGitHubError(410, 'Issues has been disabled in this repository.');
  return repo;
}

function listIssues(call: Call): Reply {
  const repo = withIssues(getVisibleRepo(call));
  const found = [...repo.issues.values()].filter((issue) => isListedIssue(call, issue));
  const sorted = sortIssues(
    found,
    getTextParameter(call, 'sort') ?? 'created',
    getTextParameter(call, 'direction') ?? 'desc',
  );
  return buildPageReply(call, sorted, (issue) => issueResource(call.world, repo, issue));
}

function issueByNumber(call: Call, repo: Repo): Issue {
  const number = Number(getPathParameter(call, 'issue_number'));
  if (repo.deleted.has(number)) throw createGitHubError(410, 'This issue was deleted');
  const issue = repo.issues.get(number);
  if (!issue) throw createNotVisibleError();
  return issue;
}

function getIssue(call: Call): Reply {
  const repo = getVisibleRepo(call);
  const issue = issueByNumber(call, repo);
  return {
    headers: { 'last-modified': new Date(issue.updatedAt).toUTCString() },
    json: issueResource(call.world, repo, issue),
  };
}

const label = z.union([
  z.string(),
  z.strictObject({ name: z.string(), color: z.string().nullish(), description: z.string().nullish() }),
]);

const newIssue = z.strictObject({
  title: z.union([z.string(), z.number()]),
  body: z.string().nullish(),
  assignee: z.string().nullish(),
  assignees: z.array(z.string()).optional(),
  labels: z.array(label).optional(),
  milestone: z.null().optional(),
  type: z.null().optional(),
});

const changedIssue = newIssue.partial().extend({
  title: z.union([z.string(), z.number()]).nullish(),
  state: z.enum(['open', 'closed']).optional(),
  state_reason: z.enum(['completed', 'not_planned', 'duplicate', 'reopened']).nullish(),
});

function checkText(field: 'title' | 'body', resource: string, value: string | null | undefined): void {
  if (field === 'title' && value !== undefined && (value ?? '').trim() === '') {
    throw createInvalidFieldsError({ resource, field, code: 'missing_field' });
  }
  const limit = field === 'title' ? 256 : 65_536;
  if ((value ?? '').length <= limit) return;
  const message = `${field} is too long (maximum is ${limit} characters)`;
  throw createInvalidFieldsError({ resource, field, code: 'custom', message });
}

/** Who is assigned: people without access are refused. */
function parseAssignees(repo: Repo, body: z.infer<typeof changedIssue>): string[] | undefined {
  const given = body.assignees ?? (body.assignee === undefined ? undefined : body.assignee ? [body.assignee] : []);
  const stranger = given?.find((login) => !repo.members.has(login.toLowerCase()));
  if (stranger)
    throw createInvalidFieldsError({ resource: 'Issue', field: 'assignees', code: 'invalid', value: stranger });
  return given;
}

function parseLabels(body: z.infer<typeof changedIssue>): string[] | undefined {
  return body.labels?.map((item) => (typeof item === 'string' ? item : item.name));
}

function createIssue(call: Call): Reply {
  const { repo, caller } = getWritableRepo(call);
  withIssues(repo);
  const body = parseJsonBody(call, newIssue);
  const title = String(body.title);
  checkText('title', 'Issue', title);
  checkText('body', 'Issue', body.body);
  // Labels and assignees of those who cannot push are dropped without a word.
  const trusted = may(call, repo, 'write');
  const assignees = trusted ? parseAssignees(repo, body) : undefined;
  const issue = openIssue(call.world, repo, {
    author: caller.user.login,
    title,
    body: body.body ?? null,
    ...(trusted ? { labels: parseLabels(body) ?? [], assignees: assignees ?? [] } : {}),
    at: call.now,
  });
  const json = issueResource(call.world, repo, issue);
  return { status: 201, headers: { location: json.url }, json };
}

function updateIssue(call: Call): Reply {
  const { repo, caller } = getWritableRepo(call);
  const issue = issueByNumber(call, repo);
  const body = parseJsonBody(call, changedIssue);
  const trusted = may(call, repo, 'write');
  if (!trusted && issue.author !== caller.user.login)
    throw createGitHubError(403, 'Must have admin rights to Repository.');
  const title = body.title === undefined || body.title === null ? undefined : String(body.title);
  checkText('title', 'Issue', title);
  checkText('body', 'Issue', body.body);
  const assignees = parseAssignees(repo, body);
  const at = stamp(call.now);
  if (title !== undefined) issue.title = title;
  if (body.body !== undefined) issue.body = body.body;
  if (trusted) {
    issue.labels = parseLabels(body) ?? issue.labels;
    issue.assignees = assignees ?? issue.assignees;
  }
  if (body.state) setState(issue, body.state, body.state_reason ?? null, at);
  issue.updatedAt = at;
  return { json: issueResource(call.world, repo, issue) };
}

function listComments(call: Call): Reply {
  const repo = getVisibleRepo(call);
  const issue = issueByNumber(call, repo);
  const since = Date.parse(getTextParameter(call, 'since') ?? '1970-01-01T00:00:00Z');
  const found = issue.comments.filter((comment) => Date.parse(comment.updatedAt) >= since);
  return buildPageReply(call, found, (comment) => buildGitHubComment(call.world, repo, issue, comment));
}

function listRepoComments(call: Call): Reply {
  const repo = getVisibleRepo(call);
  const since = Date.parse(getTextParameter(call, 'since') ?? '1970-01-01T00:00:00Z');
  const key = (comment: Comment) =>
    getTextParameter(call, 'sort') === 'updated' ? comment.updatedAt : comment.createdAt;
  const sign = getTextParameter(call, 'direction') === 'desc' ? -1 : 1;
  const found = [...repo.issues.values()]
    .flatMap((issue) => issue.comments.map((comment) => ({ issue, comment })))
    .filter(({ comment }) => Date.parse(comment.updatedAt) >= since)
    .toSorted(
      (one, other) => sign * (key(one.comment).localeCompare(key(other.comment)) || one.comment.id - other.comment.id),
    );
  return buildPageReply(call, found, ({ issue, comment }) => buildGitHubComment(call.world, repo, issue, comment));
}

const commentBody = z.strictObject({ body: z.string() });

function createComment(call: Call): Reply {
  const { repo, caller } = getWritableRepo(call);
  const issue = issueByNumber(call, repo);
  const { body } = parseJsonBody(call, commentBody);
  if (body.trim() === '') {
    throw createInvalidFieldsError({
      resource: 'IssueComment',
      field: 'data',
      code: 'unprocessable',
      message: 'Body cannot be blank',
    });
  }
  checkText('body', 'IssueComment', body);
  if (issue.locked && !may(call, repo, 'write'))
    throw createGitHubError(403, 'Unable to create comment because issue is locked.');
  const comment = writeComment(call.world, issue, { author: caller.user.login, body, at: call.now });
  const json = buildGitHubComment(call.world, repo, issue, comment);
  return { status: 201, headers: { location: json.url }, json };
}

function findComment(call: Call, repo: Repo): { issue: Issue; comment: Comment } {
  const id = Number(getPathParameter(call, 'comment_id'));
  for (const issue of repo.issues.values()) {
    const comment = issue.comments.find((item) => item.id === id);
    if (comment) return { issue, comment };
  }
  throw createNotVisibleError();
}

function getComment(call: Call): Reply {
  const repo = getVisibleRepo(call);
  const { issue, comment } = findComment(call, repo);
  return { json: buildGitHubComment(call.world, repo, issue, comment) };
}

function getOwnComment(call: Call): { repo: Repo; issue: Issue; comment: Comment } {
  const { repo, caller } = getWritableRepo(call);
  const { issue, comment } = findComment(call, repo);
  if (comment.author !== caller.user.login && !may(call, repo, 'write')) {
    throw createGitHubError(403, 'Must have admin rights to Repository.');
  }
  return { repo, issue, comment };
}

function updateComment(call: Call): Reply {
  const { repo, issue, comment } = getOwnComment(call);
  comment.body = parseJsonBody(call, commentBody).body;
  comment.updatedAt = stamp(call.now);
  return { json: buildGitHubComment(call.world, repo, issue, comment) };
}

function deleteComment(call: Call): Reply {
  const { issue, comment } = getOwnComment(call);
  issue.comments = issue.comments.filter((item) => item !== comment);
  return { status: 204 };
}

function listAssignedIssues(call: Call): Reply {
  const { user } = requireCaller(call);
  const mine = [...call.world.data.repos.values()].flatMap((repo) =>
    [...repo.issues.values()]
      .filter(
        (issue) => isRequestedIssue(call, issue, user.login) && isListedIssue(call, issue) && may(call, repo, 'read'),
      )
      .map((issue) => ({ repo, issue })),
  );
  const order = sortIssues(
    mine.map(({ issue }) => issue),
    getTextParameter(call, 'sort') ?? 'created',
    getTextParameter(call, 'direction') ?? 'desc',
  );
  const sorted = mine.toSorted((one, other) => order.indexOf(one.issue) - order.indexOf(other.issue));
  return buildPageReply(call, sorted, ({ repo, issue }) => ({
    ...issueResource(call.world, repo, issue),
    repository: buildRepoResource(call.world, repo, user.login),
  }));
}

const commentQuery: Record<string, QueryRule> = { ...paging, since: { type: 'date-time' } };
const { milestone: _milestone, assignee: _assignee, creator: _creator, ...ownQuery } = listQuery;

/** The routes of issues. `issues/comments` comes before `issues/:issue_number`. */
/** By `filter`: assigned issues (default), own issues, or all visible ones. */
function isRequestedIssue(call: Parameters<typeof getTextParameter>[0], issue: Issue, login: string): boolean {
  const filter = getTextParameter(call, 'filter') ?? 'assigned';
  if (filter === 'assigned') return issue.assignees.includes(login);
  return filter === 'created' ? issue.author === login : true;
}

export const issueRoutes: Route[] = [
  {
    method: 'GET',
    path: '/issues',
    query: { ...ownQuery, filter: { type: 'string', values: ['assigned', 'created', 'repos', 'all'] } },
    handle: listAssignedIssues,
  },
  { method: 'GET', path: base, query: listQuery, handle: listIssues },
  { method: 'POST', path: base, content: true, handle: createIssue },
  {
    method: 'GET',
    path: `${base}/comments`,
    query: {
      ...commentQuery,
      sort: { type: 'string', values: ['created', 'updated'] },
      direction: { type: 'string', values: ['asc', 'desc'] },
    },
    handle: listRepoComments,
  },
  { method: 'GET', path: `${base}/comments/:comment_id`, handle: getComment },
  { method: 'PATCH', path: `${base}/comments/:comment_id`, handle: updateComment },
  { method: 'DELETE', path: `${base}/comments/:comment_id`, handle: deleteComment },
  { method: 'GET', path: `${base}/:issue_number`, handle: getIssue },
  { method: 'PATCH', path: `${base}/:issue_number`, handle: updateIssue },
  { method: 'GET', path: `${base}/:issue_number/comments`, query: commentQuery, handle: listComments },
  { method: 'POST', path: `${base}/:issue_number/comments`, content: true, handle: createComment },
];
