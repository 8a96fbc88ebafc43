import { createTransactions, createKysely, createAppPool } from '#platform/database';
import { newId } from '#platform/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';
import { gather, type TopicalMemory } from '#platform/constellations';
import { gatherBrain, gatherStale, isStale, matchGroups } from './gathering.ts';

let server: TestServer;
let database: OwnerDatabase;
let workspaceId: string;
let gathering: Parameters<typeof gatherBrain>[0];
let close: () => Promise<void>;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
  workspaceId = String((await database.rows('select id from workspaces'))[0]?.['id']);
  const db = createKysely<unknown>(createAppPool({ connectionString: server.connectionString }, 3));
  gathering = { transactions: createTransactions(db), now: () => new Date(), newId };
  close = async () => {
    await db.destroy();
    await database.close();
    await server.close();
  };
});
afterAll(() => close());

type Body = Record<string, unknown>;
const subjects = [
  ['pricing', 'discounts', 'enterprise', 'margin'],
  ['violin', 'orchestra', 'rehearsal', 'conductor'],
  ['turbine', 'bearing', 'vibration', 'sensor'],
];

/** This many memories of each subject, each with three of its four topics. */
function buildMemories(each: number): TopicalMemory[] {
  return subjects.flatMap((topics, subject) =>
    Array.from({ length: each }, (_, number) => ({
      id: `memory-${String(number).padStart(5, '0')}-${subject}`,
      topics: topics.filter((_topic, at) => at !== number % 4),
    })),
  );
}

const listAllConstellations = async (brain_id: unknown) =>
  (await server.ok('list_constellations', { brain_id, memories: 100 }))['constellations'] as (Body & {
    memory_ids: string[];
  })[];

async function createBrainOfSubjects(name: string, each: number): Promise<string> {
  const brain = String((await server.ok('create_brain', { name }))['brain_id']);
  const memories = buildMemories(each).map(({ topics }) => ({ content: `The ${topics.join(' and the ')}` }));
  await server.ok('add_memories_bulk', { target_brain_id: brain, memories });
  return brain;
}

test('memories with common topics are grouped, and others are not', async () => {
  const groups = await gather(buildMemories(12));
  expect(groups.map(({ memberIds }) => memberIds.length)).toEqual([12, 12, 12]);
  for (const { memberIds } of groups) expect(new Set(memberIds.map((id) => id.at(-1))).size).toBe(1);
});

test('the same memories always give the same groups, in any order of their topics', async () => {
  const memories = buildMemories(20);
  const [one, other] = [await gather(memories), await gather(memories.map((memory) => ({ ...memory })))];
  expect(one).toEqual(other);
});

test('a topic of all memories, or of only two, makes no constellation', async () => {
  const memories = Array.from({ length: 10 }, (_, number) => ({
    id: String(number),
    topics: ['company', `only ${Math.floor(number / 2)}`],
  }));
  expect(await gather(memories)).toEqual([]);
});

test('a brain has constellations with readable labels, and its memories name theirs', async () => {
  const brain = await createBrainOfSubjects('Labels', 12);
  await gatherBrain(gathering, workspaceId, brain);
  const found = await listAllConstellations(brain);
  expect(found).toHaveLength(3);
  for (const { label } of found) expect(label).toMatch(/^\p{L}+ · \p{L}+ · \p{L}+$/u);
  const [first] = found;
  const { memory } = await server.ok('get_memory', { id: first?.memory_ids[0] });
  expect(memory).toMatchObject({ constellation_id: first?.['id'] });
  const { nodes, constellations: shown } = await server.ok('get_memory_graph', { brain_id: brain });
  expect(nodes).toHaveLength(36);
  expect((shown as Body[]).map(({ id }) => id).toSorted()).toEqual(found.map(({ id }) => id).toSorted());
  const loaded = await server.ok('load_brain', { brain_id: brain, max_tokens: 20_000 });
  expect(loaded['constellations']).toHaveLength(3);
});

