// Linear: issues with their comments. https://linear.app/developers/graphql
import { formatText, readValue } from '#providers/http';
import {
  createReadApi,
  createReadValue,
  defineStream,
  defineStreamSource,
  joinBlocks,
  readFields,
  readList,
  writeBlock,
  writeText,
  type AnyStream,
  type ItemContent,
  type ListForm,
  type ReadApi,
} from '#providers/reading';
import { linearApi } from './account.ts';

export const linear = defineStreamSource({
  name: 'linear',
  label: 'Linear',
  icon: 'CircleDot',
  description: 'Issues become pages, with their comments. Issues and comments are written with your approval.',
  provider: 'linear',
  scopes: [
    { scope: 'read', why: 'Read issues and comments of your teams.' },
    { scope: 'write', why: 'Create and change issues and comments with your approval.', for: 'act' },
  ],
  coverage: {
    goesBack: 'Issues that changed in the chosen days, with all their comments; then every change.',
    notRead: ['Documents, projects and their updates.', 'The history of issues, reactions and the content of files.'],
  },
  openStreams: (reader) => [createIssues(createReadApi(linearApi, reader))],
});

const comments = 'nodes { body createdAt user { name } } pageInfo { hasNextPage endCursor }';
const issues = `query Issues($since: DateTimeOrDuration, $page: String) {
  issues(first: 50, after: $page, includeArchived: true, orderBy: updatedAt, filter: { updatedAt: { gte: $since } }) {
    nodes {
      id identifier title description url priorityLabel createdAt updatedAt archivedAt trashed
      state { name } team { key name } creator { name } assignee { name }
      comments(first: 50) { ${comments} }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;
const moreComments = `query ($issue: String!, $page: String) {
  issue(id: $issue) { comments(first: 250, after: $page) { ${comments} } }
}`;

function buildQuery(query: string, variables: Readonly<Record<string, unknown>>) {
  return { path: '/graphql', body: { query, variables } };
}

/** A GraphQL connection: its nodes, and the cursor of the next page if there is one. */
function describeConnection(path: string): ListForm {
  return {
    items: `${path}.nodes`,
    next: (data) =>
      readValue(data, `${path}.pageInfo.hasNextPage`) ? readValue(data, `${path}.pageInfo.endCursor`) : null,
  };
}

function createIssues(api: ReadApi): AnyStream {
  return defineStream({
    name: 'issues',
    type: 'issue',
    listPage: ({ since, page }) =>
      api.askPage(buildQuery(issues, { since, page: page ?? undefined }), describeConnection('data.issues')),
    since: { as: 'iso' },
    readTimes: (issue) => [readValue(issue, 'updatedAt')],
    buildRef: (issue) => formatText(readValue(issue, 'id')),
    isGone: (issue) => Boolean(readValue(issue, 'archivedAt')),
    hasDetails: true,
    readItem: (issue) => readIssue(api, issue),
  });
}

async function readIssue(api: ReadApi, issue: unknown): Promise<ItemContent> {
  const read = createReadValue(issue);
  const all = [...readList(issue, 'comments.nodes'), ...(await listMoreComments(api, issue))];
  return {
    title: formatText(read('title')),
    body: joinBlocks([
      writeBlock`${read('identifier')}, ${read('state.name')}`,
      writeBlock`Assignee: ${read('assignee.name')}`,
      formatText(read('description')).trim(),
      ...all.map(writeComment),
    ]),
    frontmatter: readFields(read, {
      identifier: 'identifier',
      state: 'state.name',
      team: 'team.name',
      priority: 'priorityLabel',
      assignee: 'assignee.name',
      link: 'url',
      created: 'createdAt',
      updated: 'updatedAt',
    }),
    author: formatText(read('creator.name')),
    occurredAt: read('createdAt'),
  };
}

/** The comments that did not come with the issue. */
async function listMoreComments(api: ReadApi, issue: unknown): Promise<unknown[]> {
  if (!readValue(issue, 'comments.pageInfo.hasNextPage')) return [];
  const [id, after] = [readValue(issue, 'id'), readValue(issue, 'comments.pageInfo.endCursor')];
  return api.listAll(
    (page) => buildQuery(moreComments, { issue: id, page: page ?? after }),
    describeConnection('data.issue.comments'),
  );
}

function writeComment(comment: unknown): string {
  const read = createReadValue(comment);
  return writeText`---\n\n${read('user.name')}, ${read('createdAt')}\n\n${read('body')}`;
}
