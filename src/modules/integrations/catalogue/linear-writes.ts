// What is written at Linear. It keeps the id that a client chooses for what it creates, and refuses a second of the same id.
// https://linear.app/developers/graphql
import type { Call, Listing } from './pieces.ts';
import type { Before, Field, Write } from './write.ts';

const issueFields = 'id identifier title description priority url updatedAt state { name } team { id key }';

const team: Field = {
  kind: 'line',
  label: 'Team',
  about: "The team's key, such as ENG.",
  shape: { pattern: '^[A-Za-z0-9]{1,10}$', says: 'must be the key of a team, such as ENG' },
};
const issue: Field = {
  kind: 'line',
  label: 'Issue',
  about: 'Its identifier, such as ENG-12.',
  shape: { pattern: '^[A-Za-z0-9]{1,10}-[0-9]{1,9}$', says: 'must be the identifier of an issue, such as ENG-12' },
};
const title: Field = { kind: 'line', label: 'Title', most: 250 };
const description: Field = { kind: 'text', label: 'Description', about: 'Markdown.', isOptional: true };
const priority: Field = {
  kind: 'choice',
  label: 'Priority',
  options: { none: 'None', urgent: 'Urgent', high: 'High', medium: 'Medium', low: 'Low' },
  sent: { none: 0, urgent: 1, high: 2, medium: 3, low: 4 },
  isOptional: true,
};
const body: Field = { kind: 'text', label: 'Comment', about: 'Markdown.' };

function graphql(query: string, variables: Record<string, unknown>): Call {
  return { method: 'POST', path: '/graphql', body: { query, variables } };
}

function list(query: string, variables: Record<string, unknown>, items: string): Listing {
  return { call: graphql(query, variables), items, paging: { by: 'none' } };
}

const findIssue: Before = {
  as: 'issue',
  one: {
    call: graphql(`query($id: String!) { issue(id: $id) { ${issueFields} } }`, { id: '{{input.issue}}' }),
    at: 'data.issue',
  },
  keep: { id: 'id', identifier: 'identifier', title: 'title', version: 'updatedAt', team: 'team.id' },
  missing: 'There is no issue {{input.issue}} that this account can see.',
};

/** An issue that was moved to another team is found by the identifier it had, too. */
const issueKnown: NonNullable<Write['known']> = {
  names: ['issue {{issue.identifier}}', 'issue {{issue.id}}'],
  about: '{{issue.title}}',
  shown: [{ label: 'Issue', text: '{{issue.identifier}}: {{issue.title}}' }],
};

/** It has the id that was chosen for it. */
const isChosen = { at: 'id', is: '{{draft.chosen_id}}' };

const findState: Before = {
  as: 'state',
  when: { at: 'input.state' },
  listing: list(
    'query($team: String!) { team(id: $team) { states { nodes { id name } } } }',
    { team: '{{issue.team}}' },
    'data.team.states.nodes',
  ),
  where: [{ at: 'name', is: '{{input.state}}' }],
  keep: { id: 'id' },
  missing: 'The team of {{input.issue}} has no state {{input.state}}.',
};

const createIssue: Write = {
  name: 'create_issue',
  example: { team: 'ENG', title: 'Gears slip', description: 'On the third wheel.', priority: 'high' },
  summary: 'Create an issue in Linear.',
  risk: 'write',
  fields: { team, title, description, priority },
  editable: ['title', 'description', 'priority'],
  target: 'issues of {{input.team}}',
  known: {
    names: ['issues of {{team.key}}', 'issues of {{team.name}}', 'issues of {{team.id}}'],
    shown: [{ label: 'Team', text: '{{team.name}} ({{team.key}})' }],
  },
  title: 'Issue in {{input.team}}: {{input.title}}',
  handle: 'chosen_id',
  before: [
    {
      as: 'team',
      listing: list(
        'query($key: String!) { teams(filter: { key: { eqIgnoreCase: $key } }) { nodes { id key name } } }',
        { key: '{{input.team}}' },
        'data.teams.nodes',
      ),
      keep: { id: 'id', key: 'key', name: 'name' },
      missing: 'There is no team {{input.team}} that this account can see.',
    },
  ],
  call: graphql(
    `mutation($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { ${issueFields} } } }`,
    {
      input: {
        id: '{{draft.chosen_id}}',
        teamId: '{{team.id}}',
        title: '{{input.title}}',
        description: '{{input.description}}',
        priority: '{{sent.priority}}',
      },
    },
  ),
  doneWhen: { at: 'data.issueCreate.success' },
  at: 'data.issueCreate.issue',
  result: { issue_id: '{{item.id}}', identifier: '{{item.identifier}}', link: '{{item.url}}' },
  lookups: [
    {
      listing: list(
        `query($id: ID!) { issues(includeArchived: true, filter: { id: { eq: $id } }) { nodes { ${issueFields} } } }`,
        { id: '{{draft.chosen_id}}' },
        'data.issues.nodes',
      ),
      where: [isChosen],
    },
  ],
  undo: {
    says: 'Delete the issue again',
    forMinutes: 60,
    steps: [
      {
        call: graphql('mutation($id: String!) { issueDelete(id: $id) { success } }', { id: '{{result.issue_id}}' }),
        doneWhen: { at: 'data.issueDelete.success' },
      },
    ],
  },
};

