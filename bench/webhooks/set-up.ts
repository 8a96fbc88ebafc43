// A connector that translates, and destinations that its events go to.
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { BenchServer } from '../server-process.ts';

const translator_code =
  'function translate({ body }) { return { documents: [{ content: body.text, source_id: String(body.id) }] }; }';

export type Source = { id: string; send(body: object): Promise<void> };

/** An active connector that takes unsigned requests. */
export async function addSource(server: BenchServer, name: string): Promise<Source> {
  const brain = await server.call('create_brain', { name });
  const given = { name, brain_id: brain['brain_id'], signature_scheme: 'none', translator_code };
  const { connector_id, webhook_slug } = await server.call('create_webhook_connector', given);
  const of = { webhook_connector_id: connector_id };
  const fixture = { fixture_name: 'Usual', fixture_raw_body: '{"text":"x"}', fixture_expected_outcome: 'ingest' };
  const { fixture_id } = await server.call('add_webhook_test_fixture', { ...of, ...fixture });
  await server.call('test_webhook_translator', { fixture_id });
  await server.call('activate_webhook_connector', of);
  const url = `${server.url}/v1/webhook/${String(webhook_slug)}`;
  const headers = { 'content-type': 'application/json' };
  return {
    id: String(connector_id),
    async send(message) {
      const { statusCode, body } = await request(url, { method: 'POST', headers, body: JSON.stringify(message) });
      await body.dump();
      if (statusCode !== 202) throw new Error(`a request was answered ${statusCode}`);
    },
  };
}

/** A destination with a route from the connector. */
export async function addDestination(server: BenchServer, url: string, connectorId: string): Promise<string> {
  const given = { name: url, output_destination_kind: 'webhook', output_destination_url: url, max_per_minute: 60_000 };
  const { output_destination_id } = await server.call('register_output_destination', given);
  const source = { output_source_kind: 'webhook_connector', output_source_id: connectorId };
  await server.call('attach_output_route', { ...source, output_destination_id });
  return String(output_destination_id);
}

/** Does something at even intervals, whether or not the one before has ended. */
export async function runAtIntervals(
  count: number,
  everyMs: number,
  work: (at: number) => Promise<void>,
): Promise<void> {
  const running: Promise<void>[] = [];
  for (let at = 0; at < count; at += 1) {
    running.push(work(at));
    await sleep(everyMs);
  }
  await Promise.all(running);
}
