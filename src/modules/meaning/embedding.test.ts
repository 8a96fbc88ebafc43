import { setTimeout as sleep } from 'node:timers/promises';
import { createOwnerPool } from '#platform/database';
import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEmbeddingsEmulator, type EmbeddingsEmulator } from '#emulators/embeddings/index';
import { isDeep } from '../../../tests/support/depth.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

const apiKey = 'sk-embedding-secret-0123456789';
let emulator: EmbeddingsEmulator;
const servers: TestServer[] = [];
const pools: Pool[] = [];
beforeEach(async () => {
  emulator = await startEmbeddingsEmulator({ dimensions: 32, apiKey });
});
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end();
  for (const server of servers.splice(0).toReversed()) await server.close();
  await emulator.close();
});

async function start(more: Record<string, string> = {}): Promise<TestServer> {
  const server = await startTestServer({
    THALAMUS_EMBEDDINGS_BASE_URL: emulator.baseUrl,
    THALAMUS_EMBEDDINGS_MODEL: 'first-model',
    THALAMUS_EMBEDDINGS_API_KEY: apiKey,
    THALAMUS_LOG_LEVEL: 'silent',
    ...more,
  });
  servers.push(server);
  return server;
}

function createOwnPool(server: TestServer): Pool {
  const pool = createOwnerPool({ connectionString: server.connectionString }, 2);
  pools.push(pool);
  return pool;
}

/** Asks for the status until it matches. */
async function waitForStatus(server: TestServer, wanted: Record<string, unknown>, withinMs = 8_000) {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    const status = await server.ok('embedding_status');
    const isSo = Object.entries(wanted).every(([name, value]) => status[name as keyof typeof status] === value);
    if (isSo || Date.now() > giveUpAt) {
      expect(status).toMatchObject(wanted);
      return status;
    }
    await sleep(50);
  }
}

const add = async (server: TestServer, content: string) => String((await server.ok('add_memory', { content }))['id']);
const addMany = (server: TestServer, count: number, text = 'number') =>
  server.ok('add_memories_bulk', {
    memories: Array.from({ length: count }, (_, at) => ({ content: `Memory ${text} ${at}` })),
  });

test('a stored text is embedded soon after, once, and the status counts it', async () => {
  const server = await start();
  await addMany(server, 70);
  await add(server, 'Boats sail at dawn');
  expect(await waitForStatus(server, { embedded: 71, pending: 0 })).toEqual({
    is_on: true,
    model: 'first-model',
    dimensions: 32,
    total: 71,
    embedded: 71,
    pending: 0,
    failed: 0,
    last_error: null,
  });
  const texts = emulator.texts().filter((text) => text.startsWith('Memory') || text.startsWith('Boats'));
  expect(texts).toHaveLength(71);
  expect(new Set(texts).size).toBe(71);
});

test('without an embedder no text is sent, queued or stored', async () => {
  const server = await startTestServer();
  servers.push(server);
  await add(server, 'Boats sail at dawn');
  await sleep(400); // with an embedder it takes 100 ms
  const { rows } = await createOwnPool(server).query(
    'select (select count(*) from embedding_queue) + (select count(*) from embedding_runs) as count',
  );
  expect(rows).toEqual([{ count: 0 }]);
  expect(await server.ok('embedding_status')).toMatchObject({ is_on: false, model: null, total: 1, pending: 0 });
});

test('an archived memory loses its vectors, and a moved row keeps them', async () => {
  const server = await start();
  const id = await add(server, 'Boats sail at dawn');
  const other = await add(server, 'Cash is king');
  await waitForStatus(server, { embedded: 2 });
  const { brain_id } = await server.ok('create_brain', { name: 'Elsewhere' });
  const pool = createOwnPool(server);
  await pool.query('update memories set brain_id = $1 where id = $2', [brain_id, other]);
  await server.ok('archive_memory', { id });
  const read = async () =>
    (await pool.query('select item_id, code is null as is_gone, brain_id = $1 as is_moved from embeddings', [brain_id]))
      .rows;
  await expect.poll(read).toContainEqual({ item_id: id, is_gone: true, is_moved: false });
  expect(await read()).toContainEqual({ item_id: other, is_gone: false, is_moved: true });
  expect(await server.ok('embedding_status')).toMatchObject({ embedded: 1, total: 1, pending: 0 });
  expect(emulator.texts().filter((text) => text === 'Cash is king')).toHaveLength(1);
});

