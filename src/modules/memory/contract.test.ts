// Limits, order and answers of memory (ZB-026, 033 to 036, 038, 039, 042, 046).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

type FoundMemory = { id: string; content: string; type: string };
const listIds = (memories: unknown) => (memories as FoundMemory[]).map(({ id }) => id);
const createBrain = async (name: string, more: object = {}) =>
  String((await server.ok('create_brain', { name, ...more }))['brain_id']);
const collectStatuses = (operation: string, inputs: readonly object[]) =>
  Promise.all(inputs.map(async (input) => (await server.call(operation, input)).status));

async function store(target_brain_id: string, contents: readonly string[], more: object = {}): Promise<string[]> {
  const memories = contents.map((content) => ({ content, ...more }));
  return listIds((await server.ok('add_memories_bulk', { target_brain_id, memories }))['memories']);
}

describe('search_memory', () => {
  let brain_id: string;
  beforeAll(async () => {
    brain_id = await createBrain('Search');
    await store(
      brain_id,
      Array.from({ length: 30 }, (_, number) => `The lighthouse keeper wrote entry ${number}`),
    );
  });
  const found = async (more: object) =>
    listIds((await server.ok('search_memory', { q: 'lighthouse keeper', brain_id, ...more }))['memories']);

  test('returns ten by default, and twenty at most', async () => {
    expect(await found({})).toHaveLength(10);
    expect(await found({ limit: 20 })).toHaveLength(20);
    expect(await found({ limit: 3 })).toHaveLength(3);
    const bad = [{}, { q: '' }, { q: 'x', limit: 21 }, { q: 'x', limit: 0 }, { q: 'x', offset: -1 }];
    expect(await collectStatuses('search_memory', bad)).toEqual(bad.map(() => 422));
  });

  test('continues after the offset, with each memory once', async () => {
    const pages = [
      await found({ limit: 10 }),
      await found({ limit: 10, offset: 10 }),
      await found({ limit: 20, offset: 20 }),
    ];
    expect(pages.map((page) => page.length)).toEqual([10, 10, 10]);
    expect(new Set(pages.flat()).size).toBe(30);
    expect(await found({ limit: 20 })).toEqual(pages.slice(0, 2).flat());
  });

  test('returns only the requested brain, type and source', async () => {
    const other = await createBrain('Other search');
    const [elsewhere] = await store(other, ['The lighthouse keeper moved']);
    const decided = await server.ok('add_memory', {
      content: 'The lighthouse keeper decided',
      target_brain_id: brain_id,
      type: 'decision',
      thread_id: 'log',
    });
    expect(await found({ limit: 20, offset: 20 })).not.toContain(elsewhere);
    expect(await found({ type: 'decision' })).toEqual([decided['id']]);
    expect(await found({ source: 'nowhere' })).toEqual([]);
  });
});

describe('list_memories', () => {
  test('returns the newest first with a total, fifty by default and a hundred at most', async () => {
    const brain_id = await createBrain('List');
    const stored: string[] = [];
    for (let batch = 0; batch < 4; batch += 1)
      stored.push(
        ...(await store(
          brain_id,
          Array.from({ length: 30 }, (_, n) => `Entry ${batch * 30 + n}`),
        )),
      );
    const all = await server.ok('list_memories', { brain_id, limit: 100 });
    expect(all['total']).toBe(120);
    expect(listIds(all['memories'])).toHaveLength(100);
    expect(new Set(listIds(all['memories']).slice(0, 30))).toEqual(new Set(stored.slice(90)));
    expect(listIds((await server.ok('list_memories', { brain_id }))['memories'])).toEqual(
      listIds(all['memories']).slice(0, 50),
    );
    const rest = await server.ok('list_memories', { brain_id, limit: 100, offset: 100 });
    expect(new Set([...listIds(all['memories']), ...listIds(rest['memories'])])).toEqual(new Set(stored));
    const bad = [{ limit: 101 }, { limit: 0 }, { offset: -1 }, { type: 'guess' }];
    expect(await collectStatuses('list_memories', bad)).toEqual(bad.map(() => 422));
  });

  test('returns only a brain and a type, and counts only those', async () => {
    const [brain_id, other] = [await createBrain('Typed'), await createBrain('Untyped')];
    await store(other, ['A decision elsewhere'], { type: 'decision' });
    const [decision] = await store(brain_id, ['We use oars'], { type: 'decision' });
    await store(brain_id, ['Oars are long'], { type: 'fact' });
    const listed = await server.ok('list_memories', { brain_id, type: 'decision' });
    expect(listed).toMatchObject({ total: 1, memories: [{ id: decision }] });
  });
});

