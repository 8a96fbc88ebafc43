import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { limiters } from './store/rate-limits.ts';

const root = join(import.meta.dirname, '../../..');

const limit = 100;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ THALAMUS_RATE_LIMIT: String(limit) });
});
afterAll(() => server.close());

const collectStatuses = (count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await server.call('who_am_i')).status));

test('calls up to the limit are served, and further ones learn how long to wait', async () => {
  const burst = await collectStatuses(60);
  expect(burst).toEqual(Array.from({ length: 60 }, () => 200));
  const rest = await collectStatuses(60);
  const served = rest.filter((status) => status === 200).length;
  expect(rest.filter((status) => status === 429).length).toBe(60 - served);
  expect(60 + served).toBe(limit);
  const refused = await server.call('who_am_i');
  expect(refused.body).toMatchObject({ code: 'rate_limited', details: { retry_after: expect.any(Number) } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('every limiter has its own name, and each name is used once', () => {
  const sources = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] });
  const named = sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/createRateLimit\(\{\s*limiter: '(\w+)'/g)].map(
      ([, name]) => name,
    ),
  );
  expect(named.toSorted()).toEqual([...limiters].toSorted());
});
