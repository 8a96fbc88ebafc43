import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const pull = 'https://github.com/ada/lamp/pull/7';
  const of = (title: string, type: string, frontmatter: object = {}) =>
    server.ok('create_page', { title, type, body: 'The lantern flickers', frontmatter });
  await of('Mend the lamp', 'issue', { pull_request: pull, link: pull });
  await of('The lamp is dark', 'issue', { link: 'https://github.com/ada/lamp/issues/6' });
  await of('From another tracker', 'issue', { link: 'https://linear.app/x/issue/A-1' });
  await of('Stored by a plugin', 'gh_pr');
});
afterAll(() => server.close());

test.each([
  ['gh_pr', ['Mend the lamp', 'Stored by a plugin']],
  ['gh_issue', ['The lamp is dark']],
  ['issue', ['From another tracker', 'Mend the lamp', 'The lamp is dark']],
])('the type %s means the same pages in a list, in a query and in a search', async (type, titles) => {
  const listTitles = ({ pages }: { pages: { title: string }[] }) => pages.map(({ title }) => title).toSorted();
  expect(listTitles(await server.ok('list_pages', { type }))).toEqual(titles);
  expect(listTitles(await server.ok('query', { type }))).toEqual(titles);
  expect(listTitles(await server.ok('query', { type, text: 'lantern' }))).toEqual(titles);
  for (const name of ['q', 'query', 'text']) {
    const found = await server.ok('search', { type, [name]: 'lantern' });
    expect(listTitles(found)).toEqual(titles);
    expect(found.pagination.total_available).toBe(titles.length);
  }
});

test('a page also has its body under the name markdown', async () => {
  const { pages } = await server.ok('list_pages', { type: 'gh_pr' });
  const page = await server.ok('get_page', { id: pages[0]?.id });
  expect(page).toMatchObject({ body: 'The lantern flickers', markdown: 'The lantern flickers' });
});

test('two names of one field in one call are refused', async () => {
  expect(await server.call('search', { q: 'lantern', query: 'lamp' })).toMatchObject({ status: 422 });
});