test('changed words are embedded again; a change without new words costs nothing', async () => {
  const server = await start();
  const id = await add(server, `${'long '.repeat(900)}text`);
  await waitForStatus(server, { embedded: 1 });
  const pool = createOwnPool(server);
  const parts = async () =>
    (await pool.query('select part from embeddings where item_id = $1 and code is not null order by part', [id])).rows;
  expect(await parts()).toHaveLength(3);
  await pool.query("update memories set topics = '{other}' where id = $1", [id]);
  await add(server, 'Something else');
  await waitForStatus(server, { embedded: 2, pending: 0 });
  const before = emulator.texts().length;
  await pool.query("update memories set content = 'Short now' where id = $1", [id]);
  await add(server, 'Yet another thing');
  await waitForStatus(server, { embedded: 3, pending: 0 });
  expect(emulator.texts().slice(before).toSorted()).toEqual(['Short now', 'Yet another thing']);
  expect(await parts()).toEqual([{ part: 0 }]);
});

test.runIf(isDeep)('another model embeds everything again; vectors of the first are not used meanwhile', async () => {
  const first = await start();
  await addMany(first, 40);
  await waitForStatus(first, { embedded: 40 });
  const second = await start({ DATABASE_URL: first.connectionString, THALAMUS_EMBEDDINGS_MODEL: 'second-model' });
  await waitForStatus(second, { model: 'second-model', embedded: 40, pending: 0 });
  // The first server continues, and leaves the space to the second.
  await add(first, 'Written to the first');
  await add(second, 'Written to the second');
  await waitForStatus(second, { embedded: 42, pending: 0 });
  await sleep(300); // the first server would have written by then
  const { rows } = await createOwnPool(first).query('select space, count(*) from embeddings group by space');
  expect(rows).toEqual([{ space: 'second-model/32', count: 42 }]);
  const models = emulator.ledger.map(({ body }) => body['model']);
  expect(models.lastIndexOf('first-model')).toBeLessThan(models.indexOf('second-model') + 2);
});

test.runIf(isDeep)('two servers at once embed each text once', async () => {
  emulator.failAlways({ kind: 'slow', ms: 30 });
  const one = await start();
  const two = await start({ DATABASE_URL: one.connectionString });
  const half = Array.from({ length: 5 }, (_, at) => [addMany(one, 60, `one-${at}`), addMany(two, 60, `two-${at}`)]);
  await Promise.all(half.flat());
  await waitForStatus(one, { embedded: 600, pending: 0 }, 15_000);
  const texts = emulator.texts().filter((text) => text.startsWith('Memory'));
  expect(texts).toHaveLength(600);
  expect(new Set(texts).size).toBe(600);
});

test('a text that the embedder refuses is set aside and delays no other', async () => {
  const server = await start();
  emulator.refuseWord = 'unspeakable';
  await server.ok('add_memories_bulk', {
    memories: [
      { content: 'An unspeakable thing' },
      ...Array.from({ length: 20 }, (_, at) => ({ content: `Fine ${at}` })),
    ],
  });
  await waitForStatus(server, { embedded: 20, failed: 1, pending: 0, last_error: null });
});

test('the status reports an unreachable embedder without its key, and waiting texts are embedded when it returns', async () => {
  const leak = { error: { message: `Incorrect API key provided: ${apiKey}`, type: 'invalid_request_error' } };
  emulator.failAlways({ kind: 'status', status: 401, body: leak });
  const server = await start();
  await add(server, 'Boats sail at dawn');
  const giveUpAt = Date.now() + 5_000;
  let status = await server.ok('embedding_status');
  while (!status['last_error'] && Date.now() < giveUpAt) {
    await sleep(50);
    status = await server.ok('embedding_status');
  }
  expect(status).toMatchObject({
    pending: 1,
    dimensions: null,
    last_error: { message: expect.stringContaining('401') },
  });
  expect(JSON.stringify(status)).not.toContain(apiKey);
  emulator.failAlways(null);
  const second = await start({ DATABASE_URL: server.connectionString });
  await waitForStatus(second, { embedded: 1, pending: 0, last_error: null });
  expect(await (await second.request('/metrics')).text()).toContain('thalamus_embedded_total 1');
});