const updateIssue: Write = {
  name: 'update_issue',
  example: { issue: 'ENG-12', state: 'Done' },
  summary: 'Change the title, text, state or priority of an issue in Linear.',
  risk: 'write',
  fields: {
    issue,
    title: { ...title, isOptional: true },
    description,
    state: { kind: 'line', label: 'State', about: 'As the team calls it, such as Done.', isOptional: true },
    priority,
  },
  oneOf: ['title', 'description', 'state', 'priority'],
  editable: ['title', 'description', 'state', 'priority'],
  target: 'issue {{input.issue}}',
  known: issueKnown,
  title: 'Change {{input.issue}}',
  handle: 'state',
  before: [findIssue, findState],
  call: graphql(
    `mutation($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success issue { ${issueFields} } } }`,
    {
      id: '{{issue.id}}',
      input: {
        title: '{{input.title}}',
        description: '{{input.description}}',
        stateId: '{{state.id}}',
        priority: '{{sent.priority}}',
      },
    },
  ),
  doneWhen: { at: 'data.issueUpdate.success' },
  at: 'data.issueUpdate.issue',
  result: { issue_id: '{{item.id}}', identifier: '{{item.identifier}}', link: '{{item.url}}' },
  lookups: [
    {
      one: {
        call: graphql(`query($id: String!) { issue(id: $id) { ${issueFields} } }`, { id: '{{issue.id}}' }),
        at: 'data.issue',
      },
      where: [
        { at: 'title', is: '{{input.title}}' },
        { at: 'description', is: '{{input.description}}' },
        { at: 'state.name', is: '{{input.state}}' },
        { at: 'priority', is: '{{sent.priority}}' },
      ],
      version: { at: 'updatedAt', was: '{{issue.version}}' },
    },
  ],
};

const createComment: Write = {
  name: 'create_comment',
  example: { issue: 'ENG-12', body: 'Mended in the last release.' },
  summary: 'Comment on an issue in Linear.',
  risk: 'write',
  fields: { issue, body },
  editable: ['body'],
  target: 'issue {{input.issue}}',
  known: issueKnown,
  title: 'Comment on {{input.issue}}',
  handle: 'chosen_id',
  before: [findIssue],
  call: graphql(
    'mutation($input: CommentCreateInput!) { commentCreate(input: $input) { success comment { id url } } }',
    { input: { id: '{{draft.chosen_id}}', issueId: '{{issue.id}}', body: '{{input.body}}' } },
  ),
  doneWhen: { at: 'data.commentCreate.success' },
  at: 'data.commentCreate.comment',
  result: { comment_id: '{{item.id}}', issue: '{{issue.identifier}}', link: '{{item.url}}' },
  lookups: [
    {
      listing: list(
        'query($id: ID!) { comments(includeArchived: true, filter: { id: { eq: $id } }) { nodes { id url } } }',
        { id: '{{draft.chosen_id}}' },
        'data.comments.nodes',
      ),
      where: [isChosen],
    },
  ],
  undo: {
    says: 'Delete the comment again',
    forMinutes: 60,
    steps: [
      {
        call: graphql('mutation($id: String!) { commentDelete(id: $id) { success } }', { id: '{{result.comment_id}}' }),
        doneWhen: { at: 'data.commentDelete.success' },
      },
    ],
  },
};

const updateComment: Write = {
  name: 'update_comment',
  example: { comment_id: '9b2f6a52-3f0e-4d57-9b7e-0c9f4f1d2a11', body: 'Mended in 1.2.' },
  summary: 'Change a comment of yours on an issue in Linear.',
  risk: 'write',
  fields: {
    comment_id: { kind: 'line', label: 'Comment', about: 'Its id, as create_comment answered it.' },
    body,
  },
  editable: ['body'],
  target: 'comment {{input.comment_id}}',
  title: 'Change a comment',
  handle: 'state',
  before: [
    {
      as: 'comment',
      one: {
        call: graphql('query($id: String) { comment(id: $id) { id body updatedAt } }', { id: '{{input.comment_id}}' }),
        at: 'data.comment',
      },
      keep: { id: 'id', version: 'updatedAt' },
      missing: 'There is no comment {{input.comment_id}} that this account can see.',
    },
  ],
  call: graphql(
    'mutation($id: String!, $input: CommentUpdateInput!) { commentUpdate(id: $id, input: $input) { success comment { id url } } }',
    { id: '{{comment.id}}', input: { body: '{{input.body}}' } },
  ),
  doneWhen: { at: 'data.commentUpdate.success' },
  at: 'data.commentUpdate.comment',
  result: { comment_id: '{{item.id}}', link: '{{item.url}}' },
  lookups: [
    {
      one: {
        call: graphql('query($id: String) { comment(id: $id) { id url body updatedAt } }', { id: '{{comment.id}}' }),
        at: 'data.comment',
      },
      where: [{ at: 'body', is: '{{input.body}}' }],
      version: { at: 'updatedAt', was: '{{comment.version}}' },
    },
  ],
};

/** What can be written at Linear. */
export const linearWrites: readonly Write[] = [createIssue, updateIssue, createComment, updateComment];
