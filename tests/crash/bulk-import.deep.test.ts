import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';

const key = `cm_${'bulkkey'.repeat(5)}`;
const words = ['harbour', 'violin', 'glacier', 'saffron', 'turbine', 'lantern', 'orchid', 'compass', 'walnut', 'kiln'];

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let settings: Record<string, string>;
/** Stays alive, so that its index follows all writes and is not rebuilt. */
let watching: ServerProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  settings = buildServerSettings(database.connectionString);
  watching = await startServerProcess(settings, key);
});

afterAll(async () => {
  await watching.stop();
  await database.drop();
});

test('a kill during a bulk import loses nothing acknowledged and leaves nothing half stored', async () => {
  const importing = await startServerProcess(settings, key);
  const acknowledged: string[] = [];
  const lanes = Promise.allSettled([0, 1, 2].map((lane) => importInto(importing, lane, acknowledged)));
  const enough = 1_500;
  while (acknowledged.length < enough) {
    await watching.ok('search_memory', { q: 'harbour walnut' });
    await sleep(5);
  }
  await importing.kill();
  await lanes;

  const stored = await readStoredRows();
  const ids = new Set(stored.map(({ id }) => id));
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  const batches = Map.groupBy(stored, ({ author }) => author);
  expect([...batches.values()].every((batch) => batch.length === 100)).toBe(true);

  const restarted = await startServerProcess(settings, key);
  try {
    for (const q of [...words, 'batch number 7 harbour', 'violin lantern kiln', '"number 42"']) {
      expect(await searchAnswer(watching, q)).toEqual(await searchAnswer(restarted, q));
    }
  } finally {
    await restarted.stop();
  }
}, 90_000);

async function importInto(server: ServerProcess, lane: number, acknowledged: string[]): Promise<void> {
  for (let batch = 0; ; batch += 1) {
    const memories = Array.from({ length: 100 }, (_, at) => ({
      content: `The ${words[at % 10]} number ${at} lies beside the ${words[(at + batch) % 10]}`,
      author: `batch ${lane}-${batch}`,
      thread_id: `thread ${lane}-${batch}`,
    }));
    const answer = await server.ok('add_memories_bulk', { memories });
    acknowledged.push(...(answer['memories'] as { id: string }[]).map(({ id }) => id));
  }
}

async function readStoredRows(): Promise<{ id: string; author: string }[]> {
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  const { rows } = await client.query<{ id: string; author: string }>('select id, author from memories');
  await client.end();
  return rows;
}

async function searchAnswer(server: ServerProcess, q: string) {
  const { memories, pagination } = await server.ok('search_memory', { q, limit: 20 });
  const hits = (memories as { id: string; relevance_score: number }[]).map((hit) => [hit.id, hit.relevance_score]);
  return { hits, pagination };
}
