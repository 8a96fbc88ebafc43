import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { addPerson } from '../../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';
import { waitForDueJobs } from '../../../../tests/support/time-passes.ts';

let server: TestServer;
let database: OwnerDatabase;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

type Body = Record<string, unknown>;
type Pair = { kind: string; memory: { id: string }; duplicate_of: { id: string } };

const add = (content: string, more: Body = {}) => server.ok('add_memory', { content, ...more });
const createBrain = async (name: string) => (await server.ok('create_brain', { name }))['brain_id'];
const listPairs = async (brain_id: unknown): Promise<Pair[]> =>
  (await server.ok('list_duplicates', { brain_id }))['duplicates'] as Pair[];
const readTables = async () => {
  const { memories, memory_links, memory_trigger_words } = await readRelevantRows();
  return { memories, memory_links, memory_trigger_words };
};

/** The rows once nothing is linked in the background any more. */
async function waitUntilLinked() {
  await waitForDueJobs(server.connectionString); // links are added automatically, after the answer
  let last = await readTables();
  for (let equal = 0; equal < 5; equal += 1) {
    await sleep(100);
    const now = await readTables();
    if (!isDeepStrictEqual(now, last)) equal = 0;
    last = now;
  }
  return last;
}

/** Rows without the transaction that wrote them. */
async function readRelevantRows(): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  for (const table of ['memories', 'memory_links', 'memory_trigger_words']) {
    const rows = await database.rows(`select (to_jsonb(t) - 'changed_xact')::text as row from ${table} t order by 1`);
    all[table] = rows.map(({ row }) => row);
  }
  return all;
}

test('the same text is stored again and reported, whatever its letter case and punctuation', async () => {
  const first = await add('The kiln is cleaned on Mondays');
  const second = await add('the kiln is cleaned, on mondays!');
  expect(first['duplicate_of']).toBeNull();
  expect(second).toMatchObject({ duplicate_of: first['id'], duplicates: [{ id: first['id'], kind: 'exact' }] });
  expect(second['message']).toContain('A duplicate was already stored');
  expect(await server.ok('get_memory', { id: second['id'] })).toHaveProperty('memory.id', second['id']);
});

test('a near duplicate is reported, and a contradiction is not a duplicate', async () => {
  const brain = { target_brain_id: await createBrain('Nearly') };
  const first = await add('The tide table of the eastern harbour hangs beside the blue door', brain);
  const near = await add('The tide table of the eastern harbour now hangs beside the blue door', brain);
  expect(near['duplicates']).toEqual([{ id: first['id'], kind: 'near', similarity: expect.any(Number) }]);
  await add('The ferry to the eastern island leaves at 9:30 each morning', brain);
  const contrary = await add('The ferry to the eastern island leaves at 10:30 each morning', brain);
  expect(contrary).toMatchObject({ duplicates: [], conflicts: [{ reason: expect.stringContaining('10:30') }] });
});

test('a bulk call reports duplicates among its own memories and of stored ones', async () => {
  const brain = await createBrain('Bulk');
  const { id } = await add('Lanterns are lit at dusk', { target_brain_id: brain });
  const contents = ['Lanterns are lit at dusk', 'Orchids need shade', 'Orchids need shade', 'Walnuts float'];
  const memories = contents.map((content) => ({ content }));
  const stored = await server.ok('add_memories_bulk', { target_brain_id: brain, memories });
  const [known, orchid] = stored['memories'] as Body[];
  expect(known).toMatchObject({ duplicate_of: id });
  expect(stored).toMatchObject({
    stored: 4,
    duplicates: 2,
    memories: [{}, { duplicate_of: null }, { duplicate_of: orchid?.['id'] }, { duplicate_of: null }],
  });
  expect(await listPairs(brain)).toHaveLength(2);
});

test('of the same text stored many times at once, all but one are reported', async () => {
  const brain = await createBrain('Rush');
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => add('Everybody says this at once', { target_brain_id: brain })),
  );
  expect(answers.filter((answer) => answer['duplicate_of'] === null)).toHaveLength(1);
  expect(await listPairs(brain)).toHaveLength(7);
});

