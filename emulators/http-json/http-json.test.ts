// Some JSON API, as a reader of foreign APIs meets it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHeaderClient } from '../kit/api-client.ts';
import { startHttpJsonEmulator } from './index.ts';
import type { HttpJsonEmulator } from './index.ts';

let api: HttpJsonEmulator;
let clock: Date;

beforeEach(async () => {
  clock = new Date('2026-03-02T09:00:00Z');
  api = await startHttpJsonEmulator({ now: () => clock });
  for (let count = 1; count <= 5; count += 1) api.put({ id: String(count), name: `n${count}` });
});

afterEach(() => api.close());

const get = (path: string, headers: Record<string, string> = {}) => createHeaderClient(api.url, headers)('GET', path);
const joinIds = (rows: unknown) => (rows as { id: string }[]).map(({ id }) => id).join('');

test('every paging style returns the same records', async () => {
  expect(joinIds((await get('/items/all')).body)).toBe('12345');
  expect((await get('/items/page?page=3&per_page=2')).body).toMatchObject({ items: [{ id: '5' }], total: 5 });
  expect((await get('/items/offset?offset=4&limit=2')).body).toMatchObject({
    data: { results: [{ id: '5' }] },
    meta: { total: 5 },
  });
  const first = (await get('/items/cursor?limit=3')).body;
  const second = (await get(`/items/cursor?limit=3&cursor=${String(first.next_cursor)}`)).body;
  expect([joinIds(first.items), joinIds(second.items), second.next_cursor]).toEqual(['123', '45', null]);
  const linked = await get('/items/link?per_page=3');
  expect(linked.headers.get('link')).toBe(`<${api.url}/items/link?per_page=3&page=2>; rel="next"`);
  expect((await get('/items/link?per_page=3&page=2')).headers.get('link')).toBeNull();
  const next = new URL(String((await get('/items/next?limit=3')).body.next));
  expect(joinIds((await get(`${next.pathname}${next.search}`)).body.value)).toBe('45');
  for (const bad of ['page?page=0', 'page?limit=3', 'cursor?cursor=x', 'offset?limit=101', 'all?since=today']) {
    expect((await get(`/items/${bad}`)).status).toBe(400);
  }
});

test('an unchanged answer is 304, and a changed one is 200', async () => {
  const first = await get('/items/all');
  const match = { 'if-none-match': first.headers.get('etag') ?? '' };
  const since = { 'if-modified-since': first.headers.get('last-modified') ?? '' };
  expect([(await get('/items/all', match)).status, (await get('/items/all', since)).status]).toEqual([304, 304]);
  clock = new Date(clock.getTime() + 60_000);
  api.put({ id: '2', name: 'changed' });
  expect([(await get('/items/all', match)).status, (await get('/items/all', since)).status]).toEqual([200, 200]);
  expect(joinIds((await get('/items/all?since=2026-03-02T09:00:30Z')).body)).toBe('2');
  api.remove('2');
  expect((await get('/items/by-id/2')).status).toBe(404);
  expect((await get('/items/by-id/1')).body).toMatchObject({ name: 'n1' });
});

test('the service requires its key once one is set, and counts calls', async () => {
  const key = api.key();
  expect((await get('/items/all')).status).toBe(401);
  expect((await get('/items/all', { 'x-api-key': key })).status).toBe(200);
  api.setQuota({ requests: 1, seconds: 9 });
  expect((await get('/items/all', { authorization: `Bearer ${key}` })).status).toBe(200);
  const refused = await get('/items/all', { authorization: `Bearer ${key}` });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '9']);
});

test('the service can return invalid answers', async () => {
  expect((await get('/redirect')).headers.get('location')).toBe('/items/all');
  expect((await get('/redirect-inside')).headers.get('location')).toContain('169.254.169.254');
  await expect(get('/bad-json')).rejects.toThrow('JSON');
  await expect(get('/wrong-length')).rejects.toThrow();
  expect((await get('/html')).headers.get('content-type')).toBe('text/html');
  expect((await get('/empty')).status).toBe(204);
  expect((await get('/big?bytes=3000000')).text.length).toBeGreaterThan(2_900_000);
  const latin = Buffer.from(await (await fetch(`${api.url}/latin1`)).arrayBuffer());
  expect(latin.toString('latin1')).toBe('["Grüße"]');
  api.failures.next({ path: '/items/all' }, { kind: 'status', status: 503, retryAfter: 2 });
  expect((await get('/items/all')).headers.get('retry-after')).toBe('2');
  expect(api.ledger.count({ path: '/items/all' })).toBe(1);
});
