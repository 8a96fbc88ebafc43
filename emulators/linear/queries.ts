// Queries: resolvers as functions on plain objects, filters, and pages by cursor.
import { createEntityMissingError, createInputError } from './errors.ts';
import { findIssue, listTeamStates } from './state.ts';
import type { Comment, Issue, LinearWorld, State, Team, User } from './state.ts';

/** Who asks. */
export type Caller = { user: User; scopes: readonly string[] };

/** What resolvers work on. */
export type Context = { world: LinearWorld; caller: Caller };

type Comparator = Record<string, unknown>;
type Filter = Record<string, unknown> & { and?: Filter[]; or?: Filter[] };
type PageArguments = {
  after?: string;
  before?: string;
  first?: number;
  last?: number;
  includeArchived?: boolean;
  orderBy?: string;
};
type Row = { id: string; createdAt: string; updatedAt: string };

function parseInstant(value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  if (Number.isNaN(time)) throw createInputError(`Argument Validation Error: ${String(value)} is not a date`);
  return time;
}

function isDate(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
}

const comparisons: Record<string, (own: unknown, wanted: unknown) => boolean> = {
  eq: (own, wanted) => own === wanted,
  neq: (own, wanted) => own !== wanted,
  gt: (own, wanted) => Number(own) > Number(wanted),
  gte: (own, wanted) => Number(own) >= Number(wanted),
  lt: (own, wanted) => Number(own) < Number(wanted),
  lte: (own, wanted) => Number(own) <= Number(wanted),
  in: (own, wanted) => (wanted as unknown[]).includes(own),
  nin: (own, wanted) => !(wanted as unknown[]).includes(own),
  contains: (own, wanted) => String(own).includes(String(wanted)),
  containsIgnoreCase: (own, wanted) => String(own).toLowerCase().includes(String(wanted).toLowerCase()),
  eqIgnoreCase: (own, wanted) => String(own).toLowerCase() === String(wanted).toLowerCase(),
  startsWith: (own, wanted) => String(own).startsWith(String(wanted)),
};

function isComparatorMatch(own: unknown, comparator: Comparator): boolean {
  return Object.entries(comparator).every(([name, wanted]) => {
    if (wanted === null || wanted === undefined) return true;
    const compare = comparisons[name] ?? (() => true);
    return isDate(own) ? compare(parseInstant(own), parseInstant(wanted)) : compare(own, wanted);
  });
}

/** Whether an object fits a filter; a value that is an object or null is a relation. */
function isFilterMatch(own: Record<string, unknown>, filter: Filter): boolean {
  const { and, or, ...fields } = filter;
  if (and?.some((part) => !isFilterMatch(own, part))) return false;
  if (or && !or.some((part) => isFilterMatch(own, part))) return false;
  return Object.entries(fields).every(([name, wanted]) => {
    if (!wanted) return true;
    const value = own[name];
    const comparator = wanted as Comparator;
    if (value !== null && typeof value === 'object')
      return comparator.null !== true && isFilterMatch(value as Record<string, unknown>, comparator);
    if (value === null) return comparator.null === true;
    return isComparatorMatch(value, comparator);
  });
}

/** One page, newest first; a cursor is the id of a row. */
function buildConnection<T extends Row>(rows: T[], args: PageArguments, shape: (row: T) => unknown) {
  const { first, last, after, before, orderBy = 'createdAt' } = args;
  const size = first ?? last ?? 50;
  if (size < 1 || size > 250)
    throw createInputError('Argument Validation Error: first and last have to be between 1 and 250');
  if (first !== undefined && last !== undefined)
    throw createInputError('Argument Validation Error: only one of first and last');
  const key = orderBy === 'updatedAt' ? 'updatedAt' : 'createdAt';
  const sorted = rows.toSorted((one, other) => other[key].localeCompare(one[key]) || other.id.localeCompare(one.id));
  const place = (cursor: string) => {
    const found = sorted.findIndex(({ id }) => id === cursor);
    if (found < 0) throw createInputError(`Argument Validation Error: unknown cursor ${cursor}`);
    return found;
  };
  const start = after === undefined ? 0 : place(after) + 1;
  const end = before === undefined ? sorted.length : place(before);
  const from = last === undefined ? start : Math.max(start, end - last);
  const page = sorted.slice(from, last === undefined ? Math.min(end, from + size) : end);
  return {
    nodes: page.map(shape),
    edges: page.map((row) => ({ cursor: row.id, node: shape(row) })),
    pageInfo: {
      hasNextPage: from + page.length < sorted.length,
      hasPreviousPage: from > 0,
      startCursor: page[0]?.id ?? null,
      endCursor: page.at(-1)?.id ?? null,
    },
  };
}

