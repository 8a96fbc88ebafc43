import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner } from '../support/owner-database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const rows = 15_000;
let server: TestServer;
let brainId: string;

/** A brain that takes the search thread some seconds to load, and more room than search has. */
beforeAll(async () => {
  server = await startTestServer({ THALAMUS_DATABASE_POOL: '2', THALAMUS_SEARCH_MEMORY_MB: '16' });
  brainId = (await server.ok('who_am_i')).home_brain_id;
  const owner = await openAsOwner(server.connectionString);
  await owner.rows(
    `insert into memories (id, workspace_id, brain_id, content, type, salience, topics, occurred_at, stored_by, stored_by_label, created_at)
     select gen_random_uuid(), b.workspace_id, b.id, 'Crate ' || n || ' of tessaly saffron ' || md5(n::text) || ' is at quay ' || n % 97,
       'fact', 'normal', '{}', now(), b.created_by, 'Ada', now() from brains b, generate_series(1, ${rows}) n where b.id = $1`,
    [brainId],
  );
  await owner.close();
}, 60_000);
afterAll(() => server.close());

test('while a brain loads, searches wait without a connection, memories are stored, and other calls are answered', async () => {
  const load = { isDone: false };
  const searches = Promise.all(Array.from({ length: 12 }, () => search())).finally(() => (load.isDone = true));
  const stored = server.call('add_memory', { content: 'The saffron of Tessaly is at quay 98 now.' });
  const others: { status: number; ms: number }[] = [];
  do {
    for (const ask of [() => server.call('list_keys'), () => server.request('/readyz')]) {
      const start = performance.now();
      const { status } = await ask();
      others.push({ status, ms: performance.now() - start });
    }
  } while (!load.isDone);
  const answers = await searches;
  expect((await stored).status).toBe(200);
  expect(others.filter(({ status }) => status !== 200)).toEqual([]);
  expect(Math.max(...others.map(({ ms }) => ms))).toBeLessThan(4_000);
  expect(others.length).toBeGreaterThan(10);
  for (const { status, headers, body } of answers) {
    expect([200, 503]).toContain(status);
    if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    if (status === 503)
      expect(body['detail']).toMatch(/loaded for its first search: \d+ (of 15000 entries|entries so far)/);
  }
  // The brain is larger than the room of search, and is kept all the same: it is not loaded for each search.
  await expect.poll(async () => (await search()).status, { timeout: 60_000 }).toBe(200);
  const start = performance.now();
  expect((await search()).status).toBe(200);
  expect(performance.now() - start).toBeLessThan(2_000);
}, 120_000);

function search() {
  return server.call('search_memory', { q: 'saffron at quay 42', brain_id: brainId });
}
