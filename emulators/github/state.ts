// Everything GitHub's emulator remembers, and the seeds.
import { createHash, randomBytes } from 'node:crypto';
import { createOAuthData } from '../kit/oauth/store.ts';
import type { OAuthData } from '../kit/oauth/store.ts';
import type { World } from '../kit/wire.ts';

/** A person. */
export type User = { id: number; login: string; name: string; email: string; createdAt: string };

/** What a person may do in a repository. */
export type Permission = 'read' | 'write' | 'admin';

/** A remark below an issue or pull request. */
export type Comment = { id: number; author: string; body: string; createdAt: string; updatedAt: string };

/** A remark on a line of the code of a pull request; it belongs to a review. */
export type ReviewComment = Comment & { reviewId: number; path: string; line: number };

/** A verdict on a pull request. */
export type Review = {
  id: number;
  author: string;
  body: string;
  state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED';
  submittedAt: string;
};

/** What makes an issue a pull request. */
export type PullFacts = { draft: boolean; mergedAt: string | null; head: string; base: string };

/** An issue or, with `pull`, a pull request: they share their numbers. */
export type Issue = {
  id: number;
  number: number;
  author: string;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  stateReason: 'completed' | 'reopened' | 'not_planned' | 'duplicate' | null;
  labels: string[];
  assignees: string[];
  locked: boolean;
  comments: Comment[];
  reviews: Review[];
  reviewComments: ReviewComment[];
  pull?: PullFacts;
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
};

/** A published version. */
export type Release = {
  id: number;
  tag: string;
  name: string;
  body: string;
  author: string;
  draft: boolean;
  prerelease: boolean;
  createdAt: string;
};

/** A repository; `owner` is a person's login or an organisation's name. */
export type Repo = {
  id: number;
  owner: string;
  ownerId: number;
  ownerType: 'User' | 'Organization';
  name: string;
  private: boolean;
  description: string | null;
  hasIssues: boolean;
  members: Map<string, Permission>;
  issues: Map<number, Issue>;
  /** Numbers of issues that were deleted; they answer 410. */
  deleted: Set<number>;
  releases: Release[];
  lastNumber: number;
  createdAt: string;
  pushedAt: string;
  updatedAt: string;
};

/** A personal token (classic). */
export type PersonalToken = { token: string; account: string; scopes: string[] };

/** All state that requests change. */
export type GitHubData = {
  oauth: OAuthData;
  users: Map<string, User>;
  repos: Map<string, Repo>;
  personalTokens: Map<string, PersonalToken>;
  lastId: number;
};

/** The state and the settings. Search finds items older than `searchLagSeconds`. */
export type GitHubWorld = World<GitHubData> & { searchLagSeconds: number };

/** An empty world. */
export function createWorld(settings: { now: () => Date; searchLagSeconds: number }): GitHubWorld {
  return {
    url: '',
    ...settings,
    data: { oauth: createOAuthData(), users: new Map(), repos: new Map(), personalTokens: new Map(), lastId: 1000 },
  };
}

/** GitHub's times have no fractions of a second. */
export function stamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** The next id. */
function createNextId(data: GitHubData): number {
  data.lastId += 1;
  return data.lastId;
}

/** The node id of the GraphQL world. */
export function buildNodeId(kind: string, id: number): string {
  return `${kind}_${createHash('sha1').update(`${kind}${id}`).digest('base64url').slice(0, 16)}`;
}

/** Registers a person; the login must be new. */
export function addUser(world: GitHubWorld, input: { login: string; name?: string; email?: string }): User {
  const key = input.login.toLowerCase();
  if (world.data.users.has(key)) throw new Error(`There is already a user ${input.login}`);
  const user: User = {
    id: createNextId(world.data),
    login: input.login,
    name: input.name ?? input.login,
    email: input.email ?? `${key}@example.com`,
    createdAt: stamp(world.now()),
  };
  world.data.users.set(key, user);
  return user;
}

/** A user that has to exist: seeding an unknown one is a mistake of the test. */
export function getGitHubUser(world: GitHubWorld, login: string): User {
  const user = world.data.users.get(login.toLowerCase());
  if (!user) throw new Error(`There is no user ${login}`);
  return user;
}

/** What `addRepo` takes. The owner may be a user or the name of an organisation. */
export type RepoInput = {
  owner: string;
  name: string;
  private?: boolean;
  description?: string;
  hasIssues?: boolean;
  members?: Record<string, Permission>;
};

