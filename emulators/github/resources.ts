// The JSON of GitHub's resources: the fields that clients read, with their URLs.
import { buildNodeId } from './state.ts';
import type { Comment, GitHubWorld, Issue, Release, Repo, Review, ReviewComment, User } from './state.ts';

function buildActor(world: GitHubWorld, id: number, login: string, type: 'User' | 'Organization') {
  return {
    login,
    id,
    node_id: buildNodeId('U', id),
    avatar_url: `${world.url}/avatars/u/${id}?v=4`,
    gravatar_id: '',
    url: `${world.url}/users/${login}`,
    html_url: `${world.url}/${login}`,
    repos_url: `${world.url}/users/${login}/repos`,
    type,
    site_admin: false,
  };
}

function buildPerson(world: GitHubWorld, login: string) {
  const user = world.data.users.get(login.toLowerCase());
  // People who left are shown as a ghost.
  return user ? buildActor(world, user.id, user.login, 'User') : buildActor(world, 10_137, 'ghost', 'User');
}

/** The signed-in person. */
export function buildSignedInUser(world: GitHubWorld, user: User) {
  return {
    ...buildActor(world, user.id, user.login, 'User'),
    name: user.name,
    company: null,
    blog: '',
    location: null,
    email: user.email,
    bio: null,
    public_repos: [...world.data.repos.values()].filter((repo) => repo.owner === user.login && !repo.private).length,
    created_at: user.createdAt,
    updated_at: user.createdAt,
  };
}

function buildRepoUrl(world: GitHubWorld, repo: Repo): string {
  return `${world.url}/repos/${repo.owner}/${repo.name}`;
}

/** A repository, with what the caller may do in it. */
export function buildRepoResource(world: GitHubWorld, repo: Repo, login: string | undefined) {
  const permission = repo.members.get(login?.toLowerCase() ?? '');
  const open = [...repo.issues.values()].filter((issue) => issue.state === 'open').length;
  return {
    id: repo.id,
    node_id: buildNodeId('R', repo.id),
    name: repo.name,
    full_name: `${repo.owner}/${repo.name}`,
    private: repo.private,
    owner: buildActor(world, repo.ownerId, repo.owner, repo.ownerType),
    html_url: `${world.url}/${repo.owner}/${repo.name}`,
    description: repo.description,
    fork: false,
    url: buildRepoUrl(world, repo),
    created_at: repo.createdAt,
    updated_at: repo.updatedAt,
    pushed_at: repo.pushedAt,
    has_issues: repo.hasIssues,
    archived: false,
    disabled: false,
    open_issues_count: open,
    open_issues: open,
    visibility: repo.private ? 'private' : 'public',
    default_branch: 'main',
    ...(login
      ? {
          permissions: {
            admin: permission === 'admin',
            push: permission === 'admin' || permission === 'write',
            pull: permission !== undefined,
          },
        }
      : {}),
  };
}

function buildLabelResource(world: GitHubWorld, repo: Repo, name: string) {
  return {
    url: `${buildRepoUrl(world, repo)}/labels/${encodeURIComponent(name)}`,
    name,
    color: 'ededed',
    default: false,
    description: null,
  };
}

function pullLinks(world: GitHubWorld, repo: Repo, issue: Issue) {
  const html = `${world.url}/${repo.owner}/${repo.name}/pull/${issue.number}`;
  return {
    url: `${buildRepoUrl(world, repo)}/pulls/${issue.number}`,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
  };
}

function getAssociation(repo: Repo, login: string): string {
  if (repo.owner === login) return 'OWNER';
  return repo.members.has(login.toLowerCase()) ? 'COLLABORATOR' : 'NONE';
}

function buildSharedFields(world: GitHubWorld, repo: Repo, issue: Issue) {
  return {
    number: issue.number,
    title: issue.title,
    user: buildPerson(world, issue.author),
    labels: issue.labels.map((name) => buildLabelResource(world, repo, name)),
    state: issue.state,
    locked: issue.locked,
    assignee: issue.assignees[0] ? buildPerson(world, issue.assignees[0]) : null,
    assignees: issue.assignees.map((login) => buildPerson(world, login)),
    milestone: null,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    author_association: getAssociation(repo, issue.author),
    body: issue.body,
  };
}

