import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinAs, signInOwner } from '../../../tests/support/colleague.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let brainId: string;
beforeAll(async () => {
  server = await startTestServer({ THALAMUS_WEBHOOK_MB: '0.15' });
  database = await openAsOwner(server.connectionString);
  brainId = String((await server.ok('create_brain', { name: 'Lighthouse' })).brain_id);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const secret = 'a-long-random-text-for-tests';
const code = `export function translate({ body, headers }) {
  if (body.skip) return { drop: true, drop_reason: 'not wanted' };
  if (body.crash) throw new Error('the lamp went out');
  if (body.nul) throw new Error('half\\0done');
  return { documents: [{ content: body.text, source_id: body.id, source_channel: 'alerts', source_user: 'keeper', type: body.type, tags: body.tags, target_brain_id: body.brain }] };
}`;
let made = 0;

async function createConnector(settings: object = {}) {
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
async function createActiveConnector(settings: object = {}) {
  const it = await createConnector({ translator_code: code, ...settings });
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

async function expectOutcome(event_id: unknown) {
  return expect.poll(async () => (await server.ok('get_webhook_event', { webhook_event_id: event_id })).outcome, {
    timeout: 10_000,
    interval: 25,
  });
}

async function readOutcome(event_id: unknown) {
  await (await expectOutcome(event_id)).not.toBe('received');
  return server.ok('get_webhook_event', { webhook_event_id: event_id });
}

test('a draft connector keeps signed events as samples, one of each shape, and stores nothing', async () => {
  const { id, status, webhook_secret, ingest_url, path, send, events } = await createConnector();
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
  const { id, post, path, signature, events } = await createConnector();
  const body = JSON.stringify({ text: 'x'.repeat(5_000) });
  expect((await post(body)).status).toBe(401);
  const wrong = await post(`${body} `, { 'x-signature': signature(body) });
  expect(wrong.status).toBe(401);
  const rows = await events({ webhook_event_filter: 'signature_failed' });
  expect(rows.map(({ detail }) => detail)).toEqual([
    'The signature does not match the body and the secret.',
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
  const { send, events } = await createActiveConnector();
  const first = await send({ text: 'The lantern of pier nine is broken', id: 9 }, { 'webhook-id': 'd-1' });
  const { outcome: became, ingested_documents, version } = await readOutcome(first.body['event_id']);
  expect({ became, version }).toEqual({ became: 'success', version: 1 });
  const { memories } = await server.ok('search_memory', { q: 'lantern pier nine' });
  expect(memories.map(({ id }) => id)).toEqual([ingested_documents[0]?.id]);
  const { memory } = await server.ok('get_memory', { id: ingested_documents[0]?.id });
  expect(memory).toMatchObject({ source: 'webhook:alerts:keeper', brain_id: brainId });
  const again = await send({ text: 'The lantern of pier nine is broken', id: 9 }, { 'webhook-id': 'd-1' });
  expect(again).toMatchObject({ status: 202, body: { event_id: first.body['event_id'], duplicate: true } });
  const newer = await send({ text: 'The lantern of pier nine is mended', id: 9 }, { 'webhook-id': 'd-2' });
  expect((await readOutcome(newer.body['event_id'])).ingested_documents[0]?.action).toBe('superseded');
  expect((await server.ok('search_memory', { q: 'lantern pier nine' })).memories).toHaveLength(1);
  expect((await events()).map((event) => event.outcome)).toEqual(['success', 'duplicate', 'success']);
});

test('the event shows why a translator dropped it, failed or may not write', async () => {
  const allowed = String((await server.ok('create_brain', { name: 'Allowed' })).brain_id);
  const { send, events } = await createActiveConnector({ allowed_brain_ids: [allowed] });
  const there = await readOutcome((await send({ text: 'In the other brain', brain: allowed })).body['event_id']);
  expect(there).toMatchObject({ outcome: 'success', ingested_documents: [{ brain_id: allowed }] });
  const foreign = (await server.ok('create_brain', { name: 'Not allowed' })).brain_id;
  const answers = [];
  for (const body of [{ skip: true }, { crash: true }, { text: '' }, { text: 'Elsewhere', brain: foreign }])
    answers.push(await send(body));
  const seen = await Promise.all(answers.map(({ body }) => readOutcome(body['event_id'])));
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

test('an edit makes passes stale, while the active version keeps running; every fixture must pass', async () => {
  const { id, send, fixture_id } = await createActiveConnector();
  const changed = code.replace('body.text,', "'Version two: ' + body.text,");
  await server.ok('update_config', { connector_id: id, webhook_config: JSON.stringify({ translator_code: changed }) });
  const fixtures = await server.ok('list_webhook_test_fixtures', { webhook_connector_id: id });
  expect(fixtures.fixtures.map(({ is_pass_fresh }) => is_pass_fresh)).toEqual([false]);
  const refused = await server.call('activate_webhook_connector', { webhook_connector_id: id });
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('"Usual"') } });
  const old = await send({ text: 'Served by the first', id: 1 });
  expect((await readOutcome(old.body['event_id'])).version).toBe(1);
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
  const { translator_output } = await readOutcome(next.body['event_id']);
  expect(translator_output).toMatchObject({ documents: [{ content: 'Version two: Served by the next' }] });
});

test('a refused activation lists everything that is missing', async () => {
  const { id } = await createConnector({ webhook_secret: undefined, provider: 'stripe' });
  const { status, body } = await server.call('activate_webhook_connector', { webhook_connector_id: id });
  expect(status).toBe(409);
  expect((body['details'] as { missing: string[] }).missing).toHaveLength(3);
});

test('a paused connector answers 503 until it is activated again, and a deleted one 410 for ever', async () => {
  const { id, send, post } = await createActiveConnector();
  await server.ok('pause_webhook_connector', { webhook_connector_id: id });
  expect((await send({ text: 'Too early' })).status).toBe(503);
  await server.ok('activate_webhook_connector', { webhook_connector_id: id });
  expect((await send({ text: 'In time', id: 1 })).status).toBe(202);
  await server.ok('delete_webhook_connector', { webhook_connector_id: id });
  expect((await post('{}')).status).toBe(410);
  expect((await server.call('list_webhook_events', { webhook_connector_id: id })).status).toBe(404);
});

test('bodies are accepted as JSON, form or text, packed or not, and refused with a row when they are too large', async () => {
  const { post, events } = await createConnector({ signature_scheme: 'none', webhook_secret: undefined });
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

test('a replay first shows its results, and then supersedes instead of duplicating', async () => {
  const { id, send, fixture_id } = await createActiveConnector();
  const broken = await send({ crash: true, text: 'Mend me', id: 3 });
  await readOutcome(broken.body['event_id']);
  const good = await send({ text: 'Already here', id: 4 });
  await readOutcome(good.body['event_id']);
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
  const replay = { webhook_connector_id: id, webhook_event_filter: 'errors', version: 2, dry_run: false };
  expect(await server.ok('replay_webhook_events', replay)).toMatchObject({ events: 1, version: 2 });
  expect(await readOutcome(broken.body['event_id'])).toMatchObject({ outcome: 'success', replays: 1, version: 2 });
  await server.ok('activate_webhook_connector', { webhook_connector_id: id });
  await server.ok('replay_webhook_events', { webhook_connector_id: id, dry_run: false });
  const again = await readOutcome(good.body['event_id']);
  expect(again).toMatchObject({ outcome: 'success', ingested_documents: [{ action: 'unchanged' }] });
  const { memories } = await server.ok('list_memories', { brain_id: brainId, limit: 100 });
  for (const text of ['Already here', 'Mend me'])
    expect(memories.filter(({ content }) => content === text)).toHaveLength(1);
});

test('a connector that names a variable is complete as soon as somebody sets the variable', async () => {
  const { id, path } = await createConnector({ webhook_secret: undefined, webhook_secret_variable: 'LAMP_SECRET' });
  const shown = () => server.ok('get_webhook_connector', { webhook_connector_id: id });
  expect(await shown()).toMatchObject({ has_secret: false, waits_for_variable: 'LAMP_SECRET' });
  await server.ok('set_variable', { var_scope: 'person', var_name: 'LAMP_SECRET', value: 'the-value-behind-it' });
  await expect.poll(async () => (await shown()).has_secret, { timeout: 10_000, interval: 50 }).toBe(true);
  const body = '{"lit":true}';
  const post = (key: string) => {
    const signed = createHmac('sha256', key).update(body).digest('hex');
    return server.request(path, { method: 'POST', body, headers: { 'x-signature': signed } });
  };
  const isTaken = (key: string) =>
    expect.poll(async () => (await post(key)).status, { timeout: 5_000, interval: 100 }).toBe(202);
  await isTaken('the-value-behind-it');
  // A new value reaches the version that live events run, although a later edit waits.
  await server.ok('update_webhook_config', { webhook_connector_id: id, translator_code: code });
  const fixture = { fixture_name: 'Usual', fixture_raw_body: '{"text":"x"}', fixture_expected_outcome: 'ingest' };
  const { fixture_id } = await server.ok('add_webhook_test_fixture', { webhook_connector_id: id, ...fixture });
  await server.ok('test_webhook_translator', { fixture_id });
  await server.ok('activate_webhook_connector', { webhook_connector_id: id });
  await server.ok('update_webhook_config', { webhook_connector_id: id, translator_code: `${code} // edited` });
  await server.ok('set_variable', { var_scope: 'person', var_name: 'LAMP_SECRET', value: 'the-value-after-it' });
  await isTaken('the-value-after-it');
  expect((await post('the-value-behind-it')).status).toBe(401);
  const { status, translator_code, version, active_version } = await shown();
  expect({ status, version, active_version }).toEqual({ status: 'active', version: 6, active_version: 5 });
  expect(translator_code).toContain('// edited');
});

test("an agent's key that may not change connectors can read events and change nothing", async () => {
  const { id } = await createActiveConnector();
  const { key } = await server.ok('create_key', { label: 'Agent' });
  const as = { key: String(key) };
  expect((await server.call('list_webhook_events', { webhook_connector_id: id }, as)).status).toBe(200);
  for (const name of ['pause_webhook_connector', 'delete_webhook_connector', 'activate_webhook_connector'])
    expect((await server.call(name, { webhook_connector_id: id }, as)).status, name).toBe(403);
});

test('NUL characters in what a translator returns or throws do no harm', async () => {
  const { send } = await createActiveConnector();
  const answered = await readOutcome((await send({ text: 'A lamp\0 with a hole', id: 1 })).body['event_id']);
  expect(answered.outcome).toBe('success');
  const { memory } = await server.ok('get_memory', { id: answered.ingested_documents[0]?.id });
  expect(memory).toMatchObject({ content: expect.stringMatching(/^A lamp.? with a hole$/) });
  const thrown = await readOutcome((await send({ nul: true })).body['event_id']);
  expect(thrown).toMatchObject({ outcome: 'translator_error', detail: expect.stringMatching(/^Error: half.?done$/) });
});

test('credentials are redacted under the names that senders use, and signatures stay', async () => {
  const { path, signature, events } = await createConnector();
  const secrets = ['api_key', 'x-auth-key', 'access_key', 'x-functions-key', 'proxy-authorization'];
  const parameters = ['api_key', 'key', 'sig', 'code', 'access-key', 'user_pwd'];
  const query = new URLSearchParams(Object.fromEntries(parameters.map((name) => [name, 'canary'])));
  query.set('author', 'Ada');
  const headers = Object.fromEntries(secrets.map((name) => [name, 'canary']));
  const sent = { ...headers, 'x-signature': signature('{}'), 'x-event-key': 'repo:push' };
  const answer = await server.request(`${path}?${query}`, { method: 'POST', body: '{}', headers: sent });
  expect(answer.status).toBe(202);
  const [row] = await events();
  const event = await server.ok('get_webhook_event', { webhook_event_id: row?.webhook_event_id });
  expect(JSON.stringify(event)).not.toContain('canary');
  expect(event.query).toMatchObject({ author: 'Ada', key: '[blanked]' });
  expect(event.headers).toMatchObject({ 'x-event-key': 'repo:push', 'x-signature': signature('{}') });
});

test('after the retention time, bodies, headers, parameters and rows of rejected requests are deleted', async () => {
  const { id, send, post, events } = await createActiveConnector();
  for (const text of ['Kept', 'Doubled', 'Doubled'])
    await send({ text, id: text }, { 'x-lamp': 'lit', 'idempotency-key': text });
  await post('{"text":"unsigned"}');
  await expect.poll(async () => (await events({ webhook_event_filter: 'success' })).length).toBe(2);
  await database.rows(
    `update webhook_events set received_at = received_at - interval '31 days' where connector_id = $1`,
    [id],
  );
  await send({ text: 'New', id: 9 });
  await database.rows(`insert into jobs.job (name, retry_limit) values ('webhooks.retention', 0)`);
  const left = () =>
    database.rows(
      `select outcome, body is not null or translator_output is not null or headers <> '{}' or query <> '{}' as full
         from webhook_events where connector_id = $1 order by received_at`,
      [id],
    );
  await expect.poll(async () => (await left()).filter(({ full }) => full).length, { timeout: 10_000 }).toBe(1);
  expect((await left()).map(({ outcome: of }) => of)).toEqual(['success', 'success', 'duplicate', expect.any(String)]);
});

test('a captured request with another, unsigned id is recognised as a repetition', async () => {
  const whsec = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const { post } = await createConnector({ signature_scheme: 'standard_webhooks', webhook_secret: whsec });
  const seconds = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', Buffer.alloc(24, 7)).update(`msg_1.${seconds}.{}`).digest('base64');
  const svix = { 'svix-id': 'msg_1', 'svix-timestamp': seconds, 'svix-signature': `v1,${signature}` };
  expect(await (await post('{}', svix)).json()).not.toHaveProperty('duplicate');
  for (const unsigned of ['webhook-id', 'idempotency-key'])
    expect(await (await post('{}', { ...svix, [unsigned]: 'msg_2' })).json()).toMatchObject({ duplicate: true });
});

test('a captured request under the unsigned id of another event does not make that event a duplicate', async () => {
  const { send, events } = await createConnector();
  await send({ text: 'Captured' }, { 'webhook-id': 'd-1' });
  await send({ text: 'Captured' }, { 'webhook-id': 'd-2' });
  for (const duplicate of [undefined, true])
    expect((await send({ text: 'Genuine' }, { 'webhook-id': 'd-2' })).body['duplicate']).toBe(duplicate);
  expect((await events({ text: 'Genuine' })).map(({ delivery_id }) => delivery_id)).toEqual(['d-2']);
});

test('of requests that arrive at once each event is stored once, and a duplicate names the event it repeats', async () => {
  const { send, events } = await createConnector();
  const sent = Array.from({ length: 40 }, (_none, at) => send({ at: at % 10 }, { 'webhook-id': `d-${at % 10}` }));
  const answers = await Promise.all(sent);
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(202));
  const rows = await events({ limit: 100 });
  const ids = rows.filter(({ outcome: of }) => of === 'draft').map(({ webhook_event_id }) => webhook_event_id);
  expect([rows.length, ids.length]).toEqual([40, 10]);
  expect(new Set(answers.map(({ body }) => body['event_id']))).toEqual(new Set(ids));
});

test('Notion sends its token once; only the owner of the connector reads it, once, at the console', async () => {
  const { id, post, events } = await createConnector({
    provider: 'notion',
    signature_scheme: undefined,
    webhook_secret: undefined,
  });
  expect((await post('{"verification_token":"secret_first"}')).status).toBe(200);
  expect((await post('{"verification_token":"secret_second"}')).status).toBe(401);
  const [row] = await events({ webhook_event_filter: 'signature_failed' });
  const event = await server.ok('get_webhook_event', { webhook_event_id: row?.webhook_event_id });
  expect(event.raw_body).toBeNull();
  const show = { webhook_connector_id: id };
  expect((await server.call('show_webhook_secret', show)).status).toBe(403);
  const owner = await signInOwner(server, database);
  expect((await owner.ok('show_webhook_secret', show))['webhook_secret']).toBe('secret_first');
  expect((await owner.call('show_webhook_secret', show)).status).toBe(409);
});

test("an agent's key gets a link instead of a secret, and the owner sees the secret once through it", async () => {
  const scopes = ['connectors:read', 'connectors:write', 'brains:read'];
  const { key } = await server.ok('create_key', { label: 'Agent', scopes });
  const given = { name: 'By an agent', brain_id: brainId, signature_scheme: 'hmac_sha256' };
  const { webhook_secret, secret_link, ...made } = await server.ok('create_webhook_connector', given, {
    key: String(key),
  });
  const show = { webhook_connector_id: made.connector_id };
  expect([webhook_secret, new URL(String(secret_link)).pathname]).toEqual([null, `/webhooks/${made.connector_id}`]);
  expect((await server.call('show_webhook_secret', show, { key: String(key) })).status).toBe(403);
  const owner = await signInOwner(server, database);
  const shown = String((await owner.ok('show_webhook_secret', show))['webhook_secret']);
  const headers = { 'x-signature': createHmac('sha256', shown).update('{}').digest('hex') };
  const sent = await server.request(`/v1/webhook/${made.webhook_slug}`, { method: 'POST', body: '{}', headers });
  expect(sent.status).toBe(202);
  expect(await server.ok('get_webhook_connector', show)).toMatchObject({ has_secret: true, has_unread_secret: false });
});

test('senders that test an address get the answer they expect', async () => {
  const slack = await createConnector({ provider: 'slack', signature_scheme: undefined });
  const stamp = String(Math.floor(Date.now() / 1_000));
  const body = '{"type":"url_verification","challenge":"c-1"}';
  const proof = createHmac('sha256', secret).update(`v0:${stamp}:${body}`).digest('hex');
  const headers = { 'x-slack-request-timestamp': stamp, 'x-slack-signature': `v0=${proof}` };
  const answer = await slack.post(body, headers);
  expect([answer.status, await answer.json()]).toEqual([200, { challenge: 'c-1' }]);
  const zoom = await createConnector({ provider: 'zoom', signature_scheme: undefined });
  const asked = '{"event":"endpoint.url_validation","payload":{"plainToken":"p-1"}}';
  const signed = createHmac('sha256', secret).update(`v0:${stamp}:${asked}`).digest('hex');
  const tried = await zoom.post(asked, { 'x-zm-request-timestamp': stamp, 'x-zm-signature': `v0=${signed}` });
  const encryptedToken = createHmac('sha256', secret).update('p-1').digest('hex');
  expect(await tried.json()).toEqual({ plainToken: 'p-1', encryptedToken });
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
  const discord = await createConnector({ provider: 'discord', signature_scheme: undefined, webhook_secret: raw });
  const mark = sign(null, Buffer.from(`${stamp}{"type":0}`), privateKey).toString('hex');
  const ping = await discord.post('{"type":0}', { 'x-signature-timestamp': stamp, 'x-signature-ed25519': mark });
  expect(ping.status).toBe(204);
  expect((await slack.events())[0]).toMatchObject({ outcome: 'dropped', detail: 'The sender tested the address.' });
});

test('a connector over its minute answers 429 with Retry-After, and one row counts the requests past 600', async () => {
  const { id, post, events } = await createConnector();
  await post('unsigned');
  const rest = Array.from({ length: 610 }, (_none, i) => i);
  for (let at = 0; at < rest.length; at += 61) await Promise.all(rest.slice(at, at + 61).map(() => post('unsigned')));
  const minutes = await database.rows(
    `select count(*)::int as rows, sum(counted)::int as requests from webhook_events
      where connector_id = $1 group by date_trunc('minute', received_at)`,
    [id],
  );
  expect(minutes.reduce((sum, { requests }) => sum + Number(requests), 0)).toBe(611);
  for (const { rows, requests } of minutes) expect(rows).toBe(Math.min(Number(requests), 601));
  expect((await events({ limit: 1 }))[0]).toMatchObject({ outcome: 'signature_failed' });
  const full = `insert into limited_minutes (workspace_id, limiter, subject_id, window_start, used)
    select workspace_id, 'webhook_deliveries', id, now(), 100000 from webhook_connectors where id = $1
    on conflict (workspace_id, limiter, subject_id) do update set used = 100000, window_start = now()`;
  const other = await createConnector();
  await database.rows(full, [other.id]);
  const answer = await other.send({ text: 'Too many' });
  expect(answer).toMatchObject({ status: 429 });
  const refused = await other.post('{}');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await other.events())[0]).toMatchObject({ outcome: 'refused', detail: expect.stringContaining('minute') });
});

test('a sample shows the beginning of a long body, cut between characters', async () => {
  const { id, send } = await createConnector();
  await send({ text: 'é'.repeat(60_000) });
  const { samples } = await server.ok('get_webhook_samples', { webhook_connector_id: id });
  expect(samples[0]).toMatchObject({ is_cut: true, raw_body_encoding: 'utf8' });
  expect(samples[0]?.raw_body).toHaveLength(9 + Math.floor((100_000 - 9) / 2));
});

test('an administrator does not read what the connector of a member received', async () => {
  const member = await joinAs(server, database, 'keeper@example.com');
  const [personal] = await database.rows('select id from brains where personal_to = $1', [member.personId]);
  const given = { name: 'Of a member', brain_id: personal?.['id'], signature_scheme: 'none' };
  const { connector_id: webhook_connector_id, ...made } = await member.ok('create_webhook_connector', given);
  const answer = await server.request(`/v1/webhook/${made['webhook_slug']}`, { method: 'POST', body: '{"a":1}' });
  const { event_id: webhook_event_id } = (await answer.json()) as { event_id: string };
  expect((await server.call('get_webhook_connector', { webhook_connector_id })).status).toBe(200);
  for (const name of [
    'list_webhook_events',
    'get_webhook_samples',
    'list_webhook_test_fixtures',
    'replay_webhook_events',
    'update_webhook_config',
  ])
    expect((await server.call(name, { webhook_connector_id })).status, name).toBe(403);
  expect((await server.call('get_webhook_event', { webhook_event_id })).status).toBe(404);
  expect((await member.call('get_webhook_event', { webhook_event_id })).status).toBe(200);
});

test('an unknown address is answered before the body arrives, and only 300 times a minute', async () => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(
    `POST /v1/webhook/nobody HTTP/1.1\r\nhost: ${new URL(server.url).host}\r\ncontent-length: 1000\r\n\r\n{`,
  );
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(first.toString()).toContain('HTTP/1.1 404');
  const post = () => server.request('/v1/webhook/nobody', { method: 'POST', body: '{}' });
  const statuses = [];
  for (let i = 0; i < 10; i += 1) statuses.push(...(await Promise.all(Array.from({ length: 30 }, post))));
  const refused = statuses.filter(({ status }) => status === 429);
  expect(statuses.filter(({ status }) => status === 404).length).toBeGreaterThanOrEqual(290);
  expect((await post()).status).toBe(429);
  expect(Number((refused[0] ?? (await post())).headers.get('retry-after'))).toBeGreaterThan(0);
});
