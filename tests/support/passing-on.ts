// A server with a receiver beside it: connectors that take events, and destinations that these go on to.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { openAsOwner, type OwnerDatabase } from './owner-database.ts';
import { startTestServer, type TestServer } from './server.ts';

type Got = { path: string; headers: IncomingHttpHeaders; body: string };
/** `answers`: the statuses that a path answers with, in turn, before it answers 204. A path in `hanging` answers when it is removed. */
type Receiver = {
  url: string;
  got: Got[];
  answers: Map<string, number[]>;
  hanging: Map<string, Promise<void>>;
  close(): Promise<void>;
};

const soon = { timeout: 10_000, interval: 25 };
const translator_code = `function translate({ body }) {
  return { documents: body.documents ?? [{ content: body.text, source_id: body.id, type: body.type, tags: body.tags }] };
}`;

/** Whose key is used, and which brain of theirs. */
type As = { key: string; brainId: string };

export type PassingOn = {
  server: TestServer;
  database: OwnerDatabase;
  receiver: Receiver;
  /** An active connector, of the owner unless told. `send` resolves to the event's id when it was translated. */
  source(as?: As): Promise<{ id: string; send(body: object): Promise<string> }>;
  destination(more?: object, key?: string): Promise<{ id: string; secret: string; path: string }>;
  gotAt(path: string): Got[];
  arrived(path: string, count?: number): Promise<void>;
  close(): Promise<void>;
};

/** A receiver that writes down what it got. */
async function startReceiver(): Promise<Receiver> {
  const got: Got[] = [];
  const answers = new Map<string, number[]>();
  const hanging = new Map<string, Promise<void>>();
  const http = createServer(async (request, response) => {
    const path = request.url ?? '';
    got.push({ path, headers: request.headers, body: (await buffer(request)).toString() });
    await hanging.get(path);
    response.statusCode = answers.get(path)?.shift() ?? 204;
    if (response.statusCode === 503) response.setHeader('retry-after', '600');
    if (response.statusCode === 302) response.setHeader('location', '/elsewhere');
    response.end();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`; // it listens on a port
  const close = () => new Promise<void>((resolve) => void http.close(() => resolve()));
  return { url, got, answers, hanging, close };
}

/** Starts both. `settings` are environment variables of the server. */
export async function startPassingOn(settings: Record<string, string> = {}): Promise<PassingOn> {
  const receiver = await startReceiver();
  const server = await startTestServer({ THALAMUS_EGRESS_ALLOW: receiver.url, ...settings });
  const database = await openAsOwner(server.connectionString);
  const brainId = String((await server.ok('create_brain', { name: 'Lighthouse' })).brain_id);
  let made = 0;
  const gotAt = (path: string) => receiver.got.filter((each) => each.path === path);
  return {
    server,
    database,
    receiver,
    source: (as = { key: server.key, brainId }) => createSource(server, `Sender ${(made += 1)}`, as),
    async destination(more = {}, key = server.key) {
      const path = `/in/${(made += 1)}`;
      const of = { output_destination_url: receiver.url + path, output_destination_kind: 'webhook' };
      const given = { name: `Receiver ${made}`, ...of, ...more };
      const answer = await server.ok('register_output_destination', given, { key });
      return { id: answer.output_destination_id, secret: String(answer.signing_secret), path };
    },
    gotAt,
    arrived: (path, count = 1) => expect.poll(() => gotAt(path).length, soon).toBe(count),
    async close() {
      await database.close();
      await server.close();
      await receiver.close();
    },
  };
}

async function createSource(server: TestServer, name: string, { key, brainId: brain_id }: As) {
  const ok = (operation: string, input: object) => server.ok(operation, input, { key });
  const given = { name, brain_id, signature_scheme: 'none', translator_code };
  const { connector_id, webhook_slug } = await ok('create_webhook_connector', given);
  const fixture = { fixture_name: 'Usual', fixture_raw_body: '{"text":"x"}', fixture_expected_outcome: 'ingest' };
  const { fixture_id } = await ok('add_webhook_test_fixture', { webhook_connector_id: connector_id, ...fixture });
  await ok('test_webhook_translator', { fixture_id });
  await ok('activate_webhook_connector', { webhook_connector_id: connector_id });
  const send = async (body: object) => {
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const answer = await server.request(`/v1/webhook/${String(webhook_slug)}`, init);
    const { event_id } = (await answer.json()) as { event_id: string };
    const outcome = async () => (await ok('get_webhook_event', { webhook_event_id: event_id }))['outcome'];
    await expect.poll(outcome, soon).toBe('success');
    return event_id;
  };
  return { id: String(connector_id), send };
}