/** An issue; pull requests have `pull_request` and are issues too. */
export function issueResource(world: GitHubWorld, repo: Repo, issue: Issue) {
  const url = `${buildRepoUrl(world, repo)}/issues/${issue.number}`;
  const page = issue.pull ? 'pull' : 'issues';
  return {
    url,
    repository_url: buildRepoUrl(world, repo),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: `${world.url}/${repo.owner}/${repo.name}/${page}/${issue.number}`,
    id: issue.id,
    node_id: buildNodeId(issue.pull ? 'PR' : 'I', issue.id),
    ...buildSharedFields(world, repo, issue),
    comments: issue.comments.length,
    ...(issue.pull
      ? { draft: issue.pull.draft, pull_request: { ...pullLinks(world, repo, issue), merged_at: issue.pull.mergedAt } }
      : {}),
    state_reason: issue.stateReason,
  };
}

/** A pull request; its id differs from that of its issue. */
export function pullResource(world: GitHubWorld, repo: Repo, issue: Issue) {
  const { draft, mergedAt, head, base } = issue.pull ?? { draft: false, mergedAt: null, head: '', base: '' };
  return {
    ...pullLinks(world, repo, issue),
    id: issue.id + 1_000_000,
    node_id: buildNodeId('PR', issue.id),
    issue_url: `${buildRepoUrl(world, repo)}/issues/${issue.number}`,
    ...buildSharedFields(world, repo, issue),
    draft,
    merged_at: mergedAt,
    head: { ref: head, label: `${repo.owner}:${head}` },
    base: { ref: base, label: `${repo.owner}:${base}` },
  };
}

/** A comment of an issue. */
export function buildGitHubComment(world: GitHubWorld, repo: Repo, issue: Issue, comment: Comment) {
  const page = `${world.url}/${repo.owner}/${repo.name}/${issue.pull ? 'pull' : 'issues'}/${issue.number}`;
  return {
    id: comment.id,
    node_id: buildNodeId('IC', comment.id),
    url: `${buildRepoUrl(world, repo)}/issues/comments/${comment.id}`,
    html_url: `${page}#issuecomment-${comment.id}`,
    issue_url: `${buildRepoUrl(world, repo)}/issues/${issue.number}`,
    user: buildPerson(world, comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    body: comment.body,
    author_association: getAssociation(repo, comment.author),
  };
}

/** A review of a pull request. */
export function reviewResource(world: GitHubWorld, repo: Repo, issue: Issue, review: Review) {
  return {
    id: review.id,
    node_id: buildNodeId('PRR', review.id),
    user: buildPerson(world, review.author),
    body: review.body,
    state: review.state,
    html_url: `${pullLinks(world, repo, issue).html_url}#pullrequestreview-${review.id}`,
    pull_request_url: pullLinks(world, repo, issue).url,
    author_association: getAssociation(repo, review.author),
    submitted_at: review.submittedAt,
    commit_id: 'c0ffee',
  };
}

/** A remark on a line of the code. */
export function reviewCommentResource(world: GitHubWorld, repo: Repo, issue: Issue, comment: ReviewComment) {
  return {
    id: comment.id,
    node_id: buildNodeId('PRRC', comment.id),
    pull_request_review_id: comment.reviewId,
    url: `${buildRepoUrl(world, repo)}/pulls/comments/${comment.id}`,
    html_url: `${pullLinks(world, repo, issue).html_url}#discussion_r${comment.id}`,
    pull_request_url: pullLinks(world, repo, issue).url,
    path: comment.path,
    line: comment.line,
    side: 'RIGHT',
    diff_hunk: '@@ -1 +1 @@',
    user: buildPerson(world, comment.author),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: getAssociation(repo, comment.author),
  };
}

/** A release. */
export function releaseResource(world: GitHubWorld, repo: Repo, release: Release) {
  return {
    id: release.id,
    node_id: buildNodeId('RE', release.id),
    url: `${buildRepoUrl(world, repo)}/releases/${release.id}`,
    html_url: `${world.url}/${repo.owner}/${repo.name}/releases/tag/${encodeURIComponent(release.tag)}`,
    tag_name: release.tag,
    target_commitish: 'main',
    name: release.name,
    body: release.body,
    draft: release.draft,
    prerelease: release.prerelease,
    author: buildPerson(world, release.author),
    assets: [],
    created_at: release.createdAt,
    published_at: release.draft ? null : release.createdAt,
  };
}
