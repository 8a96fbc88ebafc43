import type { Descriptor, Detail, Stream } from '#providers/described';
import { githubApi } from './account.ts';

const reviewHead = '---\n\n{{review.user.login}}, {{review.submitted_at}}';

/** Of a pull request alone: its reviews, or the comments on its code. https://docs.github.com/rest/pulls */
function pullDetail(of: 'reviews' | 'comments', withheld: string): Detail {
  const path = `/repos/{{item.repository.owner.login}}/{{item.repository.name}}/pulls/{{item.number}}/${of}`;
  return {
    when: { at: 'item.pull_request' },
    as: `pull_${of}`,
    withheld,
    listing: { call: { method: 'GET', path, queryParams: { per_page: 100 } }, items: '', paging: { by: 'link' } },
  };
}

/** https://docs.github.com/rest/releases/releases */
const releases: Stream = {
  name: 'releases',
  each: [
    {
      listing: {
        call: { method: 'GET', path: '/user/repos', queryParams: { sort: 'pushed', per_page: 100 } },
        items: '',
        paging: { by: 'link' },
      },
      as: 'repo',
      id: 'id',
      label: 'full_name',
      only: { at: 'fork', isOneOf: [false] },
    },
  ],
  listing: {
    call: {
      method: 'GET',
      path: '/repos/{{repo.owner.login}}/{{repo.name}}/releases',
      queryParams: { per_page: 100 },
    },
    items: '',
    paging: { by: 'link' },
  },
  // An unchanged list is answered with 304, which does not count against the limit of requests.
  isConditional: true,
  since: { at: 'published_at', as: 'iso', also: ['updated_at'], isUnsorted: true },
  leaveOut: [{ at: 'draft', isOneOf: [true] }],
  withheld: 'Releases of repositories whose contents this access does not show.',
  page: {
    type: 'release',
    ref: '{{item.node_id}}',
    title: '{{repo.full_name}} {{item.tag_name}} {{item.name}}',
    body: ['{{repo.full_name}}, {{item.tag_name}}', '{{item.body}}', 'Files: {{item.assets.*.name}}'],
    frontmatter: {
      repository: '{{repo.full_name}}',
      tag: '{{item.tag_name}}',
      prerelease: '{{item.prerelease}}',
      link: '{{item.html_url}}',
      created: '{{item.created_at}}',
      published: '{{item.published_at}}',
    },
    author: '{{item.author.login}}',
    occurredAt: '{{item.published_at}}',
  },
};

/**
 * GitHub: issues and pull requests of every repository that the account may see, with their comments and reviews; releases.
 * https://docs.github.com/rest
 */
export const github: Descriptor = {
  name: 'github',
  label: 'GitHub',
  description:
    'Issues and pull requests you can see become pages, with their comments and reviews, and releases too. Issues and comments are written once you confirm.',
  provider: 'github',
  scopes: [
    {
      scope: 'repo',
      why: 'Read issues, pull requests and comments of your repositories, private ones too, and write the issues and comments that you confirmed. GitHub has no scope that only reads.',
    },
  ],
  api: githubApi,
  coverage: {
    goesBack:
      'Issues and pull requests that changed in the chosen days, whole; then every change. Releases that were published or changed in the chosen days.',
    notRead: [
      'Code, commits, discussions, wikis, projects and workflow runs.',
      'Releases of forks, and drafts of releases.',
      'Deleted issues and releases, until everything is read again.',
      'Reactions and the content of attached files.',
    ],
  },
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
        pullDetail('reviews', 'Reviews of pull requests: this access does not show them.'),
        pullDetail('comments', 'Comments on the code of pull requests: this access does not show them.'),
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
          {
            of: 'pull_reviews',
            as: 'review',
            only: { at: 'review.state', isNot: ['COMMENTED', 'PENDING'] },
            text: `${reviewHead}, {{review.state}}\n\n{{review.body}}`,
          },
          // Such a review without words only holds comments on the code.
          {
            of: 'pull_reviews',
            as: 'review',
            only: { at: 'review.state', isOneOf: ['COMMENTED'] },
            said: '{{review.body}}',
            text: `${reviewHead}\n\n{{said}}`,
          },
          {
            of: 'pull_comments',
            as: 'remark',
            text: '---\n\n{{remark.user.login}}, {{remark.created_at}}, {{remark.path}} {{remark.line}}\n\n{{remark.body}}',
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
    releases,
  ],
};
