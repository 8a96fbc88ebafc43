import { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddingsEmulator, type EmbeddingsEmulator } from '#emulators/embeddings/index';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess } from '../support/server-process.ts';

const key = `cm_${'crashkey'.repeat(5)}`;
let emulator: EmbeddingsEmulator;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  emulator = await startEmbeddingsEmulator({ dimensions: 32 });
  database = await createTestDatabase();
});
afterAll(async () => {
  await emulator.close();
  await database.drop();
});

const start = () =>
  startServerProcess(
    {
      ...buildServerSettings(database.connectionString),
      THALAMUS_EMBEDDINGS_BASE_URL: emulator.baseUrl,
      THALAMUS_EMBEDDINGS_MODEL: 'test-model',
    },
    key,
  );

test('a server killed while it embeds leaves nothing half stored, and the next server embeds the rest', async () => {
  emulator.failAlways({ kind: 'slow', ms: 500 });
  const first = await start();
  for (let batch = 0; batch < 4; batch += 1) {
    const memories = Array.from({ length: 100 }, (_, at) => ({ content: `Memory ${batch} ${at}` }));
    await first.ok('add_memories_bulk', { memories });
  }
  while (Number((await first.ok('embedding_status'))['embedded']) < 30) await sleep(5);
  await first.kill();
  emulator.failAlways(null);
  const client = new Client({ connectionString: database.connectionString });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query(
    `select count(*) filter (where code is not null) as embedded, count(*) filter (where item_id in
      (select item_id from embedding_queue)) as half from embeddings`,
  );
  expect(Number(rows[0].embedded)).toBeLessThan(400);
  expect(Number(rows[0].half)).toBe(0);
  // The time that a dead process's lease takes to end.
  const blockedRows = await client.query(
    "update embedding_queue set not_before = now() - interval '1 second' where claim is not null",
  );
  expect(blockedRows.rowCount).toBeGreaterThan(0);
  await client.end();
  const second = await start();
  const giveUpAt = Date.now() + 15_000;
  while ((await second.ok('embedding_status'))['embedded'] !== 400 && Date.now() < giveUpAt) await sleep(50);
  expect(await second.ok('embedding_status')).toMatchObject({ total: 400, embedded: 400, pending: 0, failed: 0 });
  // Only the batch of the killed process was requested twice.
  const texts = emulator.texts().filter((text) => text.startsWith('Memory'));
  expect(texts.length - new Set(texts).size).toBeLessThanOrEqual(Number(blockedRows.rowCount));
  await second.stop();
}, 60_000);