test('grouping again changes nothing; a few more memories change no id and no label', async () => {
  const brain = await createBrainOfSubjects('Stable', 12);
  await gatherBrain(gathering, workspaceId, brain);
  const before = await listAllConstellations(brain);
  await gatherBrain(gathering, workspaceId, brain);
  expect(await listAllConstellations(brain)).toEqual(before);
  for (const content of [
    'The violin and the conductor',
    'The violin and the rehearsal',
    'The orchestra and the violin',
  ])
    await server.ok('add_memory', { content, target_brain_id: brain });
  await gatherBrain(gathering, workspaceId, brain);
  const after = await listAllConstellations(brain);
  const names = (all: Body[]) => all.map(({ id, label }) => `${String(id)} ${String(label)}`).toSorted();
  expect(names(after)).toEqual(names(before));
  expect(after.map(({ memory_count }) => memory_count)).toEqual([15, 12, 12]);
});

test('two servers that group at once leave one set of constellations', async () => {
  const brain = await createBrainOfSubjects('Twice', 10);
  await Promise.all([gatherBrain(gathering, workspaceId, brain), gatherBrain(gathering, workspaceId, brain)]);
  expect(await listAllConstellations(brain)).toHaveLength(3);
});

test('a subject whose memories were archived is no longer a constellation', async () => {
  const brain = await createBrainOfSubjects('Gone', 4);
  await gatherBrain(gathering, workspaceId, brain);
  const [first] = await listAllConstellations(brain);
  for (const id of first?.memory_ids ?? []) await server.ok('archive_memory', { id });
  await gatherBrain(gathering, workspaceId, brain);
  expect(await listAllConstellations(brain)).toHaveLength(2);
  const rows = await database.rows('select id from memory_constellations where brain_id = $1', [brain]);
  expect(rows).toHaveLength(2);
});

test('only brains with enough changes are grouped', async () => {
  const brain = await createBrainOfSubjects('Stale', 12);
  expect(await gatherStale(gathering, workspaceId)).toContain(brain);
  expect(await gatherStale(gathering, workspaceId)).not.toContain(brain);
  await server.ok('add_memory', { content: 'One more', target_brain_id: brain });
  expect(await gatherStale(gathering, workspaceId)).not.toContain(brain);
  const later = { ...gathering, now: () => new Date(Date.now() + 60 * 60_000) };
  expect(await gatherStale(later, workspaceId)).toContain(brain);
});

test('a large brain with few changes waits longer', () => {
  const now = new Date('2026-01-01T12:00:00Z');
  const gathered_at = new Date('2026-01-01T11:45:00Z');
  expect(isStale({ gathered_at, memories: 1_000, changes: 1 }, now)).toBe(true);
  expect(isStale({ gathered_at, memories: 50_000, changes: 1 }, now)).toBe(false);
  expect(isStale({ gathered_at, memories: 1_000, changes: 0 }, now)).toBe(false);
  expect(isStale({ gathered_at: now, memories: 100, changes: 20 }, now)).toBe(true);
});

test('a group keeps the id of the constellation with which it shares most, one each', () => {
  const before = new Map([...'abcdef'].map((id) => [id, id < 'd' ? 'old' : 'other']));
  const group = (ids: string) => ({ topics: [], memberIds: [...ids] });
  expect(matchGroups([group('abx'), group('cde')], before)).toEqual(
    new Map([
      [0, 'old'],
      [1, 'other'],
    ]),
  );
  expect(matchGroups([group('xyz')], before)).toEqual(new Map());
});

test('other calls run in between while 50,000 memories are grouped', async () => {
  const memories: TopicalMemory[] = Array.from({ length: 50_000 }, (_, number) => ({
    id: String(number).padStart(6, '0'),
    topics: Array.from({ length: 8 }, (_each, at) => `topic ${(number % 40) * 30 + ((number * (at + 3)) % 30)}`),
  }));
  let turnsOfOthers = 0;
  let isGathering = true;
  const other = () => {
    turnsOfOthers += 1;
    if (isGathering) setImmediate(other);
  };
  setImmediate(other);
  const groups = await gather(memories);
  isGathering = false;
  expect(groups.length).toBeGreaterThan(5);
  expect(turnsOfOthers).toBeGreaterThan(20);
});
