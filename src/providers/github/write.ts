// Writes at GitHub. It keeps no id that a client chooses, and its search lags: a look-up finds a created item in the
// list of new ones by a mark at the end of its text. https://docs.github.com/rest/issues
import { z } from 'zod';
import { writePath, type ProviderApi, type Request } from '#providers/http';
import {
  choice,
  defineWrite,
  findFirst,
  line,
  lines,
  number,
  makeOptional,
  assertFound,
  text,
} from '#providers/writing';
import { githubApi } from './account.ts';

const github = { source: 'github', api: githubApi };

const named = z.array(z.object({ name: z.string() })).nullish();
const people = z.array(z.object({ login: z.string() })).nullish();
const issueOf = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.string(),
  state_reason: z.string().nullish(),
  html_url: z.string().nullish(),
  updated_at: z.string(),
  labels: named,
  assignees: people,
});
const commentOf = z.object({
  id: z.number(),
  body: z.string().nullish(),
  html_url: z.string().nullish(),
  updated_at: z.string(),
});
type Issue = z.output<typeof issueOf>;
type Comment = z.output<typeof commentOf>;
type Repository = { owner: string; name: string };

const owner = line('Owner', {
  about: 'The owner of the repository: a person or an organisation.',
  shape: { pattern: '^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98})$', says: 'must be the name of an account, such as octocat' },
});
const repo = line('Repository', {
  about: 'The name of the repository, without the owner.',
  shape: { pattern: '^[A-Za-z0-9._-]{1,100}$', says: 'must be the name of a repository, without its owner' },
});
const ofIssue = number('Number', { about: 'The number of the issue or pull request.', least: 1, most: 2_147_483_647 });
const title = line('Title', { most: 256 });
const body = text('Text', { about: 'Markdown.', most: 60_000 });
const comment = { ...body, label: 'Comment' };

const buildMark = ({ id }: { id: string }) => `<!-- thalamus ${id} -->`;
const addMark = (written: string, draft: { id: string }) => `${written}\n\n${buildMark(draft)}`;
const notes = [
  {
    label: 'Also sent',
    text: 'A hidden comment with a tracking id at the end of the text confirms delivery: <!-- thalamus … -->. GitHub does not show it.',
  },
];

/** Also the current name of a renamed repository: GitHub does not redirect writing requests. */
async function findRepository(api: ProviderApi, input: { owner: string; repo: string }): Promise<Repository> {
  const found = await api.find(z.object({ owner: z.object({ login: z.string() }), name: z.string() }), {
    path: writePath`/repos/${input.owner}/${input.repo}`,
  });
  const missing = `There is no repository ${input.owner}/${input.repo} that this account can see.`;
  const { name, owner } = assertFound(found, missing);
  return { owner: owner.login, name };
}

const writeIssuesPath = ({ owner, name }: Repository) => writePath`/repos/${owner}/${name}/issues`;

function getIssue(api: ProviderApi, repository: Repository, of: number): Promise<Issue | undefined> {
  return api.find(issueOf, { path: `${writeIssuesPath(repository)}${writePath`/${of}`}` });
}

function getComment(api: ProviderApi, repository: Repository, id: number): Promise<Comment | undefined> {
  return api.find(commentOf, { path: `${writeIssuesPath(repository)}${writePath`/comments/${id}`}` });
}

async function resolveIssue(api: ProviderApi, input: { owner: string; repo: string; number: number }) {
  const repository = await findRepository(api, input);
  const missing = `There is no issue ${input.number} in ${input.owner}/${input.repo}.`;
  const issue = assertFound(await getIssue(api, repository, input.number), missing);
  return { repository, issue: { version: issue.updated_at, title: issue.title } };
}

/** The newest item of a list that carries the mark of a draft. */
function findMarked<Item extends z.ZodType<{ body?: string | null | undefined }>>(
  api: ProviderApi,
  item: Item,
  { path, query, draft }: { path: string; query?: Request['query']; draft: { id: string; since: string } },
): Promise<z.output<Item> | undefined> {
  const all = api.list({
    answer: z.array(item),
    request: () => ({ path, query: { ...query, since: draft.since, per_page: 100 } }),
    items: (answer) => answer,
    nextUrl: (_answer, link) => link,
  });
  return findFirst(all, (each) => each.body?.includes(buildMark(draft)) ?? false);
}

/** A renamed repository or account is still found by its former name. */
const showRepository = ({ owner, name }: Repository) => ({ label: 'Repository', text: `${owner}/${name}` });

