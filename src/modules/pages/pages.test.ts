import type { Db } from '#kernel/database';
import { createTransactions, createOwnerPool } from '#platform/database';
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import type { NewPage } from '#kernel/page';
import { upsertPages } from './index.ts';

let server: TestServer;
let pool: Pool;
let workspaceId: string;
let brainId: string;
let ids = 0;
beforeAll(async () => {
  server = await startTestServer();
  pool = createOwnerPool({ connectionString: server.connectionString }, 4);
  const { rows } = await pool.query('select id, workspace_id from brains');
  ({ id: brainId, workspace_id: workspaceId } = rows[0]);
});
afterAll(async () => {
  await pool.end();
  await server.close();
});

const runInWorkspace = <T>(work: (db: Db) => Promise<T>) =>
  createTransactions(new Kysely({ dialect: new PostgresDialect({ pool }) })).run(workspaceId, 'write', work);
const newId = () => `00000000-0000-7000-8000-${String((ids += 1)).padStart(12, '0')}`;
const store = (pages: NewPage[], at = new Date()) =>
  runInWorkspace((db) => upsertPages(db, pages, { workspaceId, brainId, at, newId }));
const buildPage = (sourceRef: string, more: Partial<NewPage> = {}): NewPage => ({
  sourceRef,
  source: 'test:one',
  type: 'note',
  title: 'A note',
  body: 'Nothing much.',
  frontmatter: {},
  occurredAt: new Date('2026-01-01T00:00:00Z'),
  ...more,
});
const listTitles = async (input: object) => {
  const answer = await server.ok('query', input);
  return (answer['pages'] as { title: string }[]).map((each) => each.title).toSorted();
};

test('equal content writes nothing; a change keeps the previous version and the slug', async () => {
  const [first] = await store([buildPage('v:1', { title: 'Plan for Q3', frontmatter: { a: 1, b: [1, 2] } })]);
  expect(first).toMatchObject({ change: 'created', slug: expect.stringMatching(/^note-plan-for-q3-[a-z0-9]{10}$/) });
  const same = buildPage('v:1', { title: 'Plan for Q3', frontmatter: { b: [1, 2], a: 1 } });
  expect(await store([same])).toMatchObject([{ change: 'none' }]);
  expect(await store([buildPage('v:1', { title: 'Plan for Q4' })])).toEqual([{ ...first, change: 'changed' }]);
  const read = await server.ok('get_page', { slug: first?.slug });
  expect(read).toMatchObject({ id: first?.id, title: 'Plan for Q4' });
  expect(read['versions']).toMatchObject([
    { version: 2, title: 'Plan for Q4' },
    { version: 1, title: 'Plan for Q3' },
  ]);
});

test('a page is read by exactly one of its slug and its id', async () => {
  const [stored] = await store([buildPage('g:1')]);
  const headers = { authorization: `Bearer ${server.key}` };
  const bySlug = await server.request(`/v1/pages/${stored?.slug}`, { headers });
  const byId = await server.request(`/v1/page?id=${stored?.id}`, { headers });
  expect(await bySlug.json()).toEqual(await byId.json());
  expect((await server.request('/v1/pages/search?q=note', { headers })).status).toBe(200);
  expect((await server.call('get_page', {})).status).toBe(422);
  expect((await server.call('get_page', { slug: stored?.slug, id: stored?.id })).status).toBe(422);
  expect((await server.call('get_page', { slug: 'no-such-page' })).status).toBe(404);
});

test('characters that Postgres cannot store are removed from titles, bodies and frontmatter', async () => {
  const odd = 'a\0b\ud800c';
  const [stored] = await store([buildPage('n:1', { title: odd, body: odd, frontmatter: { odd, list: [odd] } })]);
  const read = await server.ok('get_page', { id: stored?.id });
  expect(read).toMatchObject({ title: 'ab\ufffdc', body: 'ab\ufffdc', frontmatter: { odd: 'ab\ufffdc' } });
});

