// A server that is killed at each step from an event's insert to the row of its last delivery: each event is stored once and arrives.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';

const key = `cm_${'webhookkey'.repeat(4)}`;
const code = `function translate({ body }) {
  for (const end = Date.now() + (body.slow ?? 0); Date.now() < end; );
  return { documents: [{ content: body.text, source_id: body.text }] }; }`;

type ReceivedWebhook = { id: string; body: string };

/** A receiver that answers after a moment, so that a kill finds a delivery under way. */
async function startReceiver() {
  const arrived: ReceivedWebhook[] = [];
  const begun: string[] = [];
  const http = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    begun.push(body);
    if (body.includes('hold')) await sleep(200);
    arrived.push({ id: String(request.headers['webhook-id']), body });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo; // it listens on a port
  return { url: `http://127.0.0.1:${port}`, arrived, begun, close: () => http.closeAllConnections() ?? http.close() };
}

async function setUp(server: ServerProcess, receiverUrl: string): Promise<string> {
  const { brain_id } = await server.ok('create_brain', { name: 'Lighthouse' });
  const given = { name: 'Sender', brain_id, signature_scheme: 'none', translator_code: code };
  const { connector_id, webhook_slug } = await server.ok('create_webhook_connector', given);
  const fixture = { fixture_name: 'Usual', fixture_raw_body: '{"text":"x"}', fixture_expected_outcome: 'ingest' };
  const of = { webhook_connector_id: connector_id };
  const { fixture_id } = await server.ok('add_webhook_test_fixture', { ...of, ...fixture });
  await server.ok('test_webhook_translator', { fixture_id });
  await server.ok('activate_webhook_connector', of);
  const to = { output_destination_url: `${receiverUrl}/in`, output_destination_kind: 'webhook' };
  const { output_destination_id } = await server.ok('register_output_destination', { name: 'Receiver', ...to });
  const from = { output_source_kind: 'webhook_connector', output_source_id: connector_id };
  await server.ok('attach_output_route', { ...from, output_destination_id, output_payload_format: 'translated_docs' });
  return `/v1/webhook/${webhook_slug}`;
}

async function waitUntilTrue(isSo: () => Promise<boolean> | boolean, what: string): Promise<void> {
  for (const giveUpAt = Date.now() + 60_000; !(await isSo()); await sleep(5))
    if (Date.now() > giveUpAt) throw new Error(`${what} never happened`);
}

/** After a kill, no lease may remain. */
async function endLeases(database: OwnerDatabase): Promise<void> {
  await database.rows('update webhook_connectors set lease_until = now() where lease_until is not null');
  await database.rows('update output_deliveries set lease_until = now() where lease_until is not null');
}

type World = { database: OwnerDatabase; arrived: ReceivedWebhook[]; begun: string[] };
/** When the server is killed: by what the database or the receiver shows. */
const steps: readonly (readonly [
  name: string,
  slow: number,
  isReached: (world: World, text: string) => Promise<boolean> | boolean,
])[] = [
  ['the answer', 0, () => true],
  [
    'the translation',
    600,
    ({ database }) => has(database, `select id from webhook_events where outcome = 'received' and attempts > 0`),
  ],
  ['the documents', 0, ({ database }, text) => has(database, `select id from memories where content = '${text}'`)],
  ['the delivery', 0, ({ begun }, text) => begun.some((body) => body.includes(text))],
  ['the receiver’s answer', 0, ({ arrived }, text) => arrived.some(({ body }) => body.includes(text))],
  [
    'the delivery’s row',
    0,
    ({ database }) => has(database, `select id from output_deliveries where status = 'delivered'`),
  ],
];
const has = async (database: OwnerDatabase, query: string) => (await database.rows(query)).length > 0;

test('an event is stored once and arrives under one id, at whichever step the server is killed', async () => {
  const [testDatabase, receiver] = [await createTestDatabase(), await startReceiver()];
  const database = await openAsOwner(testDatabase.connectionString);
  const settings = {
    ...buildServerSettings(testDatabase.connectionString),
    THALAMUS_RATE_LIMIT: '1000000',
    THALAMUS_EGRESS_ALLOW: receiver.url,
  };
  let server = await startServerProcess(settings, key);
  try {
    const path = await setUp(server, receiver.url);
    for (const [name, slow, isReached] of steps) {
      const text = `Killed after ${name}, hold`;
      await database.rows(`update output_deliveries set status = 'failed' where status = 'delivered'`);
      const { status } = await server.request(path, { method: 'POST', body: JSON.stringify({ text, slow }) });
      expect(status).toBe(202);
      await waitUntilTrue(() => isReached({ database, ...receiver }, text), name);
      await server.kill();
      await endLeases(database);
      server = await startServerProcess(settings, key);
      const ofEvent = `select status from output_deliveries join webhook_events on webhook_events.id = event_id
        where convert_from(body, 'UTF8') like '%' || $1 || '%' and status in ('delivered', 'failed')`;
      await waitUntilTrue(
        async () => (await database.rows(ofEvent, [text])).length === 1,
        `the delivery after ${name}`,
      );
      expect(await database.rows('select id from memories where content = $1', [text]), name).toHaveLength(1);
      const ids = new Set(receiver.arrived.filter(({ body }) => body.includes(text)).map(({ id }) => id));
      expect(ids.size, name).toBe(1);
    }
  } finally {
    await server.stop();
    await database.close();
    receiver.close();
    await testDatabase.drop();
  }
}, 300_000);
