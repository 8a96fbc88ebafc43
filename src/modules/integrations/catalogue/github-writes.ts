// What is written at GitHub. It keeps no id that a client chooses, and its search lags: what was created is found in the list of
// what is new, by a mark at the end of its text. https://docs.github.com/rest/issues
import type { Call } from './pieces.ts';
import type { Before, Field, Lookup, Write } from './write.ts';

const mark = '\n\n<!-- thalamus {{draft.id}} -->';
const notes = [
  {
    label: 'Also sent',
    text: 'A comment in HTML at the end of the text, <!-- thalamus … --> with the id of this draft. GitHub does not show it; by it can be told later whether this was sent.',
  },
];

const owner: Field = {
  kind: 'line',
  label: 'Owner',
  about: 'Whose repository it is: a person or an organisation.',
  shape: { pattern: '^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98})$', says: 'must be the name of an account, such as octocat' },
};
const repo: Field = {
  kind: 'line',
  label: 'Repository',
  about: 'Its name, without the owner.',
  shape: { pattern: '^[A-Za-z0-9._-]{1,100}$', says: 'must be the name of a repository, without its owner' },
};
const number: Field = {
  kind: 'number',
  label: 'Number',
  about: 'Of the issue or the pull request.',
  least: 1,
  most: 2_147_483_647,
};
const title: Field = { kind: 'line', label: 'Title', most: 256 };
const body: Field = { kind: 'text', label: 'Text', about: 'Markdown.', most: 60_000 };
const comment: Field = { ...body, label: 'Comment' };

function field(label: string, about: string, most: number): Field {
  return { kind: 'lines', label, about, most, isOptional: true };
}

function at(path: string): string {
  return `/repos/{{repository.owner}}/{{repository.name}}/issues${path}`;
}

function get(path: string, queryParams?: NonNullable<Call['queryParams']>): Call {
  return { method: 'GET', path, ...(queryParams && { queryParams }) };
}

/** Also where it is now, if it was renamed: a request that writes is not sent on. */
const findRepository: Before = {
  as: 'repository',
  one: { call: get('/repos/{{input.owner}}/{{input.repo}}'), at: '' },
  keep: { owner: 'owner.login', name: 'name' },
  missing: 'There is no repository {{input.owner}}/{{input.repo}} that this account can see.',
};

const repository = '{{repository.owner}}/{{repository.name}}';

/** A repository, or an account, that was renamed is found by the name it had. */
function knownAs(name: string, ...shown: { label: string; text: string }[]): NonNullable<Write['known']> {
  return { names: [name], shown: [{ label: 'Repository', text: repository }, ...shown] };
}
const issueKnown: NonNullable<Write['known']> = {
  ...knownAs(`issue ${repository}#{{input.number}}`, { label: 'Number', text: '{{input.number}}: {{issue.title}}' }),
  about: '{{issue.title}}',
};

const findIssue: Before = {
  as: 'issue',
  one: { call: get(at('/{{input.number}}')), at: '' },
  keep: { version: 'updated_at', link: 'html_url', title: 'title' },
  missing: 'There is no issue {{input.number}} in {{input.owner}}/{{input.repo}}.',
};

function newest(path: string, order: NonNullable<Call['queryParams']>): Lookup {
  return {
    listing: {
      call: get(path, { ...order, since: '{{draft.since}}', per_page: 100 }),
      items: '',
      paging: { by: 'link' },
    },
    where: [{ at: 'body', contains: '<!-- thalamus {{draft.id}} -->' }],
  };
}

const createIssue: Write = {
  name: 'create_issue',
  example: { owner: 'octo', repo: 'engine', title: 'Gears slip', body: 'On the third wheel.', labels: ['bug'] },
  summary: 'Create an issue in a repository of GitHub.',
  risk: 'write',
  fields: {
    owner,
    repo,
    title,
    body: { ...body, default: '' },
    labels: field('Labels', 'By name. GitHub leaves them out when the account may not write to the repository.', 100),
    assignees: field('Assignees', 'By user name. Left out as labels are.', 10),
  },
  editable: ['title', 'body', 'labels', 'assignees'],
  recipients: ['assignees'],
  target: 'issues of {{input.owner}}/{{input.repo}}',
  known: knownAs(`issues of ${repository}`),
  title: 'Issue in {{input.owner}}/{{input.repo}}: {{input.title}}',
  notes,
  handle: 'mark',
  before: [findRepository],
  call: {
    method: 'POST',
    path: at(''),
    body: {
      title: '{{input.title}}',
      body: `{{input.body}}${mark}`,
      labels: '{{input.labels}}',
      assignees: '{{input.assignees}}',
    },
  },
  doneWhen: { at: 'number' },
  at: '',
  result: {
    number: '{{item.number}}',
    link: '{{item.html_url}}',
    labels: '{{item.labels.*.name}}',
    assignees: '{{item.assignees.*.login}}',
  },
  lookups: [newest(at(''), { state: 'all', sort: 'created', direction: 'desc' })],
  undo: {
    says: 'Close the issue again, as not planned',
    forMinutes: 60,
    steps: [
      {
        call: {
          method: 'PATCH',
          path: at('/{{result.number}}'),
          body: { state: 'closed', state_reason: 'not_planned' },
        },
      },
    ],
  },
};

