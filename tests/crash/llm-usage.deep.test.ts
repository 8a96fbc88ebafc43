import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess } from '../support/server-process.ts';

const key = `cm_${'crashkey'.repeat(5)}`;
const isAsked = Promise.withResolvers<void>();
/** A model that never answers. */
const model = createServer(() => isAsked.resolve());
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  model.listen(0, '127.0.0.1');
  await once(model, 'listening');
  database = await createTestDatabase();
});
afterAll(async () => {
  model.closeAllConnections();
  model.close();
  await database.drop();
});

test('a question whose server is killed leaves its row, which the next server marks as unfinished', async () => {
  const { port } = model.address() as AddressInfo; // it listens, so it has one
  const settings = {
    ...buildServerSettings(database.connectionString),
    THALAMUS_LLM_BASE_URL: `http://127.0.0.1:${port}/v1`,
    THALAMUS_LLM_MODEL: 'slow',
  };
  const first = await startServerProcess(settings, key);
  first.call('act_on_integration', { source: 'gmail', request: 'Tell somebody something' }).catch(() => {});
  await isAsked.promise;
  await first.kill();
  const owner = await openAsOwner(database.connectionString);
  await owner.rows(`update llm_usage set started_at = started_at - interval '11 minutes'`);
  await owner.close();
  const second = await startServerProcess(settings, key);
  expect(await second.ok('list_llm_usage')).toMatchObject({
    total: 1,
    usage: [{ tag: 'act_on_integration', model: 'slow', outcome: 'unfinished', cost_usd: null, duration_ms: null }],
  });
  expect(await second.ok('usage_overview')).toMatchObject({
    total: { calls: 1, unfinished_calls: 1, failed_calls: 0 },
  });
  await second.stop();
}, 60_000);