function readIssueFacts(
  { repository, issue }: { repository: Repository; issue: { title: string } },
  input: { number: number },
) {
  return {
    names: [`issue ${repository.owner}/${repository.name}#${input.number}`],
    about: issue.title,
    shown: [showRepository(repository), { label: 'Number', text: `${input.number}: ${issue.title}` }],
  };
}

const buildIssueResult = (issue: Issue) => ({
  number: issue.number,
  link: issue.html_url,
  labels: issue.labels?.map(({ name }) => name),
  assignees: issue.assignees?.map(({ login }) => login),
});
const buildCommentResult = ({ id, html_url: link }: Pick<Comment, 'id' | 'html_url'>) => ({ comment_id: id, link });

const createIssue = defineWrite(github, {
  name: 'create_issue',
  example: { owner: 'octo', repo: 'engine', title: 'Gears slip', body: 'On the third wheel.', labels: ['bug'] },
  summary: 'Create an issue in a repository of GitHub.',
  risk: 'write',
  fields: {
    owner,
    repo,
    title,
    body: { ...body, default: '' as const },
    labels: makeOptional(
      lines('Labels', {
        about: 'Names of labels. GitHub ignores them when the account may not write to the repository.',
        most: 100,
      }),
    ),
    assignees: makeOptional(
      lines('Assignees', { about: 'User names of assignees. GitHub ignores them as it does labels.', most: 10 }),
    ),
  },
  editable: ['title', 'body', 'labels', 'assignees'],
  recipients: ['assignees'],
  title: (input) => `Issue in ${input.owner}/${input.repo}: ${input.title}`,
  notes,
  target: (input) => `issues of ${input.owner}/${input.repo}`,
  otherNames: 'issues of */*',
  handle: 'mark',

  resolve: async (api, input) => ({ repository: await findRepository(api, input) }),
  snapshot: (_api, { repository }) => ({
    names: [`issues of ${repository.owner}/${repository.name}`],
    shown: [showRepository(repository)],
  }),
  async send(api, input, { repository, draft }) {
    const { title, labels, assignees } = input;
    const made = { title, body: addMark(input.body, draft), labels, assignees };
    return buildIssueResult(
      await api.write(issueOf, { method: 'POST', path: writeIssuesPath(repository), body: made }),
    );
  },
  async find(api, _input, { repository, draft }) {
    const query = { state: 'all', sort: 'created', direction: 'desc' };
    const found = await findMarked(api, issueOf, { path: writeIssuesPath(repository), query, draft });
    return found && buildIssueResult(found);
  },
  undo: {
    says: 'Close the issue as not planned',
    forMinutes: 60,
    steps: (_input, { repository, result }) => [
      {
        method: 'PATCH',
        path: `${writeIssuesPath(repository)}${writePath`/${result['number'] ?? ''}`}`,
        body: { state: 'closed', state_reason: 'not_planned' },
      },
    ],
  },
});

const updateIssue = defineWrite(github, {
  name: 'update_issue',
  example: { owner: 'octo', repo: 'engine', number: 12, state: 'closed' },
  summary: 'Change, close or reopen an issue or pull request on GitHub.',
  risk: 'write',
  fields: {
    owner,
    repo,
    number: ofIssue,
    title: makeOptional(title),
    body: makeOptional({ ...body, about: 'Markdown. Replaces the whole text.' }),
    state: makeOptional(choice('State', { options: { open: 'Open', closed: 'Closed' } })),
    state_reason: makeOptional(
      choice('Reason', {
        about: 'The reason for closing, with state closed.',
        options: { completed: 'Completed', not_planned: 'Not planned' },
      }),
    ),
    labels: makeOptional(
      lines('Labels', { about: 'All labels of the issue, by name. Labels that you leave out are removed.', most: 100 }),
    ),
    assignees: makeOptional(
      lines('Assignees', { about: 'All assignees, by user name. Assignees that you leave out are removed.', most: 10 }),
    ),
  },
  oneOf: ['title', 'body', 'state', 'labels', 'assignees'],
  editable: ['title', 'body', 'state', 'state_reason', 'labels', 'assignees'],
  recipients: ['assignees'],
  title: (input) => `Change ${input.owner}/${input.repo}#${input.number}`,
  target: (input) => `issue ${input.owner}/${input.repo}#${input.number}`,
  otherNames: 'issue */*#*',
  handle: 'state',

  resolve: resolveIssue,
  snapshot: (_api, found, input) => readIssueFacts(found, input),
  async send(api, { title, body, state, state_reason, labels, assignees, number }, { repository }) {
    const path = `${writeIssuesPath(repository)}${writePath`/${number}`}`;
    const changed = { title, body, state, state_reason, labels, assignees };
    const issue = await api.write(issueOf, { method: 'PATCH', path, body: changed });
    return { ...buildIssueResult(issue), state: issue.state };
  },
  state: {
    read: (api, input, { repository }) => getIssue(api, repository, input.number),
    version: (issue: Issue) => issue.updated_at,
    was: ({ issue }) => issue.version,
    has: {
      title: (issue) => issue.title,
      body: (issue) => issue.body,
      state: (issue) => issue.state,
      state_reason: (issue) => issue.state_reason,
      labels: (issue) => issue.labels?.map(({ name }) => name) ?? [],
      assignees: (issue) => issue.assignees?.map(({ login }) => login) ?? [],
    },
    result: (issue) => ({ ...buildIssueResult(issue), state: issue.state }),
  },
});

