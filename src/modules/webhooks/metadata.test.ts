import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let path: string;
beforeAll(async () => {
  server = await startTestServer();
  const { brain_id } = await server.ok('create_brain', { name: 'Quay' });
  const made = await server.ok('create_webhook_connector', { name: 'Gauge', brain_id, signature_scheme: 'none' });
  path = new URL(made.ingest_url).pathname;
  await server.ok('update_webhook_config', {
    webhook_connector_id: made.connector_id,
    translator_code: 'function translate({ body }) { return { documents: [body] }; }',
  });
  const fixture = {
    fixture_name: 'Usual',
    fixture_raw_body: '{"content":"x","source_id":"0"}',
    fixture_expected_outcome: 'ingest',
  };
  const { fixture_id } = await server.ok('add_webhook_test_fixture', {
    webhook_connector_id: made.connector_id,
    ...fixture,
  });
  await server.ok('test_webhook_translator', { fixture_id });
  await server.ok('activate_webhook_connector', { webhook_connector_id: made.connector_id });
});
afterAll(() => server.close());

async function send(document: object) {
  const headers = { 'content-type': 'application/json' };
  const response = await server.request(path, { method: 'POST', headers, body: JSON.stringify(document) });
  const { event_id: webhook_event_id } = (await response.json()) as { event_id: string };
  const outcome = async () => (await server.ok('get_webhook_event', { webhook_event_id })).outcome;
  await expect.poll(outcome, { timeout: 10_000 }).not.toBe('received');
  return server.ok('get_webhook_event', { webhook_event_id });
}
const searchMemories = async (q: string) => (await server.ok('search_memory', { q })).memories;

test('metadata, type and tags of a translator reach the memory, and search finds it by them', async () => {
  const content = 'The tide gauge at the north pier stands at four metres.';
  const metadata = { severity: 'S2', station: { code: 'zq-77' } };
  await send({ content, source_id: '1', type: 'incident', tags: ['flood', 'north'], metadata });
  const [memory] = await searchMemories('tide gauge');
  expect(memory).toMatchObject({
    content,
    metadata: { severity: 'S2', station: { code: 'zq-77' }, type: 'incident', tags: ['flood', 'north'] },
    topics: expect.arrayContaining(['flood', 'north']),
  });
  for (const q of ['flood', 'incident', 'zq-77']) expect((await searchMemories(q))[0]?.id, q).toBe(memory?.id);
});

test('a type that memories can have becomes the type of the memory', async () => {
  await send({ content: 'The ferry leaves at six.', source_id: '2', type: 'decision' });
  expect((await searchMemories('ferry leaves'))[0]).toMatchObject({ type: 'decision', metadata: { type: 'decision' } });
});

test('an item that is sent again with other metadata becomes a newer version, and with the same metadata is unchanged', async () => {
  const document = { content: 'Crane four is being repaired.', source_id: '3', metadata: { status: 'open' } };
  const actions = async (more: object) =>
    (await send({ ...document, ...more })).ingested_documents.map(({ action }) => action);
  expect(await actions({})).toEqual(['created']);
  expect(await actions({ seen: 2 })).toEqual(['unchanged']);
  expect(await actions({ metadata: { status: 'done' } })).toEqual(['superseded']);
  const memories = await searchMemories('crane four');
  expect(memories.map((each) => each.metadata).filter((each) => each?.['status'])).toEqual([{ status: 'done' }]);
});

test('a memory without metadata has no such field', async () => {
  await server.ok('add_memory', { content: 'The lighthouse is white.' });
  expect((await searchMemories('lighthouse'))[0]).not.toHaveProperty('metadata');
});

test('metadata that is too long fails its document with the reason', async () => {
  const { ingested_documents: documents, detail } = await send({
    content: 'Long.',
    source_id: '4',
    metadata: { a: 'x'.repeat(20_001) },
  });
  expect(JSON.stringify([documents, detail])).toContain('20000 characters of JSON or fewer');
});
