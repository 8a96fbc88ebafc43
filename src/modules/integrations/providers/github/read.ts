import type { Descriptor } from '../../reading/descriptor.ts';
import { githubApi } from './account.ts';

/**
 * GitHub: issues and pull requests of every repository that the account may see, with their comments.
 * https://docs.github.com/rest
 */
export const github: Descriptor = {
  name: 'github',
  label: 'GitHub',
  description:
    'Issues and pull requests you can see become pages, with their comments. Issues and comments are written once you confirm.',
  provider: 'github',
  scopes: [
    {
      scope: 'repo',
      why: 'Read issues, pull requests and comments of your repositories, private ones too, and write the issues and comments that you confirmed. GitHub has no scope that only reads.',
    },
  ],
  api: githubApi,
  revision: 2,
  streams: [
    {
      name: 'issues',
      listing: {
        call: {
          method: 'GET',
          path: '/issues',
          queryParams: {
            filter: 'all',
            state: 'all',
            sort: 'updated',
            // Items that change during the reading move before the read ones: in the other order they would push others
            // out of the next page.
            direction: 'desc',
            per_page: 100,
            since: '{{since}}',
          },
        },
        items: '',
        paging: { by: 'link' },
      },
      since: { at: 'updated_at', as: 'iso' },
      details: [
        {
          when: { at: 'item.comments' },
          as: 'comments',
          listing: {
            call: {
              method: 'GET',
              path: '/repos/{{item.repository.owner.login}}/{{item.repository.name}}/issues/{{item.number}}/comments',
              queryParams: { per_page: 100 },
            },
            items: '',
            paging: { by: 'link' },
          },
        },
      ],
      page: {
        type: 'issue',
        ref: '{{item.node_id}}',
        title: '{{item.title}}',
        body: [
          '{{item.repository.full_name}}#{{item.number}}, {{item.state}}',
          'Labels: {{item.labels.*.name}}',
          '{{item.body}}',
        ],
        parts: [
          {
            of: 'comments',
            as: 'comment',
            text: '---\n\n{{comment.user.login}}, {{comment.created_at}}\n\n{{comment.body}}',
          },
        ],
        frontmatter: {
          repository: '{{item.repository.full_name}}',
          number: '{{item.number}}',
          state: '{{item.state}}',
          labels: '{{item.labels.*.name}}',
          assignees: '{{item.assignees.*.login}}',
          link: '{{item.html_url}}',
          pull_request: '{{item.pull_request.html_url}}',
          created: '{{item.created_at}}',
          updated: '{{item.updated_at}}',
        },
        author: '{{item.user.login}}',
        occurredAt: '{{item.created_at}}',
      },
    },
  ],
};
