// Many senders that retry, three servers that are killed in turn: each accepted event is stored once and arrives under one id.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openAsOwner } from '../support/owner-database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';

/** `WEBHOOK_EVENTS=20000` sends as many as the product promises, which takes long. */
const events = Number(process.env['WEBHOOK_EVENTS'] ?? 2_000);
const senders = 64;
const kills = 6;
const key = `cm_${'webhookkey'.repeat(4)}`;
const translator_code =
  'function translate({ body }) { return { documents: [{ content: body.text, source_id: body.text }] }; }';

/** The ids under which each text arrived. */
async function startReceiver() {
  const ids = new Map<string, Set<string>>();
  let times = 0;
  const http = createServer(async (request, response) => {
    const [text = ''] = /Event \d+\./.exec((await buffer(request)).toString()) ?? [];
    ids.set(text, (ids.get(text) ?? new Set()).add(String(request.headers['webhook-id'])));
    times += 1;
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo; // it listens on a port
  const close = () => http.closeAllConnections() ?? http.close();
  return { url: `http://127.0.0.1:${port}`, ids, times: () => times, close };
}

async function setUp(server: ServerProcess, receiverUrl: string): Promise<string> {
  const { brain_id } = await server.ok('create_brain', { name: 'Lighthouse' });
  const given = { name: 'Sender', brain_id, signature_scheme: 'none', translator_code };
  const { connector_id, webhook_slug } = await server.ok('create_webhook_connector', given);
  const of = { webhook_connector_id: connector_id };
  const fixture = { fixture_name: 'Usual', fixture_raw_body: '{"text":"x"}', fixture_expected_outcome: 'ingest' };
  const { fixture_id } = await server.ok('add_webhook_test_fixture', { ...of, ...fixture });
  await server.ok('test_webhook_translator', { fixture_id });
  await server.ok('activate_webhook_connector', of);
  const to = {
    output_destination_url: `${receiverUrl}/in`,
    output_destination_kind: 'webhook',
    max_per_minute: 60_000,
  };
  const { output_destination_id } = await server.ok('register_output_destination', { name: 'Receiver', ...to });
  const from = { output_source_kind: 'webhook_connector', output_source_id: connector_id };
  await server.ok('attach_output_route', { ...from, output_destination_id });
  return `/v1/webhook/${webhook_slug}`;
}

test(`of ${events} events from ${senders} senders none is lost or doubled while servers are killed`, async () => {
  const [testDatabase, receiver] = [await createTestDatabase(), await startReceiver()];
  const database = await openAsOwner(testDatabase.connectionString);
  const settings = {
    ...buildServerSettings(testDatabase.connectionString),
    THALAMUS_RATE_LIMIT: '1000000',
    THALAMUS_EGRESS_ALLOW: receiver.url,
  };
  const start = () => startServerProcess(settings, key);
  const servers = [await start()];
  const count = async (query: string) => Number((await database.rows(query))[0]?.['count']);
  try {
    const path = await setUp(servers[0]!, receiver.url);
    servers.push(...(await Promise.all([start(), start()])));
    const accepted = new Map<number, string>();
    let next = 0;
    const sender = async () => {
      for (let at = next++; at < events; at = next++) {
        const init = {
          method: 'POST',
          body: JSON.stringify({ text: `Event ${at}.` }),
          headers: { 'webhook-id': `d-${at}` },
        };
        for (let tries = at; !accepted.has(at); tries += 1) {
          const server = servers[tries % servers.length]!;
          const answer = await server.request(path, init).catch(() => null);
          const body =
            answer?.status === 202 ? ((await answer.json().catch(() => null)) as { event_id: string }) : null;
          if (body) accepted.set(at, body.event_id);
          else await sleep(20);
        }
      }
    };
    const sending = Promise.all(Array.from({ length: senders }, sender));
    const delivered = `select count(*) from output_deliveries where status = 'delivered'`;
    for (let kill = 1; kill <= kills; kill += 1) {
      // The first half of the kills meets requests that arrive, the second half translations and deliveries.
      const isDue = async () =>
        kill <= kills / 2
          ? accepted.size >= (kill * events) / (kills / 2 + 1)
          : (await count(delivered)) >= ((kill - kills / 2) * events) / (kills / 2 + 1);
      while (!(await isDue())) await sleep(20);
      const at = kill % servers.length;
      await servers[at]!.kill();
      await database.rows('update webhook_connectors set lease_until = now() where lease_until is not null');
      servers[at] = await start();
    }
    await sending;
    await database.rows('update output_deliveries set lease_until = now() where lease_until is not null');
    while ((await count(delivered)) < events) await sleep(100);
    expect(accepted.size).toBe(events);
    expect(await count('select count(*) from memories')).toBe(events);
    expect(await count('select count(distinct content) from memories')).toBe(events);
    const kept = await database.rows(`select id from webhook_events where outcome = 'success'`);
    expect(new Set(kept.map(({ id }) => id))).toEqual(new Set(accepted.values()));
    expect(receiver.ids.size).toBe(events);
    expect([...receiver.ids.values()].filter(({ size }) => size !== 1)).toEqual([]);
    expect(receiver.times()).toBeGreaterThanOrEqual(events);
  } finally {
    for (const server of servers) await server.kill();
    await database.close();
    receiver.close();
    await testDatabase.drop();
  }
}, 3_600_000);
