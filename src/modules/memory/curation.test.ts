import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const store = async (content: string, more: Record<string, unknown> = {}) =>
  String((await server.ok('add_memory', { content, ...more }))['id']);
const createBrain = async (name: string) => String((await server.ok('create_brain', { name }))['brain_id']);
const narrowKey = async (brain: string) => {
  const made = await server.ok('create_key', { label: 'narrow', reach: 'brain', home_brain_id: brain });
  return String(made['key']);
};

test('a session hides brains that a narrow key may not read from that key', async () => {
  const [open, secret] = [await createBrain('Open'), await createBrain('Secret')];
  const hidden = await store('The audit of the lighthouse is on Monday', { target_brain_id: secret });
  const { session_id } = await server.ok('load_brain', { brain_id: open });
  await server.ok('search_memory', { q: 'audit lighthouse', brain_id: secret, session_id });
  const key = await narrowKey(open);
  const newMemory = { content: 'The audit of the lighthouse is on Friday', target_brain_id: open, session_id };
  const { status, body } = await server.call('add_memory', newMemory, { key });
  expect(status).toBe(200);
  expect(body).toMatchObject({ conflicts: [], strengthened: [] });
  expect((await server.ok('get_memory', { id: hidden }))['links']).toEqual([]);
});

test('figures of a brain are for people, and not for a narrow key', async () => {
  const brain = await createBrain('Counted');
  const key = await narrowKey(brain);
  for (const operation of ['brain_analytics', 'org_analytics']) {
    expect((await server.call(operation, { id: brain }, { key })).status).toBe(403);
    expect((await server.call(operation, { id: brain })).status).toBe(200);
  }
});

test('a retired memory shows its successor, and is live again when the successor is deleted with its brain', async () => {
  const elsewhere = await createBrain('Elsewhere');
  const [old, successor] = [
    await store('The gate opens at six'),
    await store('At seven', { target_brain_id: elsewhere }),
  ];
  await server.ok('archive_memory', { id: old, superseded_by: successor });
  const supersedes = { source_memory_id: successor, target_memory_id: old, relationship_type: 'supersedes' };
  for (const id of [old, successor]) {
    expect((await server.ok('get_memory', { id }))['links']).toEqual([expect.objectContaining(supersedes)]);
  }
  await server.ok('delete_brain', { brain_id: elsewhere, confirm: 'Elsewhere Brain' });
  await server.ok('restore_memory', { id: old });
  expect(JSON.stringify(await server.ok('search_memory', { q: 'gate opens' }))).toContain(old);
});

test('an archived memory cannot replace another, so that two cannot archive each other', async () => {
  const [one, other] = [await store('Red paint for the door'), await store('Blue paint for the fence')];
  await server.ok('archive_memory', { id: one, superseded_by: other });
  expect((await server.call('archive_memory', { id: other, superseded_by: one })).status).toBe(409);
});

test('a correction removes the notices about the former words, and reports duplicates and contradictions of the new ones', async () => {
  const brain_id = await createBrain('Corrected');
  const at = { target_brain_id: brain_id };
  await store('Invoices are archived in the blue cabinet', at);
  const twin = await store('Invoices are archived in the blue cabinet', at);
  const coffee = await store('The coffee machine has the code 4711', at);
  const pairs = async () => (await server.ok('list_duplicates', { brain_id }))['duplicates'] as unknown[];
  expect(await pairs()).toHaveLength(1);
  await server.ok('update_memory', { id: twin, content: 'the coffee machine has the code 4711!' });
  expect(JSON.stringify(await pairs())).toContain(coffee);
  expect(await pairs()).toHaveLength(1);
});

test.each([
  ['We write the parser in C++', 'We write the parser in C#'],
  ['Alert when the load is > 5', 'Alert when the load is < 5'],
])('the text «%s» is not a duplicate of «%s»', async (one, other) => {
  const target_brain_id = await createBrain('Signs');
  await store(one, { target_brain_id });
  expect(await server.ok('add_memory', { content: other, target_brain_id })).toMatchObject({ duplicate_of: null });
});

test('a brain can be named by `id` too, as in its routes', async () => {
  const id = await createBrain('Named');
  expect((await server.call('update_brain', { id, description: 'Names' })).status).toBe(200);
  expect((await server.call('list_members', { id })).status).toBe(200);
  expect((await server.call('list_members', { id, brain_id: id })).status).toBe(422);
});
