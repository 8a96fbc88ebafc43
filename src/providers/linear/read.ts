import type { Descriptor } from '#providers/described';
import type { Call } from '#providers/http';
import { linearApi } from './account.ts';

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

const comment = '---\n\n{{comment.user.name}}, {{comment.createdAt}}\n\n{{comment.body}}';
const moreComments = `query ($issue: String!, $page: String) {
  issue(id: $issue) { comments(first: 250, after: $page) { ${comments} } }
}`;
const askComments = (page: string): Call => ({
  method: 'POST',
  path: '/graphql',
  body: { query: moreComments, variables: { issue: '{{item.id}}', page } },
});

/** Linear: issues with their comments. https://linear.app/developers/graphql */
export const linear: Descriptor = {
  name: 'linear',
  label: 'Linear',
  description: 'Issues become pages, with their comments. Issues and comments are written once you confirm.',
  provider: 'linear',
  scopes: [
    { scope: 'read', why: 'Read issues and comments of your teams.' },
    { scope: 'write', why: 'Create and change the issues and comments that you confirmed.', for: 'act' },
  ],
  coverage: {
    goesBack: 'Issues that changed in the chosen days, whole; then every change.',
    notRead: ['Documents, projects and their updates.', 'The history of issues, reactions and the content of files.'],
  },
  api: linearApi,
  streams: [
    {
      name: 'issues',
      listing: {
        call: {
          method: 'POST',
          path: '/graphql',
          body: { query: issues, variables: { since: '{{since}}', page: '{{page}}' } },
        },
        items: 'data.issues.nodes',
        paging: {
          by: 'token',
          at: 'data.issues.pageInfo.endCursor',
          while: { at: 'data.issues.pageInfo.hasNextPage' },
        },
      },
      since: { at: 'updatedAt', as: 'iso' },
      details: [
        {
          when: { at: 'item.comments.pageInfo.hasNextPage' },
          as: 'more',
          listing: {
            call: askComments('{{item.comments.pageInfo.endCursor}}'),
            nextCall: askComments('{{page}}'),
            items: 'data.issue.comments.nodes',
            paging: {
              by: 'token',
              at: 'data.issue.comments.pageInfo.endCursor',
              while: { at: 'data.issue.comments.pageInfo.hasNextPage' },
            },
          },
        },
      ],
      page: {
        type: 'issue',
        ref: '{{item.id}}',
        title: '{{item.title}}',
        body: ['{{item.identifier}}, {{item.state.name}}', 'Assignee: {{item.assignee.name}}', '{{item.description}}'],
        parts: [
          { of: 'item.comments.nodes', as: 'comment', text: comment },
          { of: 'more', as: 'comment', text: comment },
        ],
        frontmatter: {
          identifier: '{{item.identifier}}',
          state: '{{item.state.name}}',
          team: '{{item.team.name}}',
          priority: '{{item.priorityLabel}}',
          assignee: '{{item.assignee.name}}',
          link: '{{item.url}}',
          created: '{{item.createdAt}}',
          updated: '{{item.updatedAt}}',
        },
        author: '{{item.creator.name}}',
        occurredAt: '{{item.createdAt}}',
        goneWhen: { at: 'item.archivedAt' },
      },
    },
  ],
};
