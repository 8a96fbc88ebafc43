// Rows of one repository for boards: pull requests, issues, releases. https://docs.github.com/rest
import { formatText, readValue, walkPages, writePath } from '#providers/http';
import { defineAdapter, defineAdapterOperation, type AdapterReader, type AdapterRow } from '#providers/kit';
import { createReadApi, createReadValue, readFields } from '#providers/reading';
import { z } from 'zod';
import { githubApi } from './account.ts';

const part = z.string().trim().min(1).max(200);

/** A repository, by both names that clients give it. */
const ref = z
  .strictObject({ owner: part, repo: part.optional(), name: part.optional() })
  .refine(({ repo, name }) => (repo === undefined) !== (name === undefined), {
    path: ['repo'],
    error: 'give the repository as repo or as name, one of them',
  });
type Repository = z.output<typeof ref>;

function buildPath({ owner, repo, name }: Repository, list: string): string {
  return writePath`/repos/${owner}/${repo ?? name ?? ''}/${list}`;
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** The rows of a list, page by page. `buildRow`: null leaves an item out. */
async function* listRows(
  reader: AdapterReader,
  path: string,
  query: Query,
  buildRow: (item: unknown) => AdapterRow | null,
): AsyncGenerator<AdapterRow[]> {
  const api = createReadApi(githubApi, reader);
  const request = { path, query: { per_page: 100, ...query } };
  for await (const { items } of walkPages((url) => api.askPage(request, {}, { url })))
    yield items.map(buildRow).filter((row) => row !== null);
}

const issueFields = {
  id: 'id',
  number: 'number',
  title: 'title',
  state: 'state',
  author: 'user.login',
  assignees: 'assignees.*.login',
  labels: 'labels.*.name',
  url: 'html_url',
  created_at: 'created_at',
  updated_at: 'updated_at',
};

const listOpenPrs = defineAdapterOperation({
  name: 'github.list_open_prs',
  summary: 'Open pull requests, oldest first.',
  ref,
  params: z.strictObject({ base: part.optional().describe('Only those into this branch.') }),
  read: (reader, { ref: repository, params: { base } }) =>
    listRows(
      reader,
      buildPath(repository, 'pulls'),
      { state: 'open', sort: 'created', direction: 'asc', base },
      (pull) => ({
        ...readFields(createReadValue(pull), {
          ...issueFields,
          draft: 'draft',
          head: 'head.ref',
          base: 'base.ref',
        }),
      }),
    ),
});

const listIssues = defineAdapterOperation({
  name: 'github.list_issues',
  summary: 'Issues without pull requests, oldest first.',
  ref,
  params: z.strictObject({
    state: z.enum(['open', 'closed', 'all']).default('open'),
    labels: z.string().max(500).optional().describe('With commas between them; an issue has all of them.'),
  }),
  read: (reader, { ref: repository, params: { state, labels } }) =>
    listRows(reader, buildPath(repository, 'issues'), { state, labels, sort: 'created', direction: 'asc' }, (issue) =>
      readValue(issue, 'pull_request')
        ? null
        : readFields(createReadValue(issue), { ...issueFields, comments: 'comments', closed_at: 'closed_at' }),
    ),
});

const listReleases = defineAdapterOperation({
  name: 'github.list_releases',
  summary: 'Published releases, newest first.',
  ref,
  params: z.strictObject({}),
  read: (reader, { ref: repository }) =>
    listRows(reader, buildPath(repository, 'releases'), {}, (release) =>
      readValue(release, 'draft') === true
        ? null
        : readFields(createReadValue(release), {
            id: 'id',
            tag: 'tag_name',
            name: 'name',
            prerelease: 'prerelease',
            author: 'author.login',
            url: 'html_url',
            created_at: 'created_at',
            published_at: 'published_at',
          }),
    ),
});

/** A repository: read through a linked account, or as anybody where it is public. */
export const githubAdapter = defineAdapter({
  kind: 'github',
  ref,
  hint: 'Such as {"owner": "ada", "repo": "engine"}.',
  findPublicAddress: (given) => {
    const { owner, repo, name } = given as Repository; // parsed by the schema above
    return `${githubApi.baseUrl}${writePath`/repos/${owner}/${formatText(repo ?? name)}`}`;
  },
  operations: [listOpenPrs, listIssues, listReleases],
});
