// For any order of edits, tests, fixtures and activations, live events run only versions that passed. Owners get one
// mail about failures.
import { createKysely, createOwnerPool } from '#platform/database';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selectByDepth } from '../../../tests/support/depth.ts';
import { openAsOwner } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { startSmtp, type SmtpServer } from '../../../tests/support/smtp.ts';
import { claimAlert } from './store/alerts.ts';
import type { Tables } from './store/tables.ts';

let server: TestServer;
let smtp: SmtpServer;
let database: Awaited<ReturnType<typeof openAsOwner>>;
let brainId: string;
beforeAll(async () => {
  smtp = await startSmtp();
  server = await startTestServer({ THALAMUS_MAIL_URL: smtp.url });
  database = await openAsOwner(server.connectionString);
  brainId = String((await server.ok('create_brain', { name: 'Lighthouse' })).brain_id);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await smtp.close();
});

/** Code that returns its number. Even numbers drop the document that a fixture expects. */
const buildCode = (number: number) =>
  `function translate({ body }) { return ${number % 2} ? { documents: [{ content: 'code ${number}: ' + body.text }] } : { drop: true }; }`;
let made = 0;

async function createConnector(translator_code: string) {
  const given = { name: `Sender ${(made += 1)}`, brain_id: brainId, signature_scheme: 'none', translator_code };
  const { connector_id: webhook_connector_id, webhook_slug } = await server.ok('create_webhook_connector', given);
  const send = async (body: object) => {
    const response = await server.request(`/v1/webhook/${webhook_slug}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { event_id: string }).event_id;
  };
  return { webhook_connector_id, send };
}

async function addFixture(webhook_connector_id: string) {
  const fixture = { fixture_raw_body: '{"text":"x"}', fixture_expected_outcome: 'ingest' };
  const fixture_name = `Fixture ${(made += 1)}`;
  return (await server.ok('add_webhook_test_fixture', { webhook_connector_id, fixture_name, ...fixture })).fixture_id;
}

const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('edit', 'trial'), code: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ kind: fc.constantFrom('test', 'activate', 'fixture', 'rename', 'send') }),
);

test('in any order of steps, a version is active only when all its fixtures passed for exactly that version, and trying code passes nothing', async () => {
  const [numRuns] = selectByDepth([60], [8]);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const { webhook_connector_id, send } = await createConnector(buildCode(1));
      const sent: string[] = [];
      const activated = new Set<number>();
      // The expected state, kept apart from the server.
      const passed = new Set<string>();
      const fixtures: string[] = [await addFixture(webhook_connector_id)];
      let [version, code, active]: [number, number, number | null] = [1, 1, null];
      for (const each of steps) {
        if (each.kind === 'send') sent.push(await send({ text: 'x' }));
        else if (each.kind === 'edit' || each.kind === 'rename') {
          if ('code' in each) code = each.code;
          const change = each.kind === 'edit' ? { translator_code: buildCode(code) } : { name: `Renamed ${version}` };
          ({ version } = await server.ok('update_webhook_config', { webhook_connector_id, ...change }));
        } else if (each.kind === 'fixture') fixtures.push(await addFixture(webhook_connector_id));
        else if (each.kind === 'test') {
          const fixture_id = fixtures.at(-1) ?? '';
          const answer = await server.ok('test_webhook_translator', { fixture_id });
          expect(answer.passed).toBe(code % 2 === 1);
          if (answer.passed) passed.add(`${version} ${fixture_id}`);
        } else if (each.kind === 'trial') {
          const fixture_id = fixtures.at(-1) ?? '';
          const translator_code = buildCode(each.code);
          const answer = await server.ok('test_webhook_translator', { fixture_id, translator_code });
          expect(answer.passed).toBe(each.code % 2 === 1);
        } else {
          const { status } = await server.call('activate_webhook_connector', { webhook_connector_id });
          const isReady = fixtures.every((id) => passed.has(`${version} ${id}`));
          expect(status).toBe(isReady ? 200 : 409);
          if (isReady) activated.add((active = version));
        }
      }
      const shown = await server.ok('get_webhook_connector', { webhook_connector_id });
      expect(shown.active_version).toBe(active);
      for (const webhook_event_id of sent) {
        const event = () => server.ok('get_webhook_event', { webhook_event_id });
        await expect.poll(async () => (await event()).outcome, { timeout: 10_000, interval: 25 }).not.toBe('received');
        const { version: ran, outcome } = await event();
        expect(outcome === 'draft' ? null : ran).toSatisfy(
          (number) => number === null || activated.has(number as number),
        );
        if (outcome === 'draft') expect(ran).toBeNull();
      }
    }),
    { numRuns: numRuns ?? 8, endOnFailure: true },
  );
});

test('events are listed by time and in pages, newest first', async () => {
  const { webhook_connector_id, send } = await createConnector(buildCode(1));
  const ids: string[] = [];
  for (const text of ['one', 'two', 'three']) ids.unshift(await send({ text }));
  await database.rows(`update webhook_events set received_at = '2026-05-01T10:00:00Z' where id = $1`, [ids[2]]);
  const listed = async (more: object) => {
    const { events, has_more } = await server.ok('list_webhook_events', { webhook_connector_id, ...more });
    return [events.map(({ webhook_event_id }) => webhook_event_id), has_more];
  };
  expect(await listed({ limit: 2 })).toEqual([ids.slice(0, 2), true]);
  expect(await listed({ limit: 2, offset: 2 })).toEqual([ids.slice(2), false]);
  const [from, to] = ['2026-05-01T12:00:00+02:00', '2026-05-01T12:00:01+02:00'];
  expect(await listed({ since: from, until: to })).toEqual([ids.slice(2), false]);
  expect(await listed({ since: to })).toEqual([ids.slice(0, 2), false]);
});

test('of many processes at once, one may mail the owner in half an hour', async () => {
  const { webhook_connector_id: id } = await createConnector(buildCode(1));
  const db = createKysely<Tables>(createOwnerPool({ connectionString: server.connectionString }, 8));
  const at = new Date();
  const claims = (now: Date) =>
    Promise.all(
      Array.from({ length: 8 }, () =>
        db.transaction().execute((tx) => claimAlert(tx, id, now, new Date(now.getTime() - 30 * 60_000))),
      ),
    );
  const won = async (minutes: number) =>
    (await claims(new Date(at.getTime() + minutes * 60_000))).filter((each) => each !== undefined).length;
  try {
    expect([await won(0), await won(29), await won(30)]).toEqual([1, 0, 1]);
  } finally {
    await db.destroy();
  }
});

test('a translator gets the parsed body, the raw body, the headers and the query', async () => {
  const code = `function translate(event) {
    const { body, raw_body, headers, query } = event;
    return { documents: [{ content: JSON.stringify([Object.keys(event).sort(), body.text, raw_body, headers['x-kind'], query]) }] };
  }`;
  const { webhook_connector_id } = await createConnector(code);
  const { fixture_id } = await server.ok('add_webhook_test_fixture', {
    webhook_connector_id,
    fixture_name: 'All four',
    fixture_raw_body: '{"text" : "x"}',
    fixture_headers: { 'x-kind': 'lamp' },
    fixture_query: { from: 'tower' },
    fixture_expected_outcome: 'ingest',
  });
  const { first_document_preview } = await server.ok('test_webhook_translator', { fixture_id });
  expect(JSON.parse(String(first_document_preview))).toEqual([
    ['body', 'headers', 'query', 'raw_body'],
    'x',
    '{"text" : "x"}',
    'lamp',
    { from: 'tower' },
  ]);
});

test('an owner gets one mail in half an hour about a connector, with the count of unsigned requests', async () => {
  const { webhook_connector_id, send } = await createConnector('function translate({ body }) { return body.answer; }');
  const raw = '{"answer":{"documents":[{"content":"x"}]}}';
  const fixture = { fixture_name: 'Usual', fixture_raw_body: raw, fixture_expected_outcome: 'ingest' };
  const { fixture_id } = await server.ok('add_webhook_test_fixture', { webhook_connector_id, ...fixture });
  await server.ok('test_webhook_translator', { fixture_id });
  await server.ok('activate_webhook_connector', { webhook_connector_id });
  await database.rows(`insert into webhook_events (id, workspace_id, connector_id, received_at, outcome, headers, query, body_bytes, counted)
    select gen_random_uuid(), workspace_id, id, now(), 'signature_failed', '{}', '{}', 0, 7 from webhook_connectors where id = '${webhook_connector_id}'`);
  const failed = async (count: number) => {
    const of = { webhook_connector_id, webhook_event_filter: 'errors' };
    const events = async () => (await server.ok('list_webhook_events', of)).events.length;
    await expect.poll(events, { timeout: 10_000, interval: 25 }).toBe(count);
  };
  for (let i = 0; i < 5; i += 1) await send({ answer: i });
  await failed(5);
  await expect.poll(() => smtp.taken.length, { timeout: 10_000, interval: 25 }).toBe(1);
  expect(smtp.taken[0]?.text).toContain('Requests with a wrong signature since the last mail: 7.');
  await database.rows(`update webhook_connectors set alerted_at = now() - interval '31 minutes'`);
  await send({ answer: 'once more' });
  await failed(6);
  await expect.poll(() => smtp.taken.length, { timeout: 10_000, interval: 25 }).toBe(2);
});

test('a backtest shows what a new version adds, loses, changes and fails on, and stores nothing', async () => {
  const codeBefore = `function translate({ body }) {
    if (body.old === false) return { drop: true };
    return { documents: [{ content: body.text, source_id: body.id }] }; }`;
  const { webhook_connector_id, send } = await createConnector(codeBefore);
  const early = await server.call('backtest_webhook_translator', { webhook_connector_id });
  expect(early).toMatchObject({ status: 409, body: { detail: expect.stringContaining('No version is active') } });
  await server.ok('test_webhook_translator', { fixture_id: await addFixture(webhook_connector_id) });
  await server.ok('activate_webhook_connector', { webhook_connector_id });
  const bodies = [
    { id: 1, text: 'Same' },
    { id: 2, text: 'Changed', change: true },
    { id: 3, text: 'Lost', lose: true },
    { id: 4, text: 'Added', old: false },
    { id: 5, text: 'Fails', fail: true },
  ];
  const ids: string[] = [];
  for (const body of bodies) ids.push(await send(body));
  const waiting = async () =>
    (
      await database.rows(`select id from webhook_events where connector_id = $1 and outcome = 'received'`, [
        webhook_connector_id,
      ])
    ).length;
  await expect.poll(waiting, { timeout: 10_000, interval: 25 }).toBe(0);
  await server.ok('update_webhook_config', {
    webhook_connector_id,
    translator_code: `function translate({ body }) {
      if (body.fail) throw new Error('too new');
      if (body.lose) return { drop: true };
      return { documents: [{ content: body.change ? body.text + '!' : body.text, source_id: body.id }] }; }`,
  });
  const stored = () =>
    database.rows(
      `select (select count(*) from memories) as memories, (select json_agg(e order by id) from webhook_events e
      where connector_id = $1) as events`,
      [webhook_connector_id],
    );
  const before = await stored();
  const answer = await server.ok('backtest_webhook_translator', { webhook_connector_id });
  expect(answer).toMatchObject({ version: 2, against_version: 1, events: 5, is_complete: true });
  expect(answer).toMatchObject({ added: 1, lost: 1, changed: 1, unchanged: 1, errors: 1 });
  expect(answer.examples).toEqual([
    { kind: 'error', webhook_event_id: ids[4], source_id: null, before: null, after: 'Error: too new' },
    { kind: 'added', webhook_event_id: ids[3], source_id: '4', before: null, after: 'Added' },
    { kind: 'lost', webhook_event_id: ids[2], source_id: '3', before: 'Lost', after: null },
    { kind: 'changed', webhook_event_id: ids[1], source_id: '2', before: 'Changed', after: 'Changed!' },
  ]);
  expect(await stored()).toEqual(before);
});

test('a Notion connector that waits for a variable never shows the value of the variable', async () => {
  const given = { name: 'Notion', brain_id: brainId, provider: 'notion', webhook_secret_variable: 'ORG_SECRET' };
  const { connector_id: webhook_connector_id, webhook_slug } = await server.ok('create_webhook_connector', given);
  const shown = () => server.ok('get_webhook_connector', { webhook_connector_id });
  const body = '{"verification_token":"secret_of_notion"}';
  const headers = { 'content-type': 'application/json' };
  await server.request(`/v1/webhook/${webhook_slug}`, { method: 'POST', body, headers });
  await server.ok('set_variable', { var_scope: 'org', var_name: 'ORG_SECRET', value: 'the-value-of-all' });
  await server.ok('update_webhook_config', { webhook_connector_id, webhook_secret_variable: 'ORG_SECRET' });
  expect(await shown()).toMatchObject({ has_secret: true, has_unread_secret: false });
  const [token] = await database.rows(
    `select secret_variable from webhook_versions where connector_id = $1 and created_by_label = 'Notion'`,
    [webhook_connector_id],
  );
  expect(token).toEqual({ secret_variable: null });
});

test('the fixtures of a connector have at most 20 MB together', async () => {
  const { webhook_connector_id } = await createConnector(buildCode(1));
  const id = await addFixture(webhook_connector_id);
  await database.rows(`update webhook_fixtures set raw_body = repeat('x', 19999999) where id = $1`, [id]);
  const more = { fixture_name: 'More', fixture_raw_body: '{}', fixture_expected_outcome: 'ingest' };
  const answer = await server.call('add_webhook_test_fixture', { webhook_connector_id, ...more });
  expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining('20000000 bytes') } });
});

test('settings that the stored secret does not fit are refused, because an empty key could be used to sign', async () => {
  const of = { name: 'Text', brain_id: brainId, signature_scheme: 'hmac_sha256', webhook_secret: 'zzzzzzzzzzzzzzzz' };
  const { connector_id: webhook_connector_id } = await server.ok('create_webhook_connector', of);
  const change = { webhook_connector_id, signature_settings: { key: 'hex' } };
  expect((await server.call('update_webhook_config', change)).status).toBe(422);
});
