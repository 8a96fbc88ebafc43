import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let brain: string;
const stored = 20_000;

beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
  brain = String((await server.ok('who_am_i'))['home_brain_id']);
  const { id } = await server.ok('add_memory', { content: 'The hull is red', type: 'fact' });
  await server.ok('add_memory', { content: 'The keel is black', type: 'decision' });
  await database.rows(
    `insert into memories select (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid()))).*
     from memories m, generate_series(1, $2) where m.id = $1`,
    [id, stored - 2],
  );
  await database.rows('vacuum analyze memories');
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const inWorkspace = `select set_config('thalamus.workspace_id', (select id::text from workspaces), true)`;

test('an index counts the memories of a large brain, without reading the table', async () => {
  await database.rows('begin');
  try {
    await database.rows(inWorkspace);
    await database.rows('set local role thalamus_app');
    const rows = await database.rows('select * from count_live_memories($1::uuid[])', [[brain]]);
    expect(rows.toSorted((one, other) => Number(one['memories']) - Number(other['memories']))).toEqual([
      { brain_id: brain, type: 'decision', memories: 1 },
      { brain_id: brain, type: 'fact', memories: stored - 1 },
    ]);
    const scans = await database.rows(`select seq_scan::int from pg_stat_xact_user_tables where relname = 'memories'`);
    expect(scans).toEqual([{ seq_scan: 0 }]);
  } finally {
    await database.rows('rollback');
  }
});

test('list_brains, list_memories and load_brain count live memories only', async () => {
  const listed = (await server.ok('list_brains'))['brains'] as { id: string; memory_count: number }[];
  expect(listed.find(({ id }) => id === brain)?.memory_count).toBe(stored);
  expect(await server.ok('list_memories', { limit: 1 })).toMatchObject({ total: stored });
  expect(await server.ok('list_memories', { limit: 1, type: 'decision' })).toMatchObject({ total: 1 });
  expect(await server.ok('load_brain')).toMatchObject({
    stats: { memories: stored, by_type: { fact: stored - 1, decision: 1 } },
  });
});

test('memories of another workspace are not counted', async () => {
  await database.rows('begin');
  try {
    await database.rows(`select set_config('thalamus.workspace_id', gen_random_uuid()::text, true)`);
    await database.rows('set local role thalamus_app');
    const rows = await database.rows('select * from count_live_memories($1::uuid[])', [[brain]]);
    expect(rows).toEqual([]);
  } finally {
    await database.rows('rollback');
  }
});
