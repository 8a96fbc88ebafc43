import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

type Got = { path: string; headers: IncomingHttpHeaders; body: string };
let server: TestServer;
let brainId: string;
let receiver: { url: string; got: Got[]; answers: Map<string, number[]>; close(): Promise<void> };
let database: Awaited<ReturnType<typeof openAsOwner>>;
const code = `function translate({ body }) {
  return { documents: body.documents ?? [{ content: body.text, source_id: body.id, type: body.type, tags: body.tags }] };
}`;

/** A receiver that writes down what it got, and answers a path with the statuses that were set for it, then with 204. */
async function startReceiver() {
  const got: Got[] = [];
  const answers = new Map<string, number[]>();
  const http = createServer(async (request, response) => {
    const path = request.url ?? '';
    got.push({ path, headers: request.headers, body: (await buffer(request)).toString() });
    response.statusCode = answers.get(path)?.shift() ?? 204;
    if (response.statusCode === 302) response.setHeader('location', '/elsewhere');
    response.end();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`; // it listens on a port
  const close = () => new Promise<void>((resolve) => void http.close(() => resolve()));
  return { url, got, answers, close };
}

beforeAll(async () => {
  receiver = await startReceiver();
  server = await startTestServer({ THALAMUS_EGRESS_ALLOW: receiver.url });
  database = await openAsOwner(server.connectionString);
  brainId = String((await server.ok('create_brain', { name: 'Lighthouse' })).brain_id);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await receiver.close();
});

let made = 0;
async function source() {
  const given = { name: `Sender ${(made += 1)}`, brain_id: brainId, signature_scheme: 'none', translator_code: code };
  const { connector_id, webhook_slug } = await server.ok('create_webhook_connector', given);
  const fixture = { fixture_name: 'Usual', fixture_raw_body: '{"text":"x"}', fixture_expected_outcome: 'ingest' };
  const added = await server.ok('add_webhook_test_fixture', { webhook_connector_id: connector_id, ...fixture });
  await server.ok('test_webhook_translator', { fixture_id: added.fixture_id });
  await server.ok('activate_webhook_connector', { webhook_connector_id: connector_id });
  const send = async (body: object) => {
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const { event_id } = (await (await server.request(`/v1/webhook/${webhook_slug}`, init)).json()) as {
      event_id: string;
    };
    await expect.poll(() => outcomeOf(event_id), { timeout: 10_000, interval: 25 }).toBe('success');
    return event_id;
  };
  return { id: connector_id, send };
}
const outcomeOf = async (id: string) => (await server.ok('get_webhook_event', { webhook_event_id: id })).outcome;

async function destination(more: object = {}) {
  const path = `/in/${(made += 1)}`;
  const given = {
    name: `Receiver ${made}`,
    output_destination_url: receiver.url + path,
    output_destination_kind: 'webhook',
  };
  const answer = await server.ok('register_output_destination', { ...given, ...more });
  return { id: answer.output_destination_id, secret: String(answer.signing_secret), path };
}

function attach(source_id: string, output_destination_id: string, more: object = {}, key?: string) {
  const of = { output_source_kind: 'webhook_connector', output_source_id: source_id, output_destination_id };
  return server.ok('attach_output_route', { ...of, ...more }, key ? { key } : {});
}
const gotAt = (path: string) => receiver.got.filter((each) => each.path === path);
const arrived = (path: string, count = 1) =>
  expect.poll(() => gotAt(path).length, { timeout: 10_000, interval: 25 }).toBe(count);
const deliveriesTo = async (output_destination_id: string) =>
  (await server.ok('list_output_deliveries', { output_destination_id })).deliveries;
const settled = async (id: string, status: string) =>
  expect.poll(async () => (await deliveriesTo(id))[0]?.status, { timeout: 10_000, interval: 25 }).toBe(status);
/** Has what waits be due now, so that no pause is waited for. */
const makeDue = () =>
  database.rows(`update output_deliveries set next_attempt_at = now() - interval '1 second' where status = 'waiting'`);

test('a person’s route works at once; foreign verifiers accept what arrives, and filters choose documents', async () => {
  const [from, all, urgent, raw] = [await source(), await destination(), await destination(), await destination()];
  expect(await attach(from.id, all.id)).toMatchObject({ status: 'active', draft: null });
  await attach(from.id, urgent.id, { output_type_filter: 'incident', output_tag_filter: ['urgent', 'pier'] });
  await attach(from.id, raw.id, { output_payload_format: 'raw_payload' });
  const documents = [
    { content: 'The pier burns', source_id: 'a', type: 'incident', tags: ['urgent', 'pier', 'night'] },
    { content: 'A calm night', source_id: 'b', type: 'incident', tags: ['pier'] },
    { content: 'Urgent notes', source_id: 'c', type: 'note', tags: ['urgent', 'pier'] },
  ];
  await from.send({ documents });
  await from.send({ documents: documents.slice(1) });
  await arrived(all.path, 2);
  await arrived(raw.path, 2);
  await arrived(urgent.path, 1);
  const [first] = gotAt(all.path);
  const headers = first?.headers as Record<string, string>; // each of them came once
  new StandardWebhook(all.secret).verify(first?.body ?? '', headers);
  new SvixWebhook(all.secret).verify(first?.body ?? '', headers);
  expect(() => new StandardWebhook(urgent.secret).verify(first?.body ?? '', headers)).toThrow();
  const told = JSON.parse(gotAt(urgent.path)[0]?.body ?? '') as { data: { documents: { content: string }[] } };
  expect(told.data.documents.map(({ content }) => content)).toEqual(['The pier burns']);
  expect(gotAt(raw.path)[0]?.body).toBe(JSON.stringify({ documents }));
  await settled(urgent.id, 'delivered');
  expect(await deliveriesTo(urgent.id)).toMatchObject([
    { document_count: 1, delivered: true, http_status: 204, attempts: 1 },
  ]);
});

test('an agent’s route waits for a person, and a blocked host gets none', async () => {
  const [from, to] = [await source(), await destination()];
  const scopes = ['connectors:read', 'connectors:write', 'actions:draft', 'actions:read'];
  const { key } = await server.ok('create_key', { label: 'Agent', scopes });
  const agent = String(key);
  const { status, draft, output_route_id } = await attach(from.id, to.id, {}, agent);
  expect({ status, kind: draft?.kind }).toEqual({ status: 'waiting', kind: 'draft' });
  const denied = await server.call('test_output_destination', { output_destination_id: to.id }, { key: agent });
  expect(denied.status).toBe(403);
  const moved = { output_destination_id: to.id, output_destination_url: `${receiver.url}/elsewhere` };
  expect((await server.call('update_output_destination', moved, { key: agent })).status).toBe(403);
  await from.send({ text: 'Before anybody agreed' });
  expect(await deliveriesTo(to.id)).toEqual([]);
  await server.ok('confirm_action', { draft_id: draft?.draft_id });
  const { routes } = await server.ok('list_output_routes', { output_destination_id: to.id });
  expect(routes).toMatchObject([{ output_route_id, status: 'active' }]);
  await from.send({ text: 'After a person agreed' });
  await arrived(to.path);
  expect(gotAt(to.path)[0]?.body).toContain('After a person agreed');
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', {
    version,
    rules: [{ effect: 'block', sources: ['outputs'], account: '127.0.0.1' }],
  });
  const of = { output_source_kind: 'webhook_connector', output_source_id: from.id, output_destination_id: to.id };
  const blocked = [
    await server.call('attach_output_route', of),
    await server.call('attach_output_route', of, { key: agent }),
  ];
  expect(blocked.map((each) => each.status)).toEqual([403, 403]);
  const { version: next } = await server.ok('get_policy');
  await server.ok('set_policy', { version: next, rules: [] });
  const registered = await server.ok(
    'register_output_destination',
    { name: 'By an agent', output_destination_url: receiver.url, output_destination_kind: 'webhook' },
    { key: agent },
  );
  expect(registered.signing_secret).toBeNull();
});

test('a delivery that fails is tried again under the same id, redirects fail, and what arrived can be sent again', async () => {
  const [from, to] = [await source(), await destination()];
  await attach(from.id, to.id);
  receiver.answers.set(to.path, [500, 302]);
  await from.send({ text: 'Try me again' });
  for (const count of [1, 2]) {
    await arrived(to.path, count);
    await expect.poll(async () => (await deliveriesTo(to.id))[0]?.attempts, { timeout: 5_000 }).toBe(count);
    const [waiting] = await deliveriesTo(to.id);
    const pauseMs = new Date(waiting?.next_attempt_at ?? 0).getTime() - Date.now();
    expect(pauseMs).toBeGreaterThan(count === 1 ? 3_000 : 290_000);
    await makeDue();
  }
  await settled(to.id, 'delivered');
  const [delivery] = await deliveriesTo(to.id);
  const { attempt_rows } = await server.ok('get_output_delivery', { delivery_id: delivery?.delivery_id });
  expect(attempt_rows.map(({ http_status, delivered }) => [http_status, delivered])).toEqual([
    [500, false],
    [null, false],
    [204, true],
  ]);
  await server.ok('replay_output_delivery', { delivery_id: delivery?.delivery_id });
  await arrived(to.path, 4);
  expect(new Set(gotAt(to.path).map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery?.webhook_id]));
  expect(receiver.got.some(({ path }) => path === '/elsewhere')).toBe(false);
});

test('410 ends a destination, five days of failures pause it, and recovering sends what failed', async () => {
  const [from, gone, down] = [await source(), await destination(), await destination()];
  await attach(from.id, gone.id);
  await attach(from.id, down.id);
  receiver.answers.set(gone.path, [410]);
  receiver.answers.set(down.path, [503, 503]);
  await from.send({ text: 'Nobody is there' });
  const state = async (id: string) =>
    (await server.ok('list_output_destinations')).destinations.find((each) => each.output_destination_id === id)
      ?.status;
  await expect.poll(() => state(gone.id), { timeout: 5_000 }).toBe('gone');
  expect(await deliveriesTo(gone.id)).toMatchObject([{ status: 'failed', http_status: 410 }]);
  await arrived(down.path, 1);
  await expect.poll(async () => (await deliveriesTo(down.id))[0]?.attempts, { timeout: 5_000 }).toBe(1);
  await database.rows(
    `update output_destinations set failing_since = now() - interval '6 days' where failing_since is not null`,
  );
  await makeDue();
  await expect.poll(() => state(down.id), { timeout: 5_000 }).toBe('paused');
  await database.rows(`update output_deliveries set status = 'failed' where destination_id = '${down.id}'`);
  expect(
    (await server.ok('list_output_destinations')).destinations.find((each) => each.output_destination_id === down.id),
  ).toMatchObject({ last_delivery_status: 'failed', failures_last_day: 1, waiting_deliveries: 0 });
  const recovered = await server.ok('recover_output_deliveries', { output_destination_id: down.id });
  expect(recovered.recovered).toBe(1);
  await settled(down.id, 'delivered');
  expect(await state(down.id)).toBe('active');
});

test('after a rotation both secrets sign; own headers take values from variables; a test message says what came back', async () => {
  await server.ok('set_variable', {
    var_scope: 'person',
    var_name: 'WAREHOUSE',
    value: 'value-of-the-key',
    hosts: [new URL(receiver.url).host],
  });
  const { variables } = await server.ok('list_variables');
  const handle = (variables as { name: string; handle: string }[]).find(({ name }) => name === 'WAREHOUSE')?.handle;
  const to = await destination({ headers: { 'x-api-key': handle } });
  const { signing_secret } = await server.ok('rotate_output_secret', { output_destination_id: to.id });
  const tested = await server.ok('test_output_destination', { output_destination_id: to.id });
  expect(tested).toMatchObject({ delivered: true, http_status: 204 });
  const [got] = gotAt(to.path);
  for (const secret of [to.secret, signing_secret])
    new StandardWebhook(secret).verify(got?.body ?? '', got?.headers as Record<string, string>); // each came once
  expect(got?.headers['x-api-key']).toBe('value-of-the-key');
  const shown = JSON.stringify(await server.ok('list_output_destinations'));
  expect(shown).not.toMatch(/value-of-the-key|whsec_/);
});

test('an address that requests would not go to is not registered', async () => {
  for (const url of ['http://hooks.example.com', 'https://127.0.0.1/x', 'https://user:pass@hooks.example.com/']) {
    const given = { name: 'x', output_destination_url: url, output_destination_kind: 'webhook' };
    expect((await server.call('register_output_destination', given)).status, url).toBeGreaterThanOrEqual(400);
  }
});