test('conditions compare numbers as numbers, dates as dates, and text as text', async () => {
  const type = 'measured';
  await store([
    buildPage('w:1', {
      type,
      title: 'one',
      frontmatter: { size: 9, on: '2026-06-01', at: '2026-06-01T23:30:00-05:00' },
    }),
    buildPage('w:2', { type, title: 'two', frontmatter: { size: '10', on: '2026-06-10', at: '2026-06-02T01:00:00Z' } }),
    buildPage('w:3', { type, title: 'three', frontmatter: { size: 'huge', tags: ['Red', 'Blue'], at: '2026-99-99' } }),
    buildPage('w:4', { type, title: 'four', frontmatter: { size: null, name: 'Ünal', open: true } }),
  ]);
  const where = (conditions: object) => listTitles({ type, where: conditions });
  expect(await where({ size: { gt: 9 } })).toEqual(['two']);
  expect(await where({ size: { lt: '10' } })).toEqual(['one']);
  expect(await where({ size: 10 })).toEqual(['two']);
  expect(await where({ size: '9' })).toEqual(['one']);
  expect(await where({ size: null })).toEqual(['four']);
  expect(await where({ on: { gt: '2026-06-01', lt: '2026-06-11' } })).toEqual(['two']);
  expect(await where({ at: { gt: '2026-06-02T02:00:00Z' } })).toEqual(['one']);
  expect(await where({ at: { gt: '2026-06-02T02:00:00' } })).toEqual(['one']);
  expect(await where({ tags: 'Red' })).toEqual(['three']);
  expect(await where({ tags: { contains: 'blu' } })).toEqual(['three']);
  expect(await where({ name: { contains: 'ünal' } })).toEqual(['four']);
  expect(await where({ size: { in: [9, 'huge'] } })).toEqual(['one', 'three']);
  expect(await where({ open: true })).toEqual(['four']);
  expect(await where({ size: { contains: 'u' }, tags: 'Blue' })).toEqual(['three']);
  expect(await where({ "size' or true --": 1 })).toEqual([]);
  expect((await server.call('query', { where: { size: { above: 3 } } })).status).toBe(422);
  expect((await server.call('query', { where: { size: {} } })).status).toBe(422);
});

test('one query ranks by words and narrows by conditions', async () => {
  const type = 'ranked';
  const body = 'The walrus budget.';
  await store(
    Array.from({ length: 30 }, (_, at) => buildPage(`r:${at}`, { type, title: `r${at}`, body, frontmatter: { at } })),
  );
  const input = { q: 'walrus budget', type, where: { at: { lt: 3 } }, limit: 2 };
  const first = await server.ok('query', input);
  expect(first['pagination']).toEqual({ offset: 0, limit: 2, total_available: 3, has_more: true });
  const second = await server.ok('query', { ...input, offset: 2 });
  expect(second['pages']).toHaveLength(1);
  expect(second['pages']).toMatchObject([{ score: expect.any(Number), frontmatter: { at: expect.any(Number) } }]);
});

test('lists show the newest first, by type and source', async () => {
  const more = { type: 'listed', source: 'feed:a' };
  await store([buildPage('l:1', { ...more, title: 'older' })], new Date('2026-01-01T00:00:00Z'));
  await store([buildPage('l:2', { ...more, title: 'newer' })], new Date('2026-01-02T00:00:00Z'));
  await store([buildPage('l:3', { ...more, title: 'other', source: 'feeds' })]);
  const listed = await server.ok('list_pages', { type: 'listed', source: 'feed', limit: 1 });
  expect(listed).toMatchObject({ total: 2, pages: [{ title: 'newer' }] });
  expect(await server.ok('list_pages', { type: 'listed', source: 'feed', offset: 1 })).toMatchObject({
    pages: [{ title: 'older' }],
  });
});