/** Whether a team exists for the caller. */
export function canSeeTeam({ caller }: Context, team: Team | undefined): team is Team {
  return team !== undefined && (!team.private || team.memberIds.includes(caller.user.id));
}

/** An issue that exists for the caller. */
export function getVisibleIssue(context: Context, which: string): Issue {
  const issue = findIssue(context.world, which);
  if (!issue || !canSeeTeam(context, context.world.data.teams.get(issue.teamId)))
    throw createEntityMissingError('Issue');
  return issue;
}

function buildOrganization({ world }: Context) {
  return { ...world.organization, updatedAt: world.organization.createdAt };
}

function buildUserNode(context: Context, user: User) {
  return {
    ...user,
    displayName: user.name.split(' ')[0]?.toLowerCase(),
    active: true,
    url: `https://linear.app/${context.world.organization.urlKey}/profiles/${user.id}`,
    avatarUrl: null,
    updatedAt: user.createdAt,
    organization: () => buildOrganization(context),
  };
}

function findUserNode(context: Context, id: string | null) {
  const user = context.world.data.users.get(id ?? '');
  return user ? buildUserNode(context, user) : null;
}

function buildStateNode(context: Context, state: State) {
  return {
    ...state,
    color: '#bec2c8',
    team: () => buildTeamNode(context, context.world.data.teams.get(state.teamId)),
  };
}

function toStateRows(world: LinearWorld, states: State[]): (State & Row)[] {
  const { createdAt } = world.organization;
  return states.map((state) => ({ ...state, createdAt, updatedAt: createdAt }));
}

function buildTeamNode(context: Context, team: Team | undefined): unknown {
  if (!team) return null;
  return {
    ...team,
    updatedAt: team.createdAt,
    issues: (args: PageArguments & { filter?: Filter }) =>
      issueConnection(context, args, (issue) => issue.teamId === team.id),
    states: (args: PageArguments) =>
      buildConnection(toStateRows(context.world, listTeamStates(context.world, team.id)), args, (state) =>
        buildStateNode(context, state),
      ),
  };
}

const priorityLabels = ['No priority', 'Urgent', 'High', 'Medium', 'Low'];

/** An issue with its relations. */
export function issueNode(context: Context, issue: Issue): Record<string, unknown> {
  const { world } = context;
  const team = world.data.teams.get(issue.teamId);
  const identifier = `${team?.key ?? ''}-${issue.number}`;
  const state = world.data.states.get(issue.stateId);
  const parent = world.data.issues.get(issue.parentId ?? '');
  return {
    ...issue,
    identifier,
    trashed: issue.trashed || null,
    priorityLabel: priorityLabels[issue.priority],
    url: `https://linear.app/${world.organization.urlKey}/issue/${identifier}`,
    branchName: identifier.toLowerCase(),
    state: () => state && buildStateNode(context, state),
    team: () => buildTeamNode(context, team),
    assignee: () => findUserNode(context, issue.assigneeId),
    creator: () => findUserNode(context, issue.creatorId),
    parent: () => parent && issueNode(context, parent),
    comments: (args: PageArguments & { filter?: Filter }) =>
      buildCommentConnection(context, args, (comment) => comment.issueId === issue.id),
  };
}