/** Makes a repository. */
export function addRepo(world: GitHubWorld, input: RepoInput): Repo {
  const owner = world.data.users.get(input.owner.toLowerCase());
  const now = stamp(world.now());
  const members = new Map(Object.entries(input.members ?? {}).map(([login, may]) => [login.toLowerCase(), may]));
  if (owner) members.set(owner.login.toLowerCase(), 'admin');
  const repo: Repo = {
    id: createNextId(world.data),
    owner: owner?.login ?? input.owner,
    ownerId: owner?.id ?? createNextId(world.data),
    ownerType: owner ? 'User' : 'Organization',
    name: input.name,
    private: input.private ?? false,
    description: input.description ?? null,
    hasIssues: input.hasIssues ?? true,
    members,
    issues: new Map(),
    deleted: new Set(),
    releases: [],
    lastNumber: 0,
    createdAt: now,
    pushedAt: now,
    updatedAt: now,
  };
  world.data.repos.set(`${repo.owner}/${repo.name}`.toLowerCase(), repo);
  return repo;
}

/** A repository by `owner/name`. */
export function getRepo(world: GitHubWorld, fullName: string): Repo {
  const repo = world.data.repos.get(fullName.toLowerCase());
  if (!repo) throw new Error(`There is no repository ${fullName}`);
  return repo;
}

/** What `seedIssue` takes; `pull` makes it a pull request. */
export type IssueInput = {
  author: string;
  title: string;
  body?: string | null;
  labels?: string[];
  assignees?: string[];
  at?: Date;
  pull?: Partial<PullFacts>;
};

/** Opens an issue or a pull request. */
export function openIssue(world: GitHubWorld, repo: Repo, input: IssueInput): Issue {
  const at = stamp(input.at ?? world.now());
  repo.lastNumber += 1;
  const issue: Issue = {
    id: createNextId(world.data),
    number: repo.lastNumber,
    author: getGitHubUser(world, input.author).login,
    title: input.title,
    body: input.body ?? null,
    state: 'open',
    stateReason: null,
    labels: input.labels ?? [],
    assignees: input.assignees ?? [],
    locked: false,
    comments: [],
    reviews: [],
    reviewComments: [],
    ...(input.pull
      ? { pull: { draft: false, mergedAt: null, head: `branch-${repo.lastNumber}`, base: 'main', ...input.pull } }
      : {}),
    createdAt: at,
    updatedAt: at,
    closedAt: null,
  };
  repo.issues.set(issue.number, issue);
  return issue;
}

/** Writes a comment, which also updates its issue. */
export function writeComment(
  world: GitHubWorld,
  issue: Issue,
  input: { author: string; body: string; at?: Date },
): Comment {
  const at = stamp(input.at ?? world.now());
  const author = getGitHubUser(world, input.author).login;
  const comment = { id: createNextId(world.data), author, body: input.body, createdAt: at, updatedAt: at };
  issue.comments.push(comment);
  issue.updatedAt = at;
  return comment;
}

/** What `seedReview` takes. A review may have remarks on lines of the code. */
export type ReviewInput = {
  author: string;
  body?: string;
  state?: Review['state'];
  at?: Date;
  remarks?: { path: string; line: number; body: string }[];
};

/** Reviews a pull request, which also updates it. */
export function writeReview(world: GitHubWorld, issue: Issue, input: ReviewInput): Review {
  const at = stamp(input.at ?? world.now());
  const author = getGitHubUser(world, input.author).login;
  const { body = '', state = 'COMMENTED', remarks = [] } = input;
  const review = { id: createNextId(world.data), author, body, state, submittedAt: at };
  issue.reviews.push(review);
  for (const remark of remarks)
    issue.reviewComments.push({
      ...remark,
      id: createNextId(world.data),
      reviewId: review.id,
      author,
      createdAt: at,
      updatedAt: at,
    });
  issue.updatedAt = at;
  return review;
}

/** Closes or reopens an issue. */
export function setState(issue: Issue, state: Issue['state'], reason: Issue['stateReason'], at: string): void {
  if (issue.state === state && reason === null) return;
  issue.state = state;
  issue.stateReason = state === 'closed' ? (reason ?? 'completed') : 'reopened';
  issue.closedAt = state === 'closed' ? at : null;
}

/** Publishes a release. */
export function addRelease(
  world: GitHubWorld,
  repo: Repo,
  input: { tag: string; author: string; name?: string; body?: string; draft?: boolean; prerelease?: boolean },
): Release {
  const release: Release = {
    id: createNextId(world.data),
    tag: input.tag,
    name: input.name ?? input.tag,
    body: input.body ?? '',
    author: getGitHubUser(world, input.author).login,
    draft: input.draft ?? false,
    prerelease: input.prerelease ?? false,
    createdAt: stamp(world.now()),
  };
  repo.releases.push(release);
  return release;
}

/** A personal token (classic) with these scopes. */
export function addPersonalToken(world: GitHubWorld, login: string, scopes: string[]): string {
  const token = `ghp_${randomBytes(18).toString('hex')}`;
  world.data.personalTokens.set(token, { token, account: getGitHubUser(world, login).login, scopes });
  return token;
}