test('a dismissed pair is not listed again, and cannot be dismissed twice; a dismissal can be undone', async () => {
  const brain = await createBrain('Dismissed');
  const one = await add('There are two offices in Porto', { target_brain_id: brain });
  const two = await add('There are two offices in Porto.', { target_brain_id: brain });
  const pair = { memory_id: one['id'], duplicate_of: two['id'] };
  await server.ok('dismiss_duplicate', pair);
  expect(await listPairs(brain)).toEqual([]);
  expect(await server.call('dismiss_duplicate', pair)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect(await server.ok('undo_dismissal', pair)).toEqual(pair);
  expect(await listPairs(brain)).toHaveLength(1);
  await server.ok('dismiss_duplicate', pair);
});

test('a merge keeps one memory with all topics, triggers and links; undoing it restores every row', async () => {
  const brain = { target_brain_id: await createBrain('Merged') };
  const trigger = (condition: string) => ({ triggers: [{ condition, reason: 'It was measured' }] });
  const keep = await add('Saffron is bought in Mancha', { ...brain, ...trigger('buying spices') });
  const other = await add('Saffron is bought in Mancha', { ...brain, ...trigger('visiting Mancha') });
  const third = await add('The saffron supplier of Mancha is Garcia Hermanos', brain);
  const far = await add('Paella night is on Thursday', brain);
  await server.ok('link_memories', {
    source_memory_id: far['id'],
    target_memory_id: other['id'],
    relationship_type: 'depends_on',
  });
  const before = await waitUntilLinked();
  const retire_ids = [other['id'], third['id']];
  const { merge_id, links_carried } = await server.ok('merge_memories', { keep_id: keep['id'], retire_ids });
  expect(links_carried).toBeGreaterThan(0);
  expect(await listPairs(brain.target_brain_id)).toEqual([]);
  const { memory, links } = await server.ok('get_memory', { id: keep['id'] });
  expect(memory).toMatchObject({ triggers: [{ condition: 'buying spices' }, { condition: 'visiting Mancha' }] });
  expect((memory as { topics: string[] }).topics).toContain('Garcia Hermanos');
  expect(links).toContainEqual(
    expect.objectContaining({ source_memory_id: far['id'], relationship_type: 'depends_on' }),
  );
  const found = await server.ok('search_memory', { q: 'saffron', brain_id: brain.target_brain_id });
  expect((found['memories'] as Body[]).map(({ id }) => id)).toEqual([keep['id']]);

  const { restored } = await server.ok('undo_merge', { merge_id });
  expect(new Set(restored as string[])).toEqual(new Set(retire_ids));
  expect(await readTables()).toEqual(before);
  const again = await server.ok('search_memory', { q: 'saffron', brain_id: brain.target_brain_id });
  expect(again['memories']).toHaveLength(3);
  expect(await server.call('undo_merge', { merge_id })).toMatchObject({ status: 409 });
});

test('a merge that a later change builds on cannot be undone before that change', async () => {
  const brain = { target_brain_id: await createBrain('Chain') };
  const ids = [];
  for (const content of ['Glaciers melt', 'Glaciers are melting', 'The glaciers melt']) {
    ids.push((await add(content, brain))['id']);
  }
  const [a, b, c] = ids;
  const first = await server.ok('merge_memories', { keep_id: a, retire_ids: [b] });
  const second = await server.ok('merge_memories', { keep_id: c, retire_ids: [a] });
  const refused = await server.call('undo_merge', { merge_id: first['merge_id'] });
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'conflict', details: { change_id: second['merge_id'] } },
  });
  await server.ok('undo_merge', { merge_id: second['merge_id'] });
  await server.ok('undo_merge', { merge_id: first['merge_id'] });
});

test('undoing a merge keeps a later correction', async () => {
  const brain = { target_brain_id: await createBrain('Corrected') };
  const keep = await add('The violin is tuned', brain);
  const other = await add('The violin from Cremona is tuned weekly', brain);
  const { merge_id } = await server.ok('merge_memories', { keep_id: keep['id'], retire_ids: [other['id']] });
  await server.ok('update_memory', { id: keep['id'], content: 'The cello is tuned' });
  const refused = await server.call('undo_merge', { merge_id });
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('changed later') } });
});

test('a merge cannot be undone while the kept memory is in another brain', async () => {
  const brain = { target_brain_id: await createBrain('Left') };
  const keep = await add('The anchor weighs two tons', brain);
  const other = await add('The anchor from Bremen weighs two tons', brain);
  const { merge_id } = await server.ok('merge_memories', { keep_id: keep['id'], retire_ids: [other['id']] });
  const elsewhere = await createBrain('Elsewhere');
  await server.ok('move_memory', { memory_id: keep['id'], target_brain_id: elsewhere });
  const refused = await server.call('undo_merge', { merge_id });
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('move_memory') } });
  await server.ok('move_memory', { memory_id: keep['id'], target_brain_id: brain.target_brain_id });
  await server.ok('undo_merge', { merge_id });
});

test('two merges of the same memories at once: one succeeds, and the other gets a conflict', async () => {
  const brain = { target_brain_id: await createBrain('Twice') };
  const [a, b] = [await add('Compasses point north', brain), await add('Compasses point north.', brain)];
  const answers = await Promise.all([
    server.call('merge_memories', { keep_id: a['id'], retire_ids: [b['id']] }),
    server.call('merge_memories', { keep_id: b['id'], retire_ids: [a['id']] }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test('archiving is undone exactly; a merged memory is restored only with its merge', async () => {
  const brain = { target_brain_id: await createBrain('Restored') };
  const [old, fresh] = [await add('The logo is red', brain), await add('A turbine stands in the yard', brain)];
  const before = await readTables();
  await server.ok('archive_memory', { id: old['id'], reason: 'Rebranded', superseded_by: fresh['id'] });
  await server.ok('restore_memory', { id: old['id'] });
  expect(await readTables()).toEqual(before);
  expect(await server.call('restore_memory', { id: old['id'] })).toMatchObject({ status: 409 });
  const { merge_id } = await server.ok('merge_memories', { keep_id: fresh['id'], retire_ids: [old['id']] });
  const refused = await server.call('restore_memory', { id: old['id'] });
  expect(refused).toMatchObject({ status: 409, body: { details: { merge_id } } });
});

test('memories of different brains cannot be merged, nor one with itself', async () => {
  const here = await add('Orchids are watered on Sunday', { target_brain_id: await createBrain('Here') });
  const there = await add('Orchids are watered on Sunday', { target_brain_id: await createBrain('There') });
  const merge = (keep: { id: string }, retired: { id: string }) =>
    server.call('merge_memories', { keep_id: keep.id, retire_ids: [retired.id] });
  expect(await merge(here, there)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('move_memory') },
  });
  expect(await merge(here, here)).toMatchObject({ status: 422 });
});

test('another person neither sees nor undoes a merge in a brain of mine', async () => {
  const { key } = await addPerson(database);
  const personal = { a: await add('Only for me'), b: await add('Only for me') };
  const { merge_id } = await server.ok('merge_memories', { keep_id: personal.a['id'], retire_ids: [personal.b['id']] });
  expect(await server.call('undo_merge', { merge_id }, { key })).toMatchObject({ status: 404 });
  expect(await server.ok('list_duplicates', {}, { key })).toEqual({ duplicates: [], has_more: false });
});