const createComment = defineWrite(github, {
  name: 'create_comment',
  aliases: [{ name: 'add_comment', fields: { comment: 'body', text: 'body', issue_number: 'number' } }],
  example: { owner: 'octo', repo: 'engine', number: 12, body: 'Fixed in the last release.' },
  summary: 'Comment on an issue or a pull request on GitHub.',
  risk: 'write',
  fields: { owner, repo, number: ofIssue, body: comment },
  editable: ['body'],
  title: (input) => `Comment on ${input.owner}/${input.repo}#${input.number}`,
  notes,
  target: (input) => `issue ${input.owner}/${input.repo}#${input.number}`,
  otherNames: 'issue */*#*',
  handle: 'mark',

  resolve: resolveIssue,
  snapshot: (_api, found, input) => readIssueFacts(found, input),
  async send(api, input, { repository, draft }) {
    const path = `${writeIssuesPath(repository)}${writePath`/${input.number}/comments`}`;
    return buildCommentResult(
      await api.write(commentOf, { method: 'POST', path, body: { body: addMark(input.body, draft) } }),
    );
  },
  async find(api, input, { repository, draft }) {
    const path = `${writeIssuesPath(repository)}${writePath`/${input.number}/comments`}`;
    const found = await findMarked(api, commentOf, { path, draft });
    return found && buildCommentResult(found);
  },
  undo: {
    says: 'Delete the comment',
    forMinutes: 60,
    steps: (_input, { repository, result }) => [
      { method: 'DELETE', path: `${writeIssuesPath(repository)}${writePath`/comments/${result['comment_id'] ?? ''}`}` },
    ],
  },
});

const updateComment = defineWrite(github, {
  name: 'update_comment',
  example: { owner: 'octo', repo: 'engine', comment_id: 1234567, body: 'Fixed in 1.2.' },
  summary: 'Change a comment on an issue or a pull request on GitHub.',
  risk: 'write',
  fields: {
    owner,
    repo,
    comment_id: number('Comment', {
      about: "The comment's id, from create_comment or from the end of its link.",
      least: 1,
      most: Number.MAX_SAFE_INTEGER,
    }),
    body: { ...comment, about: 'Markdown. Replaces the whole comment.' },
  },
  editable: ['body'],
  title: (input) => `Change a comment in ${input.owner}/${input.repo}`,
  target: (input) => `comment ${input.comment_id} in ${input.owner}/${input.repo}`,
  otherNames: 'comment * in */*',
  handle: 'state',

  async resolve(api, input) {
    const repository = await findRepository(api, input);
    const missing = `There is no comment ${input.comment_id} in ${input.owner}/${input.repo}.`;
    const { updated_at: version } = assertFound(await getComment(api, repository, input.comment_id), missing);
    return { repository, comment: { version } };
  },
  snapshot: (_api, { repository }, input) => ({
    names: [`comment ${input.comment_id} in ${repository.owner}/${repository.name}`],
    shown: [showRepository(repository)],
  }),
  async send(api, input, { repository }) {
    const path = `${writeIssuesPath(repository)}${writePath`/comments/${input.comment_id}`}`;
    return buildCommentResult(await api.write(commentOf, { method: 'PATCH', path, body: { body: input.body } }));
  },
  state: {
    read: (api, input, { repository }) => getComment(api, repository, input.comment_id),
    version: (item: Comment) => item.updated_at,
    was: (found) => found.comment.version,
    has: { body: (item) => item.body },
    result: (item) => buildCommentResult(item),
  },
});

/** The writes at GitHub. */
export const githubWrites = [createIssue, updateIssue, createComment, updateComment];