test('a bulk import stores a hundred memories in one brain, returns id and type of each, and refuses more', async () => {
  const target_brain_id = await createBrain('Bulk');
  const memories = Array.from({ length: 100 }, (_, n) => ({ content: `Rope ${n}`, type: n % 2 ? 'fact' : 'decision' }));
  const answer = await server.ok('add_memories_bulk', { target_brain_id, memories });
  expect(answer.stored).toBe(100);
  const shown = answer.memories;
  expect(shown.map(({ type }) => type)).toEqual(memories.map(({ type }) => type));
  expect(new Set(listIds(shown)).size).toBe(100);
  expect(await server.ok('list_memories', { brain_id: target_brain_id, limit: 1 })).toMatchObject({ total: 100 });
  const more = [...memories, { content: 'One too many', type: 'fact' }];
  expect((await server.call('add_memories_bulk', { target_brain_id, memories: more })).status).toBe(422);
  expect((await server.call('add_memories_bulk', { target_brain_id, memories: [] })).status).toBe(422);
  expect(await server.ok('list_memories', { brain_id: target_brain_id, limit: 1 })).toMatchObject({ total: 100 });
});

test('an archived memory keeps its reason, and its replacement is linked as superseding', async () => {
  const brain_id = await createBrain('Archive');
  const [old, newer] = await store(brain_id, ['We sail on Monday', 'We sail on Tuesday']);
  await server.ok('archive_memory', { id: old, reason: 'The tide', superseded_by: newer });
  const { memory } = await server.ok('get_memory', { id: old });
  expect(memory).toMatchObject({ archive_reason: 'The tide', superseded_by: newer });
  const { links } = await server.ok('get_memory_graph', { brain_id }).then(
    (graph) => graph as { links: object[] },
    () => ({ links: [] }),
  );
  const shown = JSON.stringify([links, await server.ok('get_memory', { id: newer })]);
  expect(shown).toContain('supersedes');
  expect(listIds((await server.ok('list_memories', { brain_id }))['memories'])).toEqual([newer]);
});

describe('load_brain', () => {
  test('returns everything that a session needs at its start', async () => {
    const parent = await createBrain('Fleet');
    await server.ok('update_brain', { brain_id: parent, routing_rules: 'Ships stay here. Crews → Crew Brain.' });
    const brain_id = await createBrain('Schooner', { parent_brain_id: parent, description: 'All about the schooner' });
    await store(parent, ['Never sail in fog'], { type: 'constraint', salience: 'critical' });
    const triggers = [{ condition: 'painting the hull', reason: 'Lead' }];
    const [critical] = await store(brain_id, ['Never sail without a pilot'], { salience: 'critical', type: 'fact' });
    const [triggered] = await store(brain_id, ['Old paint holds lead'], { triggers });
    const before = await server.ok('load_brain', { brain_id });
    await server.ok('log_session', { session_id: before['session_id'], summary: 'Painted' });
    const loaded = await server.ok('load_brain', { brain_id, context: 'painting the hull today' });
    expect(loaded).toMatchObject({
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      brain: { id: brain_id, name: 'Schooner Brain', parent_brain_id: parent },
      recent_sessions: [{ session_id: before['session_id'], summary: 'Painted' }],
      stats: expect.any(Object),
      constellations: expect.any(Array),
      documentation_urls: expect.arrayContaining([expect.stringMatching(/^http/)]),
    });
    expect(listIds(loaded['critical_memories'])).toContain(critical);
    expect(listIds(loaded['triggered_memories'])).toEqual([triggered]);
    expect(listIds(loaded['active_context'])).toContain(triggered);
    expect(JSON.stringify(loaded['inherited_policies'])).toContain('Never sail in fog');
    expect(loaded['accessible_brains']).toContainEqual(
      expect.objectContaining({ id: parent, routing_rules: 'Ships stay here. Crews → Crew Brain.' }),
    );
    expect(loaded['accessible_brains']).toContainEqual(
      expect.objectContaining({ id: brain_id, description: 'All about the schooner' }),
    );
  });
});

test('brain_overview counts new items of its period, and shows decisions, constraints and conflicts', async () => {
  const brain_id = await createBrain('Overview');
  const [decision] = await store(brain_id, ['We chose canvas sails'], { type: 'decision' });
  const [constraint] = await store(brain_id, ['The crew must rest at noon'], { type: 'constraint' });
  await store(brain_id, ['The press holds 40 litres', 'The press holds 60 litres'], { type: 'fact' });
  const overview = await server.ok('brain_overview', { brain_id, days: 7 });
  expect(overview).toMatchObject({ period: { days: 7 }, memories_created: 4 });
  expect(listIds(overview['decisions'])).toEqual([decision]);
  expect(listIds(overview['constraints'])).toEqual([constraint]);
  expect(overview).toMatchObject({ constellations: [], ingestion_stats: [{ source: 'human', memories: 4 }] });
  const conflicts = async () => (await server.ok('brain_overview', { brain_id }))['conflicts'];
  await expect.poll(conflicts, { timeout: 40_000 }).toHaveLength(1); // linked in the background, once imports and searches pause
  expect(overview).toHaveProperty('priority_ingredients');
}, 60_000);