test('removed pages are neither listed, found nor read, and return with their source', async () => {
  const [stored] = await store([
    buildPage('gone:1', { type: 'gone', body: 'The okapi manual' }),
    buildPage('stay:1', { type: 'gone' }),
  ]);
  expect(await store([buildPage('gone:1', { type: 'gone', isGone: true })])).toMatchObject([{ change: 'removed' }]);
  expect(await server.ok('list_pages', { type: 'gone' })).toMatchObject({ total: 1 });
  expect((await server.ok('search', { q: 'okapi' }))['pages']).toEqual([]);
  expect((await server.call('get_page', { id: stored?.id })).status).toBe(404);
  expect(await store([buildPage('gone:1', { type: 'gone', isGone: true })])).toMatchObject([{ change: 'none' }]);
  expect(await store([buildPage('gone:1', { type: 'gone', body: 'The okapi manual' })])).toMatchObject([
    { change: 'changed' },
  ]);
  expect((await server.ok('search', { q: 'okapi' }))['pages']).toMatchObject([{ id: stored?.id }]);
});

test('the excerpt contains the words of the query', async () => {
  const filler = 'Lorem ipsum dolor sit amet. '.repeat(200);
  await store([buildPage('x:1', { type: 'long', body: `${filler}The narwhals were counted twice. ${filler}` })]);
  const { pages } = await server.ok('search', { q: 'counting a narwhal' });
  const [found] = pages as { excerpt: string }[];
  expect(found?.excerpt).toContain('narwhals were counted');
  expect(found?.excerpt.length).toBeLessThan(330);
});

test('many concurrent writers of the same pages store each page once', async () => {
  const many = Array.from({ length: 40 }, (_, at) => buildPage(`m:${at}`, { type: 'many' }));
  const answers = await Promise.all([many, many.toReversed(), many, many.toReversed()].map((pages) => store(pages)));
  const created = answers.flat().filter((each) => each.change === 'created');
  expect(created).toHaveLength(40);
  expect(await server.ok('list_pages', { type: 'many', limit: 1 })).toMatchObject({ total: 40 });
});

test('a list orders its pages by the time they happened, and can be limited to a period', async () => {
  const at = (day: string) => ({ type: 'diary', occurredAt: new Date(`${day}T12:00:00Z`), body: 'Dear diary' });
  await store([buildPage('d:2', { title: 'second', ...at('2026-02-02') })]);
  await store([buildPage('d:3', { title: 'third', ...at('2026-02-03') })]);
  await store([buildPage('d:1', { title: 'first', ...at('2026-02-01') })]);
  const listed = async (operation: string, more: object) => {
    const { pages } = await server.ok(operation, { type: 'diary', ...more });
    return (pages as { title: string }[]).map(({ title }) => title);
  };
  await store([buildPage('d:4', { title: 'to come', ...at('2999-01-01') })]);
  await store([buildPage('d:5', { title: 'without a time', type: 'diary', occurredAt: new Date(0) })]);
  const past = ['third', 'second', 'first'];
  expect(await listed('list_pages', {})).toEqual(['without a time', ...past, 'to come']);
  await store([buildPage('d:6', { title: 'old, found late', ...at('2025-01-01') })]);
  expect(await listed('list_pages', {})).toEqual(['without a time', ...past, 'old, found late', 'to come']);
  const ahead = { since: '2026-02-02', sort: 'soonest' };
  expect(await listed('list_pages', ahead)).toEqual(['second', 'third', 'to come']);
  expect((await listed('list_pages', { sort: 'updated' }))[0]).toBe('old, found late');
  expect(await listed('list_pages', { sort: 'occurred' })).toEqual([
    'to come',
    ...past,
    'old, found late',
    'without a time',
  ]);
  const period = { since: '2026-02-02', until: '2026-02-03T12:00:00Z' };
  expect(await listed('list_pages', period)).toEqual(['second']);
  expect(await listed('search', { q: 'dear diary', ...period })).toEqual(['second']);
});
