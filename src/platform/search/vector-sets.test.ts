// Vectors as the search thread sees them: read from the real tables, which other processes write.
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../../tests/support/postgres.ts';
import { createSearch, type Search } from './search.ts';

const space = 'm/4';
const [east, north, west] = [
  [127, 0, 0, 0],
  [0, 127, 0, 0],
  [-127, 0, 0, 0],
] as const;
type Direction = readonly number[];

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: Pool;
let search: Search;
let workspaceId: string;
let personId: string;
let brainId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ ...database.connection, max: 4 }).on('error', () => {});
  search = createSearch({ connection: { ...database.connection, options: '-c role=thalamus_app' } });
});
beforeEach(async () => {
  [workspaceId, personId] = [randomUUID(), randomUUID()];
  await queryInWorkspace("insert into workspaces (id, name, created_at) values ($1, 'w', now())", [workspaceId]);
  await queryInWorkspace(
    "insert into people (id, workspace_id, email, name, role, created_at) values ($2, $1, 'a@b.c', 'A', 'owner', now())",
    [workspaceId, personId],
  );
  brainId = await insertBrain();
});
afterAll(async () => {
  await search.close();
  await pool.end();
  await database.drop();
});

async function queryInWorkspace(text: string, values: unknown[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query("select set_config('thalamus.workspace_id', $1, true)", [workspaceId]);
    await client.query(text, values);
    await client.query('commit');
  } finally {
    client.release();
  }
}

async function insertBrain(): Promise<string> {
  const id = randomUUID();
  await queryInWorkspace("insert into brains (id, workspace_id, name, created_at) values ($2, $1, 'b', now())", [
    workspaceId,
    id,
  ]);
  return id;
}

async function createMemory(content: string): Promise<string> {
  const id = randomUUID();
  await queryInWorkspace(
    `insert into memories (id, workspace_id, brain_id, content, type, salience, topics, occurred_at, stored_by,
       stored_by_label, created_at)
     values ($1, $2, $3, $4, 'fact', 'normal', '{}', now(), $5, 'A', now())`,
    [id, workspaceId, brainId, content, personId],
  );
  return id;
}

async function embed(id: string, direction: Direction | null, more: { space?: string; brain?: string } = {}) {
  await queryInWorkspace(
    `insert into embeddings (item_id, part, workspace_id, brain_id, space, text_hash, code) values ($1, 0, $2, $3, $4, '', $5)
     on conflict (item_id, part) do update set brain_id = excluded.brain_id, space = excluded.space, code = excluded.code`,
    [
      id,
      workspaceId,
      more.brain ?? brainId,
      more.space ?? space,
      direction && Buffer.from(Int8Array.from(direction).buffer),
    ],
  );
}

async function findNear(direction: Direction, brainIds: string[] = [brainId]): Promise<string[]> {
  const meaning = { space, vector: Float32Array.from(direction) };
  const { hits } = await search.find({ workspaceId, brainIds, text: 'nowhere', meaning, limit: 10, offset: 0 });
  return hits.map(({ id }) => id);
}

test('the next search sees vectors that were added, changed or deleted', async () => {
  const id = await createMemory('one');
  expect(await findNear(east)).toEqual([]);
  await embed(id, east);
  expect(await findNear(east)).toEqual([id]);
  await embed(id, north);
  expect(await findNear(east)).toEqual([]);
  expect(await findNear(north)).toEqual([id]);
  await embed(id, null);
  expect(await findNear(north)).toEqual([]);
});

test('vectors of another space are never searched', async () => {
  const id = await createMemory('one');
  await embed(id, east, { space: 'other/4' });
  expect(await findNear(east)).toEqual([]);
  await embed(id, east);
  expect(await findNear(east)).toEqual([id]);
  await embed(id, east, { space: 'other/4' });
  expect(await findNear(east)).toEqual([]);
});

test('a vector follows its memory to another brain', async () => {
  const id = await createMemory('one');
  const other = await insertBrain();
  await embed(id, east);
  expect([await findNear(east), await findNear(east, [other])]).toEqual([[id], []]);
  await queryInWorkspace('update memories set brain_id = $1 where id = $2', [other, id]);
  await embed(id, east, { brain: other });
  expect([await findNear(east), await findNear(east, [other])]).toEqual([[], [id]]);
  expect(await findNear(east, [brainId, other])).toEqual([id]);
});

test('a deleted memory is not found, even while its vector still exists', async () => {
  const id = await createMemory('one');
  await embed(id, east);
  expect(await findNear(east)).toEqual([id]);
  await queryInWorkspace('update memories set archived_at = now() where id = $1', [id]);
  expect(await findNear(east)).toEqual([]);
});

test('the nearest come first, over several brains, and vectors in another direction do not appear', async () => {
  const [one, two, three] = [await createMemory('one'), await createMemory('two'), await createMemory('three')];
  const home = brainId;
  const other = await insertBrain();
  brainId = other;
  const four = await createMemory('four');
  await embed(four, [120, 40, 0, 0]);
  brainId = home;
  await embed(one, east);
  await embed(two, [100, 90, 0, 0]);
  await embed(three, west);
  expect(await findNear(east, [home, other])).toEqual([one, four, two]);
});

test('many concurrent searches load a brain together and all see everything', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, (_, at) => createMemory(`memory ${at}`)));
  for (const id of ids) await embed(id, east);
  const answers = await Promise.all(Array.from({ length: 8 }, () => findNear(east)));
  for (const answer of answers) expect(answer).toHaveLength(10);
});
