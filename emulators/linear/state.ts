// Everything Linear's emulator remembers, and the seeds.
import { randomUUID } from 'node:crypto';
import { createOAuthData } from '../kit/oauth/store.ts';
import type { OAuthData } from '../kit/oauth/store.ts';
import type { World } from '../kit/wire.ts';

/** A person of the workspace. */
export type User = { id: string; name: string; email: string; admin: boolean; createdAt: string };

/** A column of a team's board. */
export type State = { id: string; name: string; type: string; position: number; teamId: string };

/** A team; a private one is seen by its members only. */
export type Team = {
  id: string;
  key: string;
  name: string;
  private: boolean;
  memberIds: string[];
  lastNumber: number;
  createdAt: string;
};

/** An issue. Deleting puts it in the trash, which is an archive for 30 days. */
export type Issue = {
  id: string;
  number: number;
  teamId: string;
  title: string;
  description: string | null;
  priority: number;
  stateId: string;
  assigneeId: string | null;
  creatorId: string;
  parentId: string | null;
  dueDate: string | null;
  estimate: number | null;
  createdAt: string;
  updatedAt: string;
  archivedAt: string | null;
  completedAt: string | null;
  canceledAt: string | null;
  trashed: boolean;
};

/** A comment of an issue. */
export type Comment = {
  id: string;
  issueId: string;
  userId: string;
  body: string;
  parentId: string | null;
  createdAt: string;
  updatedAt: string;
  editedAt: string | null;
};

/** All state that requests change. */
export type LinearData = {
  oauth: OAuthData;
  users: Map<string, User>;
  teams: Map<string, Team>;
  states: Map<string, State>;
  issues: Map<string, Issue>;
  comments: Map<string, Comment>;
  apiKeys: Map<string, string>;
  lastSyncId: number;
};

/** The state and the settings. */
export type LinearWorld = World<LinearData> & {
  organization: { id: string; name: string; urlKey: string; createdAt: string };
};

/** An empty workspace. */
export function createWorld(now: () => Date): LinearWorld {
  const data: LinearData = {
    oauth: createOAuthData(),
    users: new Map(),
    teams: new Map(),
    states: new Map(),
    issues: new Map(),
    comments: new Map(),
    apiKeys: new Map(),
    lastSyncId: 1,
  };
  const organization = {
    id: randomUUID(),
    name: 'Thalamus Test',
    urlKey: 'thalamus-test',
    createdAt: now().toISOString(),
  };
  return { url: '', now, data, organization };
}

/** Adds a person. */
export function addUser(world: LinearWorld, input: { name: string; email?: string; admin?: boolean }): User {
  const user: User = {
    id: randomUUID(),
    name: input.name,
    email: input.email ?? `${input.name.toLowerCase().replaceAll(/\W+/g, '.')}@example.com`,
    admin: input.admin ?? false,
    createdAt: world.now().toISOString(),
  };
  world.data.users.set(user.id, user);
  return user;
}

/** A person who has to exist, by id, email or name. */
export function getLinearUser(world: LinearWorld, who: string): User {
  const found =
    world.data.users.get(who) ??
    [...world.data.users.values()].find(({ email, name }) => email === who || name === who);
  if (!found) throw new Error(`There is no user ${who}`);
  return found;
}

const columns = [
  ['Backlog', 'backlog'],
  ['Todo', 'unstarted'],
  ['In Progress', 'started'],
  ['Done', 'completed'],
  ['Canceled', 'canceled'],
] as const;

/** Adds a team with the usual columns. */
export function addTeam(
  world: LinearWorld,
  input: { key: string; name?: string; private?: boolean; members?: string[] },
): Team {
  const team: Team = {
    id: randomUUID(),
    key: input.key,
    name: input.name ?? input.key,
    private: input.private ?? false,
    memberIds: (input.members ?? []).map((who) => getLinearUser(world, who).id),
    lastNumber: 0,
    createdAt: world.now().toISOString(),
  };
  world.data.teams.set(team.id, team);
  for (const [position, [name, type]] of columns.entries()) {
    const state = { id: randomUUID(), name, type, position, teamId: team.id };
    world.data.states.set(state.id, state);
  }
  return team;
}

/** A team that has to exist, by id or key. */
export function getLinearTeam(world: LinearWorld, which: string): Team {
  const found = world.data.teams.get(which) ?? [...world.data.teams.values()].find(({ key }) => key === which);
  if (!found) throw new Error(`There is no team ${which}`);
  return found;
}

/** The columns of a team, in their order. */
export function listTeamStates(world: LinearWorld, teamId: string): State[] {
  return [...world.data.states.values()].filter((state) => state.teamId === teamId);
}

/** What a new issue is made of. */
export type NewIssue = Partial<Omit<Issue, 'number' | 'teamId' | 'creatorId'>> & {
  title: string;
  teamId: string;
  creatorId: string;
};

/** Adds an issue to a team, by default in its first column. */
export function insertIssue(world: LinearWorld, input: NewIssue, at: string): Issue {
  const team = getLinearTeam(world, input.teamId);
  team.lastNumber += 1;
  const issue: Issue = {
    id: randomUUID(),
    description: null,
    priority: 0,
    stateId: listTeamStates(world, team.id)[0]?.id ?? '',
    assigneeId: null,
    parentId: null,
    dueDate: null,
    estimate: null,
    createdAt: at,
    updatedAt: at,
    archivedAt: null,
    completedAt: null,
    canceledAt: null,
    trashed: false,
    ...input,
    number: team.lastNumber,
  };
  world.data.issues.set(issue.id, issue);
  return issue;
}

/** Moves an issue into a column and notes when it was completed or canceled. */
export function moveIssue(world: LinearWorld, issue: Issue, stateId: string, at: string): void {
  const type = world.data.states.get(stateId)?.type;
  issue.stateId = stateId;
  issue.completedAt = type === 'completed' ? at : null;
  issue.canceledAt = type === 'canceled' ? at : null;
}

/** What a new comment is made of. */
export type NewComment = { id?: string; issueId: string; userId: string; body: string; parentId?: string | null };

/** Adds a comment; its issue counts as updated. */
export function insertComment(world: LinearWorld, input: NewComment, at: string): Comment {
  const comment: Comment = { id: randomUUID(), parentId: null, createdAt: at, updatedAt: at, editedAt: null, ...input };
  world.data.comments.set(comment.id, comment);
  const issue = world.data.issues.get(input.issueId);
  if (issue) issue.updatedAt = at;
  return comment;
}

/** An issue by its id or by an identifier such as `ENG-1`. */
export function findIssue(world: LinearWorld, which: string): Issue | undefined {
  const [, key, number] = /^(\w+)-(\d+)$/.exec(which) ?? [];
  return (
    world.data.issues.get(which) ??
    [...world.data.issues.values()].find(
      (issue) => issue.number === Number(number) && world.data.teams.get(issue.teamId)?.key === key,
    )
  );
}
