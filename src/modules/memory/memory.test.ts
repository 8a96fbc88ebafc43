import type { Output } from '#sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const listIds = (body: Output<'search_memory' | 'list_memories'>) => body.memories.map((memory) => memory.id);

test('the next search finds a stored memory', async () => {
  const { id } = await server.ok('add_memory', { content: 'The invoice run happens on the third Tuesday' });
  const found = await server.ok('search_memory', { q: 'when is the invoice run' });
  expect(listIds(found)[0]).toBe(id);
});

test('type and salience are inferred when the caller omits them', async () => {
  expect(await server.ok('add_memory', { content: 'We decided to ship on Friday' })).toMatchObject({
    type: 'decision',
    salience: 'elevated',
  });
  expect(await server.ok('add_memory', { content: 'Never log a password' })).toMatchObject({
    type: 'constraint',
    salience: 'critical',
  });
  expect(await server.ok('add_memory', { content: 'The office is in Lisbon' })).toMatchObject({
    type: 'fact',
    salience: 'normal',
  });
});

test('pages of a list contain each memory once, newest first', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Read page by page' });
  const contents = Array.from({ length: 7 }, (_, at) => ({ content: `Ledger sheet ${at} is in drawer ${at}` }));
  const { memories } = await server.ok('add_memories_bulk', { memories: contents, target_brain_id: brain_id });
  const pages: string[] = [];
  for (let offset = 0; offset < 9; offset += 3)
    pages.push(...listIds(await server.ok('list_memories', { brain_id, limit: 3, offset })));
  expect(pages).toHaveLength(7);
  expect(pages.toSorted()).toEqual((memories as { id: string }[]).map(({ id }) => id).toSorted());
  expect(pages).toEqual(listIds(await server.ok('list_memories', { brain_id, limit: 100 })));
});

test('bulk storing keeps the order of the input in its answer', async () => {
  const contents = Array.from({ length: 100 }, (_, position) => ({ content: `Bulk memory number ${position}` }));
  const { memories, stored } = await server.ok('add_memories_bulk', { memories: contents });
  expect(stored).toBe(100);
  const listed = await server.ok('list_memories', { limit: 100 });
  const byId = new Map(
    (listed['memories'] as { id: string; content: string }[]).map((memory) => [memory.id, memory.content]),
  );
  expect((memories as { id: string }[]).map((memory) => byId.get(memory.id))).toEqual(
    contents.map((memory) => memory.content),
  );
});

test('an archived memory is neither listed nor found, and is linked to its successor', async () => {
  const old = await server.ok('add_memory', { content: 'Quarterly zebra report goes to Ana' });
  const successor = await server.ok('add_memory', { content: 'Quarterly zebra report goes to Bo' });
  await server.ok('archive_memory', { id: old['id'], reason: 'Ana left', superseded_by: successor['id'] });
  const found = await server.ok('search_memory', { q: 'quarterly zebra report' });
  expect(listIds(found)).toEqual([successor['id']]);
  expect((await server.call('archive_memory', { id: old['id'] })).status).toBe(409);
});

test('memories about the same subject are linked, and search hits name the link', async () => {
  const first = await server.ok('add_memory', { content: 'The payments gateway uses Adyen webhooks for chargebacks' });
  const second = await server.ok('add_memory', {
    content: 'Adyen webhooks for chargebacks time out at the payments gateway',
  });
  expect(second['auto_linked_to']).toEqual([first['id']]);
  const { graph_connections } = await server.ok('search_memory', { q: 'Adyen chargebacks' });
  expect(graph_connections).toContainEqual({
    source_memory_id: second['id'],
    target_memory_id: first['id'],
    relationship_type: 'relates_to',
  });
});

test('the next session sees a logged session', async () => {
  const { session_id } = await server.ok('load_brain');
  await server.ok('log_session', { session_id, summary: 'Moved the queue to Postgres' });
  const { recent_sessions } = await server.ok('load_brain');
  expect(recent_sessions).toContainEqual(
    expect.objectContaining({ session_id, summary: 'Moved the queue to Postgres' }),
  );
});

test('a trigger adds a memory to the hits when its condition fits the context', async () => {
  const { id } = await server.ok('add_memory', {
    content: 'Thompson sampling is the chosen algorithm',
    triggers: [{ condition: 'working on play card selection or A/B testing', reason: 'It was measured' }],
  });
  const fitting = await server.ok('load_brain', { context: 'I am about to change play card selection' });
  expect(fitting['triggered_memories']).toEqual([expect.objectContaining({ id })]);
  const other = await server.ok('load_brain', { context: 'Writing the release notes' });
  expect(other['triggered_memories']).toEqual([]);
});

test('a search in a child brain also finds a memory of the parent, and a narrow key sees no sibling', async () => {
  const parent = await server.ok('create_brain', { name: 'Sales', description: 'Sales strategy' });
  const [child, sibling] = await Promise.all(
    ['Outbound', 'Support'].map((name) => server.ok('create_brain', { name, parent_brain_id: parent['brain_id'] })),
  );
  expect(child?.['name']).toBe('Outbound Brain');
  const store = (content: string, brain: unknown) => server.ok('add_memory', { content, target_brain_id: brain });
  const inherited = await store('Giraffe discounts need approval', parent['brain_id']);
  await store('Giraffe discounts are for support only', sibling?.['brain_id']);
  const { key } = await server.ok('create_key', {
    label: 'narrow',
    home_brain_id: child?.['brain_id'],
    reach: 'brain',
  });
  const found = await server.ok('search_memory', { q: 'giraffe discounts' }, { key: String(key) });
  expect(listIds(found)).toEqual([inherited['id']]);
  const refused = await server.call('search_memory', { q: 'x', brain_id: sibling?.['brain_id'] }, { key: String(key) });
  expect(refused.status).toBe(404);
});
