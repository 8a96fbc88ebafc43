import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInOwner, type SignedIn } from '../../../tests/support/colleague.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let ada: SignedIn;
let brainId: string;
let agent: { key: string };
const scopes = ['connectors:read', 'connectors:write', 'brains:read', 'memory:write'];
beforeAll(async () => {
  server = await startTestServer({ THALAMUS_OWNER_EMAIL: 'ada@example.com' });
  database = await openAsOwner(server.connectionString);
  ada = await signInOwner(server, database);
  brainId = String((await ada.ok('create_brain', { name: 'Lighthouse' }))['brain_id']);
  agent = { key: String((await ada.ok('create_key', { label: 'Bot', reach: 'owner', scopes }))['key']) };
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const secret = 'a-long-random-text-for-tests';
const computeHmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');

test("an agent never reads a webhook's signature: not in events, samples and fixtures, not through a translator, nor through another header setting", async () => {
  const given = { name: 'Tide', brain_id: brainId, signature_scheme: 'hmac_sha256', webhook_secret: secret };
  const signature_settings = { header: 'X-Tide-Proof' };
  const made = await server.ok('create_webhook_connector', { ...given, signature_settings });
  const id = made.connector_id;
  const body = '{"level":3}';
  const signature = computeHmac(body);
  const headers = { 'x-tide-proof': signature, 'x-other-signature': signature, 'x-tide-kind': 'spring' };
  const path = `/v1/webhook/${made.webhook_slug}?signature=${signature}`;
  const sent = await server.request(path, { method: 'POST', body, headers });
  expect(sent.status).toBe(202);
  const { event_id: webhook_event_id } = (await sent.json()) as { event_id: string };

  const translator_code =
    'function translate({ headers, query }) { return { documents: [{ content: JSON.stringify({ headers, query }) }] }; }';
  const moved = { webhook_connector_id: id, signature_settings: { header: 'X-Elsewhere' }, translator_code };
  await server.ok('update_webhook_config', moved, agent);
  const fixture = { webhook_connector_id: id, fixture_name: 'Kept', webhook_event_id };
  const { fixture_id } = await server.ok(
    'add_webhook_test_fixture',
    { ...fixture, fixture_expected_outcome: 'ingest' },
    agent,
  );
  const event = await server.ok('get_webhook_event', { webhook_event_id }, agent);
  expect(event.headers).toMatchObject({ 'x-tide-proof': '[blanked]', 'x-tide-kind': 'spring' });
  const answers = [
    event,
    await server.ok('get_webhook_samples', { webhook_connector_id: id }, agent),
    await server.ok('list_webhook_test_fixtures', { webhook_connector_id: id }, agent),
    await server.ok('test_webhook_translator', { fixture_id }, agent),
  ];
  expect(answers[3]).toMatchObject({ passed: true, first_document_preview: expect.stringContaining('spring') });
  expect(JSON.stringify(answers)).not.toContain(signature);

  // A person and their own script see it, to check it in their own program.
  expect((await ada.ok('get_webhook_event', { webhook_event_id }))['headers']).toMatchObject({
    'x-tide-proof': signature,
  });
});

test('the address of an unsigned connector is returned once, then only to its owner at the console; proxies do not repeat it', async () => {
  const given = {
    name: 'Open',
    brain_id: brainId,
    signature_scheme: 'none',
    translator_code: 'function translate() {}',
  };
  const made = await server.ok('create_webhook_connector', given, agent);
  const { connector_id: webhook_connector_id, webhook_slug: slug, ingest_url } = made;
  const headers = { 'x-original-uri': `/v1/webhook/${slug}`, referer: ingest_url };
  const sent = await server.request(`/v1/webhook/${slug}`, { method: 'POST', body: '{}', headers });
  const { event_id } = (await sent.json()) as { event_id: string };
  const own = { webhook_connector_id };
  const answers = [
    await server.ok('get_webhook_connector', own, agent),
    await server.ok('list_webhook_connectors', {}, agent),
    await server.ok('update_webhook_config', { ...own, name: 'Opened' }, agent),
    await server.ok('get_webhook_event', { webhook_event_id: event_id }, agent),
    await server.ok('get_webhook_connector', own), // the owner's key is not a person at the console
    await ada.ok('list_webhook_connectors'),
  ];
  expect(JSON.stringify(answers)).not.toContain(slug);
  const note = expect.stringContaining(
    `Its owner finds it at the console: http://localhost:${new URL(server.url).port}/webhooks/`,
  );
  expect(answers[0]).toMatchObject({ ingest_url: null, ingest_url_note: note });
  expect((await ada.ok('get_webhook_connector', own))['ingest_url']).toBe(ingest_url);
  expect(await database.rows('select slug from webhook_connectors where id = $1', [webhook_connector_id])).toEqual([
    { slug: null },
  ]);
});

test('a connector with signatures returns its address, until it accepts unsigned requests', async () => {
  const given = { name: 'Signed', brain_id: brainId, signature_scheme: 'hmac_sha256', webhook_secret: secret };
  const { connector_id: webhook_connector_id, ingest_url } = await server.ok('create_webhook_connector', given, agent);
  const own = { webhook_connector_id };
  const shown = async () => (await server.ok('get_webhook_connector', own, agent)).ingest_url;
  expect(await shown()).toBe(ingest_url);
  await server.ok('update_webhook_config', { ...own, signature_scheme: 'none' }, agent);
  expect(await shown()).toBeNull();
  expect((await ada.ok('get_webhook_connector', own))['ingest_url']).toBe(ingest_url);
});
