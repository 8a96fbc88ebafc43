import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let brainId: string;
beforeAll(async () => {
  server = await startTestServer({ THALAMUS_WEBHOOK_MB: '0.1' });
  brainId = String((await server.ok('create_brain', { name: 'Lighthouse' })).brain_id);
});
afterAll(() => server.close());

const secret = 'a-long-random-text-for-tests';
const code = `export function translate({ body, headers }) {
  if (body.skip) return { drop: true, drop_reason: 'not wanted' };
  if (body.crash) throw new Error('the lamp went out');
  return { documents: [{ content: body.text, source_id: body.id, source_channel: 'alerts', source_user: 'keeper', type: body.type, tags: body.tags, target_brain_id: body.brain }] };
}`;
let made = 0;

async function connector(settings: object = {}) {
  const name = `Sender ${(made += 1)}`;
  const given = { name, brain_id: brainId, signature_scheme: 'hmac_sha256', webhook_secret: secret, ...settings };
  const answer = await server.ok('create_webhook_connector', given);
  const id = answer.connector_id;
  const path = `/v1/webhook/${answer.webhook_slug}`;
  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    server.request(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  const signature = (body: string | Buffer) => createHmac('sha256', secret).update(body).digest('hex');
  const send = async (body: object, headers: Record<string, string> = {}) => {
    const text = JSON.stringify(body);
    const response = await post(text, { 'x-signature': signature(text), ...headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const events = async (more: object = {}) =>
    (await server.ok('list_webhook_events', { webhook_connector_id: id, ...more })).events;
  return { ...answer, id, path, post, send, signature, events };
}

/** A connector that translates: its fixture has passed. */
async function active(settings: object = {}) {
  const it = await connector({ translator_code: code, ...settings });
  const fixture = {
    fixture_name: 'Usual',
    fixture_raw_body: '{"text":"x","id":1}',
    fixture_expected_outcome: 'ingest',
  };
  const { fixture_id } = await server.ok('add_webhook_test_fixture', { webhook_connector_id: it.id, ...fixture });
  const tested = await server.ok('test_webhook_translator', { fixture_id });
  expect(tested).toMatchObject({ passed: true, first_document_preview: 'x' });
  const answer = await server.ok('activate_webhook_connector', { webhook_connector_id: it.id });
  expect(answer.next_step_for_ai).toContain('real event');
  return { ...it, fixture_id };
}

async function ended(event_id: unknown) {
  return expect.poll(async () => (await server.ok('get_webhook_event', { webhook_event_id: event_id })).outcome, {
    timeout: 10_000,
    interval: 25,
  });
}

async function outcome(event_id: unknown) {
  await (await ended(event_id)).not.toBe('received');
  return server.ok('get_webhook_event', { webhook_event_id: event_id });
}

test('a draft connector keeps signed events as samples, one of each shape, and stores nothing', async () => {
  const { id, status, webhook_secret, ingest_url, path, send, events } = await connector();
  expect({ status, webhook_secret }).toEqual({ status: 'draft', webhook_secret: null });
  expect(new URL(ingest_url).pathname).toBe(path);
  const sent = await send({ text: 'First', id: 1 }, { authorization: 'Bearer canary', 'x-event-type': 'lamp.lit' });
  expect(sent.status).toBe(202);
  await send({ text: 'Second', id: 2 });
  await send({ other: ['shape'] });
  expect((await events({ webhook_event_filter: 'draft' })).map((event) => event.outcome)).toEqual(
    Array(3).fill('draft'),
  );
  const { samples } = await server.ok('get_webhook_samples', { webhook_connector_id: id });
  expect(samples.map(({ raw_body, events: count }) => [raw_body, count])).toEqual([
    ['{"other":["shape"]}', 1],
    ['{"text":"Second","id":2}', 2],
  ]);
  const event = await server.ok('get_webhook_event', { webhook_event_id: sent.body['event_id'] });
  expect(event).toMatchObject({ event_type: 'lamp.lit', raw_body: '{"text":"First","id":1}', ingested_doc_ids: [] });
  expect(event.headers['authorization']).toBe('[blanked]');
  expect((await server.ok('search_memory', { q: 'First' })).memories).toEqual([]);
});

test('an unsigned request gets 401 and leaves a row with 2 KB', async () => {
  const { id, post, path, signature, events } = await connector();
  const body = JSON.stringify({ text: 'x'.repeat(5_000) });
  expect((await post(body)).status).toBe(401);
  const wrong = await post(`${body} `, { 'x-signature': signature(body) });
  expect(wrong.status).toBe(401);
  const rows = await events({ webhook_event_filter: 'signature_failed' });
  expect(rows.map(({ detail }) => detail)).toEqual([
    'The signature does not fit the body and the secret.',
    expect.stringContaining('has no header'),
  ]);
  const { raw_body } = await server.ok('get_webhook_event', { webhook_event_id: rows[0]?.webhook_event_id });
  expect(raw_body).toHaveLength(2_048);
  const { webhook_connectors } = await server.ok('list_webhook_connectors', {});
  expect(webhook_connectors.find(({ webhook_connector_id: each }) => each === id)).toMatchObject({
    last_outcome: 'signature_failed',
    failures_last_day: 2,
  });
  expect((await server.request(`${path}x`, { method: 'POST', body })).status).toBe(404);
});

test('an active connector stores each event once, with its label, and again when it is sent again', async () => {
  const { send, events } = await active();
  const first = await send({ text: 'The lantern of pier nine is broken', id: 9 }, { 'webhook-id': 'd-1' });
  const { outcome: became, ingested_documents, version } = await outcome(first.body['event_id']);
  expect({ became, version }).toEqual({ became: 'success', version: 1 });
  const { memories } = await server.ok('search_memory', { q: 'lantern pier nine' });
  expect(memories.map(({ id }) => id)).toEqual([ingested_documents[0]?.id]);
  const { memory } = await server.ok('get_memory', { id: ingested_documents[0]?.id });
  expect(memory).toMatchObject({ source: 'webhook:alerts:keeper', brain_id: brainId });
  const again = await send({ text: 'The lantern of pier nine is broken', id: 9 }, { 'webhook-id': 'd-1' });
  expect(again).toMatchObject({ status: 202, body: { event_id: first.body['event_id'], duplicate: true } });
  const newer = await send({ text: 'The lantern of pier nine is mended', id: 9 }, { 'webhook-id': 'd-2' });
  expect((await outcome(newer.body['event_id'])).ingested_documents[0]?.action).toBe('superseded');
  expect((await server.ok('search_memory', { q: 'lantern pier nine' })).memories).toHaveLength(1);
  expect((await events()).map((event) => event.outcome)).toEqual(['success', 'duplicate', 'success']);
});

test('the event shows why a translator dropped it, failed or may not write', async () => {
  const { send, events } = await active();
  const foreign = (await server.ok('create_brain', { name: 'Not allowed' })).brain_id;
  const answers = [];
  for (const body of [{ skip: true }, { crash: true }, { text: '' }, { text: 'Elsewhere', brain: foreign }])
    answers.push(await send(body));
  const seen = await Promise.all(answers.map(({ body }) => outcome(body['event_id'])));
  expect(seen.map((event) => [event.outcome, event.detail])).toEqual([
    ['dropped', 'not wanted'],
    ['translator_error', 'Error: the lamp went out'],
    ['translator_error', expect.stringContaining('documents[0.content]')],
    ['ingest_error', expect.stringContaining('No such brain')],
  ]);
  expect(await events({ webhook_event_filter: 'errors' })).toHaveLength(3);
  expect(await events({ webhook_event_filter: 'dropped' })).toHaveLength(1);
  expect(await events({ text: 'Elsewhere' })).toHaveLength(1);
});

test('an edit makes passes stale, while the active version keeps serving; every fixture has to pass', async () => {
  const { id, send, fixture_id } = await active();
  const changed = code.replace('body.text,', "'Version two: ' + body.text,");
  await server.ok('update_config', { connector_id: id, webhook_config: JSON.stringify({ translator_code: changed }) });
  const fixtures = await server.ok('list_webhook_test_fixtures', { webhook_connector_id: id });
  expect(fixtures.fixtures.map(({ is_pass_fresh }) => is_pass_fresh)).toEqual([false]);
  const refused = await server.call('activate_webhook_connector', { webhook_connector_id: id });
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('"Usual"') } });
  const old = await send({ text: 'Served by the first', id: 1 });
  expect((await outcome(old.body['event_id'])).version).toBe(1);
  await server.ok('test_translator', { fixture_id });
  const drop = { fixture_name: 'Skip', fixture_raw_body: '{"skip":true}', fixture_expected_outcome: 'ingest' };
  const wrong = await server.ok('add_test_fixture', { webhook_connector_id: id, ...drop });
  expect(await server.ok('test_translator', { fixture_id: wrong.fixture_id })).toMatchObject({ passed: false });
  expect((await server.call('activate_webhook_connector', { webhook_connector_id: id })).status).toBe(409);
  await server.ok('delete_webhook_test_fixture', { fixture_id: wrong.fixture_id });
  expect(await server.ok('activate_webhook_connector', { webhook_connector_id: id })).toMatchObject({
    active_version: 2,
  });
  const next = await send({ text: 'Served by the next', id: 2 });
  const { translator_output } = await outcome(next.body['event_id']);
  expect(translator_output).toMatchObject({ documents: [{ content: 'Version two: Served by the next' }] });
});

test('an activation names everything that is missing', async () => {
  const { id } = await connector({ webhook_secret: undefined, provider: 'stripe' });
  const { status, body } = await server.call('activate_webhook_connector', { webhook_connector_id: id });
  expect(status).toBe(409);
  expect((body['details'] as { missing: string[] }).missing).toHaveLength(3);
});

test('a paused connector answers 503 until it is activated again, and a deleted one 410 for ever', async () => {
  const { id, send, post } = await active();
  await server.ok('pause_webhook_connector', { webhook_connector_id: id });
  expect((await send({ text: 'Too early' })).status).toBe(503);
  await server.ok('activate_webhook_connector', { webhook_connector_id: id });
  expect((await send({ text: 'In time', id: 1 })).status).toBe(202);
  await server.ok('delete_webhook_connector', { webhook_connector_id: id });
  expect((await post('{}')).status).toBe(410);
  expect((await server.call('list_webhook_events', { webhook_connector_id: id })).status).toBe(404);
});

test('bodies are taken as JSON, form or text, packed or not, and refused with a row when they are too large', async () => {
  const { post, events } = await connector({ signature_scheme: 'none', webhook_secret: undefined });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await post('a=1&b=2&b=3', form)).status).toBe(202);
  expect((await post('plain words', { 'content-type': 'text/plain' })).status).toBe(202);
  expect((await post(gzipSync('{"packed":true}'), { 'content-encoding': 'gzip' })).status).toBe(202);
  const bomb = gzipSync(Buffer.alloc(5_000_000));
  expect((await post(bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
  expect((await post('no gzip', { 'content-encoding': 'gzip' })).status).toBe(422);
  expect((await post('x'.repeat(200_000))).status).toBe(413);
  const rows = await events();
  expect(rows.map((event) => event.outcome)).toEqual(['refused', 'refused', 'refused', 'draft', 'draft', 'draft']);
  const bodies = await Promise.all(
    rows.map(({ webhook_event_id }) => server.ok('get_webhook_event', { webhook_event_id })),
  );
  expect(bodies.map(({ raw_body }) => raw_body)).toEqual([
    null,
    null,
    null,
    '{"packed":true}',
    'plain words',
    'a=1&b=2&b=3',
  ]);
});

test('a replay shows first what it would bring, and then supersedes instead of doubling', async () => {
  const { id, send, fixture_id } = await active();
  const broken = await send({ crash: true, text: 'Mend me', id: 3 });
  await outcome(broken.body['event_id']);
  const good = await send({ text: 'Already here', id: 4 });
  await outcome(good.body['event_id']);
  const dry = await server.ok('replay_webhook_events', { webhook_connector_id: id });
  expect(dry).toMatchObject({ dry_run: true, events: 2, version: 1 });
  expect(dry.results.map((each) => each.outcome)).toEqual(['error', 'ingest']);
  await server.ok('update_webhook_config', {
    webhook_connector_id: id,
    translator_code: code.replace('if (body.crash)', 'if (false)'),
  });
  const early = await server.call('replay_webhook_events', { webhook_connector_id: id, version: 2, dry_run: false });
  expect(early.status).toBe(409);
  await server.ok('test_webhook_translator', { fixture_id });
  await server.ok('activate_webhook_connector', { webhook_connector_id: id });
  const replay = { webhook_connector_id: id, webhook_event_filter: 'errors', dry_run: false };
  expect(await server.ok('replay_webhook_events', replay)).toMatchObject({ events: 1, version: 2 });
  expect(await outcome(broken.body['event_id'])).toMatchObject({ outcome: 'success', replays: 1 });
  await server.ok('replay_webhook_events', { webhook_connector_id: id, dry_run: false });
  const again = await outcome(good.body['event_id']);
  expect(again).toMatchObject({ outcome: 'success', ingested_documents: [{ action: 'unchanged' }] });
  const { memories } = await server.ok('list_memories', { brain_id: brainId, limit: 100 });
  for (const text of ['Already here', 'Mend me'])
    expect(memories.filter(({ content }) => content === text)).toHaveLength(1);
});

test('a secret by the name of a variable completes its connector as soon as somebody sets it', async () => {
  const { id, path } = await connector({ webhook_secret: undefined, webhook_secret_variable: 'LAMP_SECRET' });
  const shown = () => server.ok('get_webhook_connector', { webhook_connector_id: id });
  expect(await shown()).toMatchObject({ has_secret: false, waits_for_variable: 'LAMP_SECRET' });
  await server.ok('set_variable', { var_scope: 'person', var_name: 'LAMP_SECRET', value: 'the-value-behind-it' });
  await expect.poll(async () => (await shown()).has_secret, { timeout: 10_000, interval: 50 }).toBe(true);
  const body = '{"lit":true}';
  const signed = createHmac('sha256', 'the-value-behind-it').update(body).digest('hex');
  const post = () => server.request(path, { method: 'POST', body, headers: { 'x-signature': signed } });
  await expect.poll(async () => (await post()).status, { timeout: 5_000, interval: 100 }).toBe(202);
});

test('a key for an agent that may not change connectors reads events and changes nothing', async () => {
  const { id } = await active();
  const { key } = await server.ok('create_key', { label: 'Agent' });
  const as = { key: String(key) };
  expect((await server.call('list_webhook_events', { webhook_connector_id: id }, as)).status).toBe(200);
  for (const name of ['pause_webhook_connector', 'delete_webhook_connector', 'activate_webhook_connector'])
    expect((await server.call(name, { webhook_connector_id: id }, as)).status, name).toBe(403);
});
