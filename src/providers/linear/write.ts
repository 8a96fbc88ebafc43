// Writes at Linear. It accepts an id that the client chooses for a new item, and refuses a second item with the same
// id. https://linear.app/developers/graphql
import { z } from 'zod';
import { createGraphql, type ProviderApi, allowMissing } from '#providers/http';
import { choice, defineWrite, line, makeOptional, assertFound, mapOption, text } from '#providers/writing';
import { linearApi } from './account.ts';

const linear = { source: 'linear', api: linearApi };

const issueFields = 'id identifier title description priority url updatedAt state { name } team { id key }';
const issueOf = z.object({
  id: z.string(),
  identifier: z.string(),
  title: z.string(),
  description: z.string().nullish(),
  priority: z.number().nullish(),
  url: z.string().nullish(),
  updatedAt: z.string(),
  state: z.object({ name: z.string() }).nullish(),
  team: z.object({ id: z.string() }),
});
type Issue = z.output<typeof issueOf>;
const commentOf = z.object({ id: z.string(), url: z.string().nullish() });

const team = line('Team', {
  about: "The team's key, such as ENG.",
  shape: { pattern: '^[A-Za-z0-9]{1,10}$', says: 'must be the key of a team, such as ENG' },
});
const issue = line('Issue', {
  about: "The issue's identifier, such as ENG-12.",
  shape: { pattern: '^[A-Za-z0-9]{1,10}-[0-9]{1,9}$', says: 'must be the identifier of an issue, such as ENG-12' },
});
const title = line('Title', { most: 250 });
const description = makeOptional(text('Description', { about: 'Markdown.' }));
const priority = makeOptional(
  choice('Priority', {
    options: { none: 'None', urgent: 'Urgent', high: 'High', medium: 'Medium', low: 'Low' },
    sent: { none: 0, urgent: 1, high: 2, medium: 3, low: 4 },
  }),
);
const body = text('Comment', { about: 'Markdown.' });

const { ask, change, request, answerOf } = createGraphql('/graphql');

/** The answer of a mutation: its success, and the new item. */
function createSuccessShape<Shape extends z.ZodRawShape>(made: Shape) {
  return z.object({ success: z.literal(true), ...made });
}

function createNodesShape<Item extends z.ZodType>(item: Item) {
  return z.object({ nodes: z.array(item) });
}

async function getIssue(api: ProviderApi, id: string): Promise<Issue | undefined> {
  const query = `query($id: String!) { issue(id: $id) { ${issueFields} } }`;
  const answer = await allowMissing(ask(api, { issue: issueOf.nullish() }, query, { id }));
  return answer?.issue ?? undefined;
}

/** The parts of an issue that are stored with a draft. */
async function findIssue(api: ProviderApi, name: string) {
  const {
    id,
    identifier,
    title,
    updatedAt: version,
    team,
  } = assertFound(await getIssue(api, name), `There is no issue ${name} that this account can see.`);
  return { id, identifier, title, version, team: team.id };
}

/** An issue that moved to another team is still found by its former identifier. */
function buildFacts({ issue }: { issue: { id: string; identifier: string; title: string } }) {
  return {
    names: [`issue ${issue.identifier}`, `issue ${issue.id}`],
    about: issue.title,
    shown: [{ label: 'Issue', text: `${issue.identifier}: ${issue.title}` }],
  };
}

const buildIssueResult = ({ id: issue_id, identifier, url: link }: Issue) => ({ issue_id, identifier, link });

