// GitHub: issues and pull requests of every repository that the account may see, with comments and reviews; releases.
// https://docs.github.com/rest
import { writePath, formatText, readValue } from '#providers/http';
import {
  allowWithheld,
  createReadApi,
  createReadValue,
  defineStream,
  defineStreamSource,
  joinBlocks,
  describeList,
  readFields,
  writeBlock,
  writeText,
  type AnyStream,
  type ItemContent,
  type ReadApi,
} from '#providers/reading';
import { githubApi } from './account.ts';

export const github = defineStreamSource({
  name: 'github',
  label: 'GitHub',
  icon: 'FolderGit2',
  description:
    'Issues and pull requests you can see become pages, with their comments and reviews, and releases too. Issues and comments are written with your approval.',
  provider: 'github',
  scopes: [
    {
      scope: 'repo',
      why: 'Read issues, pull requests and comments of your repositories, private ones too, and write issues and comments with your approval. GitHub has no scope that only reads.',
    },
  ],
  coverage: {
    goesBack:
      'Issues and pull requests that changed in the chosen days, with all their comments; then every change. Releases that were published or changed in the chosen days.',
    notRead: [
      'Code, commits, discussions, wikis, projects and workflow runs.',
      'Releases of forks, and drafts of releases.',
      'Deleted issues and releases stay until a full resync.',
      'Reactions and the content of attached files.',
    ],
  },
  revision: 2,
  openStreams(reader) {
    const api = createReadApi(githubApi, reader);
    return [createIssues(api), createReleases(api)];
  },
});

/** The list can change between two pages: in ascending order, changed items would push others off the next page. */
const issuesQuery = { filter: 'all', state: 'all', sort: 'updated', direction: 'desc', per_page: 100 };
const query = { per_page: 100 };

function createIssues(api: ReadApi): AnyStream {
  return defineStream({
    name: 'issues',
    type: 'issue',
    listPage: ({ since, page }) =>
      api.askPage({ path: '/issues', query: { ...issuesQuery, since } }, {}, { url: page }),
    since: { as: 'iso' },
    readTimes: (issue) => [readValue(issue, 'updated_at')],
    buildRef: (issue) => formatText(readValue(issue, 'node_id')),
    hasDetails: true,
    readItem: (issue) => readIssue(api, issue),
  });
}

async function readIssue(api: ReadApi, issue: unknown): Promise<ItemContent> {
  const read = createReadValue(issue);
  const [owner, name] = [formatText(read('repository.owner.login')), formatText(read('repository.name'))];
  const number = formatText(read('number'));
  const isPull = Boolean(read('pull_request'));
  const listPull = (of: string) =>
    allowWithheld(api.listAllByUrl({ path: writePath`/repos/${owner}/${name}/pulls/${number}/${of}`, query }, {}));
  const comments = read('comments')
    ? await api.listAllByUrl({ path: writePath`/repos/${owner}/${name}/issues/${number}/comments`, query }, {})
    : [];
  const reviews = isPull ? await listPull('reviews') : [];
  const remarks = isPull ? await listPull('comments') : [];
  return {
    title: formatText(read('title')),
    body: joinBlocks([
      writeBlock`${read('repository.full_name')}#${read('number')}, ${read('state')}`,
      writeBlock`Labels: ${read('labels.*.name')}`,
      formatText(read('body')).trim(),
      ...comments.map(writeComment),
      ...writeReviews(reviews ?? []),
      ...(remarks ?? []).map(writeRemark),
    ]),
    frontmatter: readFields(read, {
      repository: 'repository.full_name',
      number: 'number',
      state: 'state',
      labels: 'labels.*.name',
      assignees: 'assignees.*.login',
      link: 'html_url',
      pull_request: 'pull_request.html_url',
      created: 'created_at',
      updated: 'updated_at',
    }),
    author: formatText(read('user.login')),
    occurredAt: read('created_at'),
    leftOut: [
      ...(reviews ? [] : ['Reviews of pull requests: this access does not show them.']),
      ...(remarks ? [] : ['Comments on the code of pull requests: this access does not show them.']),
    ],
  };
}

function writeComment(comment: unknown): string {
  const read = createReadValue(comment);
  return writeText`---\n\n${read('user.login')}, ${read('created_at')}\n\n${read('body')}`;
}

/** Reviews with a decision or words. Other reviews only hold comments on the code, which are read separately. */
function writeReviews(reviews: readonly unknown[]): string[] {
  const read = reviews.map(createReadValue);
  const decisions = read.filter((review) => !['COMMENTED', 'PENDING'].includes(formatText(review('state'))));
  const notes = read.filter((review) => review('state') === 'COMMENTED' && formatText(review('body')).trim());
  return [
    ...decisions.map(
      (review) =>
        writeText`---\n\n${review('user.login')}, ${review('submitted_at')}, ${review('state')}\n\n${review('body')}`,
    ),
    ...notes.map((review) => writeText`---\n\n${review('user.login')}, ${review('submitted_at')}\n\n${review('body')}`),
  ];
}

/** A comment on a line of code. */
function writeRemark(remark: unknown): string {
  const read = createReadValue(remark);
  return writeText`---\n\n${read('user.login')}, ${read('created_at')}, ${read('path')} ${read('line')}\n\n${read('body')}`;
}

/** https://docs.github.com/rest/releases/releases */
function createReleases(api: ReadApi): AnyStream {
  const name = 'releases';
  return defineStream<unknown>({
    name,
    type: 'release',
    async findLists() {
      const all = await api.listAllByUrl({ path: '/user/repos', query: { sort: 'pushed', per_page: 100 } }, {});
      const repositories = all.filter((repository) => readValue(repository, 'fork') === false);
      const lists = repositories.map((of) => {
        const id = String(readValue(of, 'id'));
        return { ...describeList({ name }, [{ id, label: String(readValue(of, 'full_name') ?? id) }]), of };
      });
      return { lists, isWhole: true };
    },
    listPage({ of, page, known }) {
      const [owner, repository] = [formatText(readValue(of, 'owner.login')), formatText(readValue(of, 'name'))];
      return api.askPage({ path: writePath`/repos/${owner}/${repository}/releases`, query }, {}, { url: page, known });
    },
    // An unchanged list is answered with 304, which does not count against the limit of requests.
    isConditional: true,
    since: { as: 'iso', isUnsorted: true },
    readTimes: (release) => [readValue(release, 'published_at'), readValue(release, 'updated_at')],
    isLeftOut: (release) => readValue(release, 'draft') === true,
    withheld: 'Releases of repositories whose contents this access does not show.',
    buildRef: (release) => formatText(readValue(release, 'node_id')),
    readItem: async (release, repository) => readRelease(release, formatText(readValue(repository, 'full_name'))),
  });
}

function readRelease(release: unknown, repository: string): ItemContent {
  const read = createReadValue(release);
  return {
    title: writeText`${repository} ${read('tag_name')} ${read('name')}`,
    body: joinBlocks([
      writeBlock`${repository}, ${read('tag_name')}`,
      formatText(read('body')).trim(),
      writeBlock`Files: ${read('assets.*.name')}`,
    ]),
    frontmatter: {
      repository,
      ...readFields(read, {
        tag: 'tag_name',
        prerelease: 'prerelease',
        link: 'html_url',
        created: 'created_at',
        published: 'published_at',
      }),
    },
    author: formatText(read('author.login')),
    occurredAt: read('published_at'),
  };
}
