import type { Descriptor } from './descriptor.ts';

const issues = `query Issues($since: DateTimeOrDuration, $page: String) {
  issues(first: 50, after: $page, includeArchived: true, orderBy: updatedAt, filter: { updatedAt: { gte: $since } }) {
    nodes {
      id identifier title description url priorityLabel createdAt updatedAt archivedAt trashed
      state { name } team { key name } creator { name } assignee { name }
      comments(first: 50) { nodes { body createdAt user { name } } }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** Linear: issues with their comments. https://linear.app/developers/graphql */
export const linear: Descriptor = {
  name: 'linear',
  label: 'Linear',
  description: 'Issues become pages, with their comments.',
  provider: 'linear',
  scopes: [{ scope: 'read', why: 'Read issues and comments of your teams.' }],
  api: { baseUrl: 'https://api.linear.app', refusedWhen: { at: 'errors' } },
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
      page: {
        type: 'issue',
        ref: '{{item.id}}',
        title: '{{item.title}}',
        body: ['{{item.identifier}}, {{item.state.name}}', 'Assignee: {{item.assignee.name}}', '{{item.description}}'],
        parts: [
          {
            of: 'item.comments.nodes',
            as: 'comment',
            text: '---\n\n{{comment.user.name}}, {{comment.createdAt}}\n\n{{comment.body}}',
          },
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