const createIssue = defineWrite(linear, {
  name: 'create_issue',
  example: { team: 'ENG', title: 'Gears slip', description: 'On the third wheel.', priority: 'high' },
  summary: 'Create an issue in Linear.',
  risk: 'write',
  fields: { team, title, description, priority },
  editable: ['title', 'description', 'priority'],
  title: (input) => `Issue in ${input.team}: ${input.title}`,
  target: (input) => `issues of ${input.team}`,
  otherNames: 'issues of *',
  handle: 'chosen_id',

  async resolve(api, input) {
    const { teams } = await ask(
      api,
      { teams: createNodesShape(z.object({ id: z.string(), key: z.string(), name: z.string() })) },
      'query($key: String!) { teams(filter: { key: { eqIgnoreCase: $key } }) { nodes { id key name } } }',
      { key: input.team },
    );
    return { team: assertFound(teams.nodes[0], `There is no team ${input.team} that this account can see.`) };
  },
  snapshot: (_api, { team: { id, key, name } }) => ({
    names: [`issues of ${key}`, `issues of ${name}`, `issues of ${id}`],
    shown: [{ label: 'Team', text: `${name} (${key})` }],
  }),
  async send(api, input, of) {
    const { issueCreate } = await change(
      api,
      { issueCreate: createSuccessShape({ issue: issueOf }) },
      `mutation($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { ${issueFields} } } }`,
      {
        input: {
          id: of.draft.chosen_id,
          teamId: of.team.id,
          title: input.title,
          description: input.description,
          priority: mapOption(priority, input.priority),
        },
      },
    );
    return buildIssueResult(issueCreate.issue);
  },
  async find(api, _input, { draft }) {
    const { issues } = await ask(
      api,
      { issues: createNodesShape(issueOf) },
      `query($id: ID!) { issues(includeArchived: true, filter: { id: { eq: $id } }) { nodes { ${issueFields} } } }`,
      { id: draft.chosen_id },
    );
    const found = issues.nodes.find(({ id }) => id === draft.chosen_id);
    return found && buildIssueResult(found);
  },
  undo: {
    says: 'Delete the issue',
    forMinutes: 60,
    steps: (_input, { result }) => [
      {
        ...request('mutation($id: String!) { issueDelete(id: $id) { success } }', { id: result['issue_id'] }),
        answer: answerOf({ issueDelete: createSuccessShape({}) }),
      },
    ],
  },
});

const updateIssue = defineWrite(linear, {
  name: 'update_issue',
  example: { issue: 'ENG-12', state: 'Done' },
  summary: 'Change the title, text, state or priority of an issue in Linear.',
  risk: 'write',
  fields: {
    issue,
    title: makeOptional(title),
    description,
    state: makeOptional(line('State', { about: "The state's name in the team, such as Done." })),
    priority,
  },
  oneOf: ['title', 'description', 'state', 'priority'],
  editable: ['title', 'description', 'state', 'priority'],
  title: (input) => `Change ${input.issue}`,
  target: (input) => `issue ${input.issue}`,
  otherNames: 'issue *',
  handle: 'state',

  async resolve(api, input) {
    const found = await findIssue(api, input.issue);
    if (input.state === undefined) return { issue: found };
    const { team } = await ask(
      api,
      { team: z.object({ states: createNodesShape(z.object({ id: z.string(), name: z.string() })) }) },
      'query($team: String!) { team(id: $team) { states { nodes { id name } } } }',
      { team: found.team },
    );
    const missing = `The team of ${input.issue} has no state ${input.state}.`;
    const state = team.states.nodes.find(({ name }) => name === input.state);
    return { issue: found, state: { id: assertFound(state, missing).id } };
  },
  snapshot: (_api, found) => buildFacts(found),
  async send(api, input, of) {
    const { issueUpdate } = await change(
      api,
      { issueUpdate: createSuccessShape({ issue: issueOf }) },
      `mutation($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success issue { ${issueFields} } } }`,
      {
        id: of.issue.id,
        input: {
          title: input.title,
          description: input.description,
          stateId: of.state?.id,
          priority: mapOption(priority, input.priority),
        },
      },
    );
    return buildIssueResult(issueUpdate.issue);
  },
  state: {
    read: (api, _input, found) => getIssue(api, found.issue.id),
    version: (item: Issue) => item.updatedAt,
    was: (found) => found.issue.version,
    has: {
      title: (item) => item.title,
      description: (item) => item.description,
      state: (item) => item.state?.name,
      priority: (item) => item.priority,
    },
    result: buildIssueResult,
  },
});