/** A comment with its relations. */
export function buildCommentNode(context: Context, comment: Comment): Record<string, unknown> {
  const { data, organization: owner } = context.world;
  const issue = data.issues.get(comment.issueId);
  const parent = data.comments.get(comment.parentId ?? '');
  return {
    ...comment,
    archivedAt: null,
    url: `https://linear.app/${owner.urlKey}/issue/${comment.issueId}#comment-${comment.id.slice(0, 8)}`,
    user: () => findUserNode(context, comment.userId),
    issue: () => issue && issueNode(context, issue),
    parent: () => parent && buildCommentNode(context, parent),
  };
}

function issueConnection(
  context: Context,
  args: PageArguments & { filter?: Filter },
  wanted: (issue: Issue) => boolean = () => true,
) {
  const { teams, users, states, issues } = context.world.data;
  const rows = [...issues.values()].filter((issue) => {
    const team = teams.get(issue.teamId);
    if (!canSeeTeam(context, team) || !wanted(issue) || (issue.archivedAt && !args.includeArchived)) return false;
    const relations = {
      team,
      state: states.get(issue.stateId),
      assignee: users.get(issue.assigneeId ?? '') ?? null,
      creator: users.get(issue.creatorId) ?? null,
    };
    return isFilterMatch({ ...issue, ...relations }, args.filter ?? {});
  });
  return buildConnection(rows, args, (issue) => issueNode(context, issue));
}

function buildCommentConnection(
  context: Context,
  args: PageArguments & { filter?: Filter },
  wanted: (comment: Comment) => boolean = () => true,
) {
  const { teams, issues, comments } = context.world.data;
  const rows = [...comments.values()].filter((comment) => {
    const issue = issues.get(comment.issueId);
    if (!issue || !canSeeTeam(context, teams.get(issue.teamId)) || !wanted(comment)) return false;
    return isFilterMatch({ ...comment, issue }, args.filter ?? {});
  });
  return buildConnection(rows, args, (comment) => buildCommentNode(context, comment));
}

/** The fields of Query. */
export function queryRoot(context: Context) {
  const { data } = context.world;
  return {
    viewer: () => buildUserNode(context, context.caller.user),
    organization: () => buildOrganization(context),
    users: (args: PageArguments) =>
      buildConnection(
        [...data.users.values()].map((user) => ({ ...user, updatedAt: user.createdAt })),
        args,
        (user) => buildUserNode(context, user),
      ),
    teams: (args: PageArguments & { filter?: Filter }) =>
      buildConnection(
        [...data.teams.values()]
          .filter((team) => canSeeTeam(context, team) && isFilterMatch(team, args.filter ?? {}))
          .map((team) => ({ ...team, updatedAt: team.createdAt })),
        args,
        (team) => buildTeamNode(context, team),
      ),
    team({ id }: { id: string }) {
      const team = data.teams.get(id) ?? [...data.teams.values()].find(({ key }) => key === id);
      if (!canSeeTeam(context, team)) throw createEntityMissingError('Team');
      return buildTeamNode(context, team);
    },
    workflowStates: (args: PageArguments) =>
      buildConnection(
        toStateRows(
          context.world,
          [...data.states.values()].filter((state) => canSeeTeam(context, data.teams.get(state.teamId))),
        ),
        args,
        (state) => buildStateNode(context, state),
      ),
    issues: (args: PageArguments & { filter?: Filter }) => issueConnection(context, args),
    issue: ({ id }: { id: string }) => issueNode(context, getVisibleIssue(context, id)),
    comments: (args: PageArguments & { filter?: Filter }) => buildCommentConnection(context, args),
    comment({ id }: { id?: string }) {
      const comment = data.comments.get(id ?? '');
      if (!comment) throw createEntityMissingError('Comment');
      getVisibleIssue(context, comment.issueId);
      return buildCommentNode(context, comment);
    },
  };
}