const updateIssue: Write = {
  name: 'update_issue',
  example: { owner: 'octo', repo: 'engine', number: 12, state: 'closed' },
  summary: 'Change, close or reopen an issue or a pull request of GitHub.',
  risk: 'write',
  fields: {
    owner,
    repo,
    number,
    title: { ...title, isOptional: true },
    body: { ...body, about: 'Markdown. It takes the place of the whole text.', isOptional: true },
    state: { kind: 'choice', label: 'State', options: { open: 'Open', closed: 'Closed' }, isOptional: true },
    state_reason: {
      kind: 'choice',
      label: 'Reason',
      about: 'Why it is closed, with state closed.',
      options: { completed: 'Completed', not_planned: 'Not planned' },
      isOptional: true,
    },
    labels: field('Labels', 'All that it is to have, by name; others are taken away.', 100),
    assignees: field('Assignees', 'All that it is to have, by user name; others are taken away.', 10),
  },
  oneOf: ['title', 'body', 'state', 'labels', 'assignees'],
  editable: ['title', 'body', 'state', 'state_reason', 'labels', 'assignees'],
  recipients: ['assignees'],
  target: 'issue {{input.owner}}/{{input.repo}}#{{input.number}}',
  known: issueKnown,
  title: 'Change {{input.owner}}/{{input.repo}}#{{input.number}}',
  handle: 'state',
  before: [findRepository, findIssue],
  call: {
    method: 'PATCH',
    path: at('/{{input.number}}'),
    body: {
      title: '{{input.title}}',
      body: '{{input.body}}',
      state: '{{input.state}}',
      state_reason: '{{input.state_reason}}',
      labels: '{{input.labels}}',
      assignees: '{{input.assignees}}',
    },
  },
  doneWhen: { at: 'number' },
  at: '',
  result: {
    number: '{{item.number}}',
    link: '{{item.html_url}}',
    state: '{{item.state}}',
    labels: '{{item.labels.*.name}}',
    assignees: '{{item.assignees.*.login}}',
  },
  lookups: [
    {
      one: { call: get(at('/{{input.number}}')), at: '' },
      where: [
        { at: 'title', is: '{{input.title}}' },
        { at: 'body', is: '{{input.body}}' },
        { at: 'state', is: '{{input.state}}' },
        { at: 'state_reason', is: '{{input.state_reason}}' },
        { at: 'labels.*.name', is: '{{input.labels}}' },
        { at: 'assignees.*.login', is: '{{input.assignees}}' },
      ],
      version: { at: 'updated_at', was: '{{issue.version}}' },
    },
  ],
};

const createComment: Write = {
  name: 'create_comment',
  example: { owner: 'octo', repo: 'engine', number: 12, body: 'Mended in the last release.' },
  summary: 'Comment on an issue or a pull request of GitHub.',
  risk: 'write',
  fields: { owner, repo, number, body: comment },
  editable: ['body'],
  target: 'issue {{input.owner}}/{{input.repo}}#{{input.number}}',
  known: issueKnown,
  title: 'Comment on {{input.owner}}/{{input.repo}}#{{input.number}}',
  notes,
  handle: 'mark',
  before: [findRepository, findIssue],
  call: { method: 'POST', path: at('/{{input.number}}/comments'), body: { body: `{{input.body}}${mark}` } },
  doneWhen: { at: 'id' },
  at: '',
  result: { comment_id: '{{item.id}}', link: '{{item.html_url}}' },
  lookups: [newest(at('/{{input.number}}/comments'), {})],
  undo: {
    says: 'Delete the comment again',
    forMinutes: 60,
    steps: [{ call: { method: 'DELETE', path: at('/comments/{{result.comment_id}}') } }],
  },
};

const updateComment: Write = {
  name: 'update_comment',
  example: { owner: 'octo', repo: 'engine', comment_id: 1234567, body: 'Mended in 1.2.' },
  summary: 'Change a comment on an issue or a pull request of GitHub.',
  risk: 'write',
  fields: {
    owner,
    repo,
    comment_id: {
      kind: 'number',
      label: 'Comment',
      about: 'Its id, as create_comment answered it, or at the end of its link.',
      least: 1,
      most: Number.MAX_SAFE_INTEGER,
    },
    body: { ...comment, about: 'Markdown. It takes the place of the whole comment.' },
  },
  editable: ['body'],
  target: 'comment {{input.comment_id}} in {{input.owner}}/{{input.repo}}',
  known: knownAs(`comment {{input.comment_id}} in ${repository}`),
  title: 'Change a comment in {{input.owner}}/{{input.repo}}',
  handle: 'state',
  before: [
    findRepository,
    {
      as: 'comment',
      one: { call: get(at('/comments/{{input.comment_id}}')), at: '' },
      keep: { version: 'updated_at' },
      missing: 'There is no comment {{input.comment_id}} in {{input.owner}}/{{input.repo}}.',
    },
  ],
  call: { method: 'PATCH', path: at('/comments/{{input.comment_id}}'), body: { body: '{{input.body}}' } },
  doneWhen: { at: 'id' },
  at: '',
  result: { comment_id: '{{item.id}}', link: '{{item.html_url}}' },
  lookups: [
    {
      one: { call: get(at('/comments/{{input.comment_id}}')), at: '' },
      where: [{ at: 'body', is: '{{input.body}}' }],
      version: { at: 'updated_at', was: '{{comment.version}}' },
    },
  ],
};

/** What can be written at GitHub. */
export const githubWrites: readonly Write[] = [createIssue, updateIssue, createComment, updateComment];