const createComment = defineWrite(linear, {
  name: 'create_comment',
  aliases: [{ name: 'add_comment', fields: { comment: 'body', text: 'body', issue_id: 'issue' } }],
  example: { issue: 'ENG-12', body: 'Fixed in the last release.' },
  summary: 'Comment on an issue in Linear.',
  risk: 'write',
  fields: { issue, body },
  editable: ['body'],
  title: (input) => `Comment on ${input.issue}`,
  target: (input) => `issue ${input.issue}`,
  otherNames: 'issue *',
  handle: 'chosen_id',

  resolve: async (api, input) => ({ issue: await findIssue(api, input.issue) }),
  snapshot: (_api, found) => buildFacts(found),
  async send(api, input, of) {
    const { commentCreate } = await change(
      api,
      { commentCreate: createSuccessShape({ comment: commentOf }) },
      'mutation($input: CommentCreateInput!) { commentCreate(input: $input) { success comment { id url } } }',
      { input: { id: of.draft.chosen_id, issueId: of.issue.id, body: input.body } },
    );
    const { comment } = commentCreate;
    return { comment_id: comment.id, issue: of.issue.identifier, link: comment.url };
  },
  async find(api, _input, { draft, issue: { identifier } }) {
    const { comments } = await ask(
      api,
      { comments: createNodesShape(commentOf) },
      'query($id: ID!) { comments(includeArchived: true, filter: { id: { eq: $id } }) { nodes { id url } } }',
      { id: draft.chosen_id },
    );
    const found = comments.nodes.find(({ id }) => id === draft.chosen_id);
    return found && { comment_id: found.id, issue: identifier, link: found.url };
  },
  undo: {
    says: 'Delete the comment',
    forMinutes: 60,
    steps: (_input, { result }) => [
      {
        ...request('mutation($id: String!) { commentDelete(id: $id) { success } }', { id: result['comment_id'] }),
        answer: answerOf({ commentDelete: createSuccessShape({}) }),
      },
    ],
  },
});

async function getComment(api: ProviderApi, id: string) {
  const comment = commentOf.extend({ body: z.string(), updatedAt: z.string() }).nullish();
  const query = 'query($id: String) { comment(id: $id) { id url body updatedAt } }';
  const answer = await allowMissing(ask(api, { comment }, query, { id }));
  return answer?.comment ?? undefined;
}

const updateComment = defineWrite(linear, {
  name: 'update_comment',
  example: { comment_id: '9b2f6a52-3f0e-4d57-9b7e-0c9f4f1d2a11', body: 'Fixed in 1.2.' },
  summary: 'Change one of your comments on an issue in Linear.',
  risk: 'write',
  fields: { comment_id: line('Comment', { about: "The comment's id, from create_comment." }), body },
  editable: ['body'],
  title: () => 'Change a comment',
  target: (input) => `comment ${input.comment_id}`,
  handle: 'state',

  async resolve(api, { comment_id }) {
    const comment = await getComment(api, comment_id);
    const { id, updatedAt: version } = assertFound(
      comment,
      `There is no comment ${comment_id} that this account can see.`,
    );
    return { comment: { id, version } };
  },
  async send(api, input, { comment: { id } }) {
    const { commentUpdate } = await change(
      api,
      { commentUpdate: createSuccessShape({ comment: commentOf }) },
      'mutation($id: String!, $input: CommentUpdateInput!) { commentUpdate(id: $id, input: $input) { success comment { id url } } }',
      { id, input: { body: input.body } },
    );
    const { comment } = commentUpdate;
    return { comment_id: comment.id, link: comment.url };
  },
  state: {
    read: (api, _input, { comment }) => getComment(api, comment.id),
    version: (item) => item.updatedAt,
    was: ({ comment }) => comment.version,
    has: { body: (item) => item.body },
    result: ({ id, url }) => ({ comment_id: id, link: url }),
  },
});

/** The writes at Linear. */
export const linearWrites = [createIssue, updateIssue, createComment, updateComment];
