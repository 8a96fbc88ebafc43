import { createKysely, createOwnerPool } from '#platform/database';
import { sql } from 'kysely';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInOwner } from '../../../tests/support/colleague.ts';
import { startPassingOn, type PassingOn } from '../../../tests/support/passing-on.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startSmtp, type SmtpServer } from '../../../tests/support/smtp.ts';
import { takeDeliveries } from './store/deliveries.ts';
import type { Tables } from './store/tables.ts';

let smtp: SmtpServer;
let world: PassingOn;
let server: PassingOn['server'];
let receiver: PassingOn['receiver'];
let database: PassingOn['database'];
let source: PassingOn['source'];
let destination: PassingOn['destination'];
let gotAt: PassingOn['gotAt'];
let arrived: PassingOn['arrived'];

beforeAll(async () => {
  smtp = await startSmtp();
  world = await startPassingOn({ THALAMUS_MAIL_URL: smtp.url });
  ({ server, receiver, database, source, destination, gotAt, arrived } = world);
});
afterAll(async () => {
  await world.close();
  await smtp.close();
});

function attach(source_id: string, output_destination_id: string, more: object = {}, key?: string) {
  const of = { output_source_kind: 'webhook_connector', output_source_id: source_id, output_destination_id };
  return server.ok('attach_output_route', { ...of, ...more }, key ? { key } : {});
}
const listDeliveries = async (output_destination_id: string) =>
  (await server.ok('list_output_deliveries', { output_destination_id })).deliveries;
const waitForDelivery = async (id: string, status: string) =>
  expect.poll(async () => (await listDeliveries(id))[0]?.status, { timeout: 10_000, interval: 25 }).toBe(status);
async function createAgentKey() {
  const scopes = ['connectors:read', 'connectors:write', 'actions:draft', 'actions:read'];
  return String((await server.ok('create_key', { label: 'Agent', scopes })).key);
}
async function setRules(rules: object[]) {
  const { version } = await server.ok('get_policy');
  await server.ok('set_policy', { version, rules });
}
const readState = async (id: string) =>
  (await server.ok('list_output_destinations')).destinations.find((each) => each.output_destination_id === id)?.status;
/** Makes waiting deliveries due now. */
const makeDue = () =>
  database.rows(`update output_deliveries set next_attempt_at = now() - interval '1 second' where status = 'waiting'`);

test('a person’s route works at once; other implementations verify what arrives, and filters choose documents', async () => {
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
  const delivered = JSON.parse(gotAt(urgent.path)[0]?.body ?? '') as { data: { documents: { content: string }[] } };
  expect(delivered.data.documents.map(({ content }) => content)).toEqual(['The pier burns']);
  expect(gotAt(raw.path)[0]?.body).toBe(JSON.stringify({ documents }));
  await waitForDelivery(urgent.id, 'delivered');
  expect(await listDeliveries(urgent.id)).toMatchObject([
    { document_count: 1, delivered: true, http_status: 204, attempts: 1 },
  ]);
});

test('an agent’s route waits for a person, and a blocked host gets none', async () => {
  const [from, to] = [await source(), await destination()];
  const agent = await createAgentKey();
  const { status, draft, output_route_id } = await attach(from.id, to.id, {}, agent);
  expect({ status, kind: draft?.kind }).toEqual({ status: 'waiting', kind: 'draft' });
  const denied = await server.call('test_output_destination', { output_destination_id: to.id }, { key: agent });
  expect(denied.status).toBe(403);
  const moved = { output_destination_id: to.id, output_destination_url: `${receiver.url}/elsewhere` };
  expect((await server.call('update_output_destination', moved, { key: agent })).status).toBe(403);
  await from.send({ text: 'Before anybody agreed' });
  expect(await listDeliveries(to.id)).toEqual([]);
  await server.ok('confirm_action', { draft_id: draft?.draft_id });
  const { routes } = await server.ok('list_output_routes', { output_destination_id: to.id });
  expect(routes).toMatchObject([{ output_route_id, status: 'active' }]);
  await from.send({ text: 'After a person agreed' });
  await arrived(to.path);
  expect(gotAt(to.path)[0]?.body).toContain('After a person agreed');
  await setRules([{ effect: 'block', sources: ['outputs'], account: '127.0.0.1' }]);
  const of = { output_source_kind: 'webhook_connector', output_source_id: from.id, output_destination_id: to.id };
  const blocked = [
    await server.call('attach_output_route', of),
    await server.call('attach_output_route', of, { key: agent }),
  ];
  expect(blocked.map((each) => each.status)).toEqual([403, 403]);
  await setRules([]);
  const registered = await server.ok(
    'register_output_destination',
    { name: 'By an agent', output_destination_url: receiver.url, output_destination_kind: 'webhook' },
    { key: agent },
  );
  expect(registered.signing_secret).toBeNull();
  expect(new URL(String(registered.secret_link)).pathname).toBe(`/destinations/${registered.output_destination_id}`);
});

test('a failed delivery is retried under the same id, redirects fail, and a delivered one can be sent again', async () => {
  const [from, to] = [await source(), await destination()];
  await attach(from.id, to.id);
  receiver.answers.set(to.path, [503, 302]);
  await from.send({ text: 'Try me again' });
  for (const count of [1, 2]) {
    await arrived(to.path, count);
    await expect.poll(async () => (await listDeliveries(to.id))[0]?.attempts, { timeout: 5_000 }).toBe(count);
    const [waiting] = await listDeliveries(to.id);
    const pauseMs = new Date(waiting?.next_attempt_at ?? 0).getTime() - Date.now();
    expect(pauseMs).toBeGreaterThan(count === 1 ? 590_000 : 290_000); // the first answer asked for ten minutes
    await makeDue();
  }
  await waitForDelivery(to.id, 'delivered');
  const [delivery] = await listDeliveries(to.id);
  const { attempt_rows } = await server.ok('get_output_delivery', { delivery_id: delivery?.delivery_id });
  expect(attempt_rows.map(({ http_status, delivered }) => [http_status, delivered])).toEqual([
    [503, false],
    [null, false],
    [204, true],
  ]);
  await server.ok('replay_output_delivery', { delivery_id: delivery?.delivery_id });
  await arrived(to.path, 4);
  expect(new Set(gotAt(to.path).map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery?.webhook_id]));
  expect(receiver.got.some(({ path }) => path === '/elsewhere')).toBe(false);
});

test('410 ends a destination, five days of failures pause it with a mail halfway, and recovering sends what failed', async () => {
  const [from, gone, down] = [await source(), await destination(), await destination()];
  await attach(from.id, gone.id);
  await attach(from.id, down.id);
  receiver.answers.set(gone.path, [410]);
  receiver.answers.set(down.path, [503, 503, 503, 503]);
  await from.send({ text: 'Nobody is there' });
  await expect.poll(() => readState(gone.id), { timeout: 5_000 }).toBe('gone');
  expect(await listDeliveries(gone.id)).toMatchObject([{ status: 'failed', http_status: 410 }]);
  await from.send({ text: 'Nobody is there still' });
  expect(await listDeliveries(gone.id)).toHaveLength(1);
  const failing = async (days: number, count: number) => {
    const since = `now() - interval '${days} days'`;
    await database.rows(`update output_destinations set failing_since = ${since} where id = $1`, [down.id]);
    await makeDue();
    await arrived(down.path, count);
  };
  await arrived(down.path, 2);
  await expect.poll(async () => (await listDeliveries(down.id))[1]?.attempts, { timeout: 5_000 }).toBe(1);
  await failing(3, 4); // both attempts come after half the time, and one mail is sent
  const mails = () => smtp.taken.filter(({ text }) => text.includes(down.path)).map(({ text }) => text.split('\n')[0]);
  await expect.poll(mails, { timeout: 10_000 }).toEqual([expect.stringContaining('It will be paused after five')]);
  receiver.answers.set(down.path, [503, 503]);
  await failing(6, 6);
  await expect.poll(() => readState(down.id), { timeout: 5_000 }).toBe('paused');
  await expect.poll(mails, { timeout: 10_000 }).toHaveLength(2);
  expect(mails()[1]).toContain('has failed for five days and is paused');
  await database.rows(`update output_deliveries set status = 'failed' where destination_id = '${down.id}'`);
  expect(
    (await server.ok('list_output_destinations')).destinations.find((each) => each.output_destination_id === down.id),
  ).toMatchObject({ last_delivery_status: 'failed', failures_last_day: 2, waiting_deliveries: 0 });
  const early = { output_destination_id: down.id, until: '2026-01-01T00:00:00Z' };
  expect((await server.ok('recover_output_deliveries', early)).recovered).toBe(0);
  const recovered = await server.ok('recover_output_deliveries', { output_destination_id: down.id });
  expect(recovered.recovered).toBe(2);
  await waitForDelivery(down.id, 'delivered');
  expect(await readState(down.id)).toBe('active');
});

test('a destination that hangs takes four deliveries, and others get theirs meanwhile', async () => {
  const [from, slow, quick] = [await source(), await destination(), await destination()];
  await attach(from.id, slow.id);
  await attach(from.id, quick.id);
  const { promise, resolve } = Promise.withResolvers<void>();
  receiver.hanging.set(slow.path, promise);
  try {
    await Promise.all(Array.from({ length: 6 }, (_, at) => from.send({ text: `Event ${at}` })));
    await arrived(quick.path, 6);
    await arrived(slow.path, 4);
    expect((await listDeliveries(slow.id)).map(({ status }) => status)).toEqual(Array(6).fill('waiting'));
  } finally {
    resolve();
  }
  await arrived(slow.path, 6);
});

test('a destination gets at most its limit per minute, the others wait, and other destinations get theirs', async () => {
  const [from, slow, quick] = [await source(), await destination({ max_per_minute: 2 }), await destination()];
  await attach(from.id, slow.id);
  await attach(from.id, quick.id);
  const change = { output_destination_id: slow.id, max_per_minute: 1 };
  expect(await server.ok('update_output_destination', change)).toMatchObject({ max_per_minute: 1 });
  for (const text of ['First', 'Second', 'Third']) await from.send({ text });
  await arrived(quick.path, 3);
  for (const count of [1, 2, 3]) {
    await arrived(slow.path, count);
    const waiting = async () => (await listDeliveries(slow.id)).filter(({ status }) => status === 'waiting').length;
    await expect.poll(waiting, { timeout: 5_000, interval: 25 }).toBe(3 - count);
    await database.rows('update output_paces set next_at = now() where destination_id = $1', [slow.id]);
  }
});

test("several processes together never exceed a destination's limit in any minute, and each delivery is sent once", async () => {
  const [from, to] = [await source(), await destination({ max_per_minute: 11 })];
  await attach(from.id, to.id);
  await from.send({ text: 'The first' });
  await waitForDelivery(to.id, 'delivered');
  await server.ok('update_output_destination', { output_destination_id: to.id, status: 'paused' });
  const columns = 'workspace_id, route_id, destination_id, content_type, payload_bytes, document_count, created_at';
  await database.rows(
    `insert into output_deliveries (id, event_id, status, next_attempt_at, ${columns})
     select gen_random_uuid(), gen_random_uuid(), 'waiting', created_at, ${columns}
       from output_deliveries, generate_series(1, 40) where destination_id = $1`,
    [to.id],
  );
  const [{ workspace_id } = {}] = await database.rows('select workspace_id from output_destinations where id = $1', [
    to.id,
  ]);
  const paced = { id: to.id, workspace_id: String(workspace_id), max_per_minute: 11 };
  const db = createKysely<Tables>(createOwnerPool({ connectionString: server.connectionString }, 3));
  const sent = new Map<string, number>();
  const begun = Date.now() + 3_600_000;
  try {
    for (let second = 0; second < 300; second += 3) {
      const clock = sql<Date>`${new Date(begun + second * 1_000)}::timestamptz`;
      const take = () => takeDeliveries(db, paced, { at: new Date(), limit: 4, leaseMs: 600_000, clock });
      for (const { id } of (await Promise.all([take(), take(), take()])).flat()) {
        expect(sent.has(id)).toBe(false);
        sent.set(id, second);
      }
    }
  } finally {
    await db.destroy();
  }
  const times = [...sent.values()];
  expect(times).toHaveLength(40);
  for (const first of times) expect(times.filter((each) => each >= first && each < first + 60).length).toBeLessThan(12);
});

test('after a rotation both secrets sign; only custom headers use values of variables; a test message returns the answer', async () => {
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
  for (const secret of [to.secret, String(signing_secret)])
    new StandardWebhook(secret).verify(got?.body ?? '', got?.headers as Record<string, string>); // each came once
  expect(got?.headers['x-api-key']).toBe('value-of-the-key');
  const from = await source();
  await attach(from.id, to.id, { output_payload_format: 'raw_payload' });
  const event = { text: `An event may say sec_${'x'.repeat(24)} and ${handle}` };
  await from.send(event);
  await arrived(to.path, 2);
  expect(gotAt(to.path)[1]).toMatchObject({
    body: JSON.stringify(event),
    headers: { 'x-api-key': 'value-of-the-key' },
  });
  const shown = JSON.stringify(await server.ok('list_output_destinations'));
  expect(shown).not.toMatch(/value-of-the-key|whsec_/);
});

test('an address that egress would refuse cannot be registered', async () => {
  for (const url of ['http://hooks.example.com', 'https://127.0.0.1/x', 'https://user:pass@hooks.example.com/']) {
    const given = { name: 'x', output_destination_url: url, output_destination_kind: 'webhook' };
    expect((await server.call('register_output_destination', given)).status, url).toBeGreaterThanOrEqual(400);
  }
});

test('nothing is sent along the route of an admin who became a member, and the owner of its source can detach it', async () => {
  const [grace, max] = [await addPerson(database), await addPerson(database)];
  const owner = await signInOwner(server, database);
  await owner.ok('change_person_role', { person_id: max.personId, role: 'admin' });
  const { brain_id: shared } = await server.ok('create_brain', { name: 'Shared' });
  await database.rows(
    `insert into brain_members select $1, $2, workspace_id, 'editor', true, now(), null from brains where id = $1`,
    [shared, grace.personId],
  );
  const [from, to] = [await source({ ...grace, brainId: String(shared) }), await destination({}, max.key)];
  const ofHerOwn = await source(grace);
  const hers = { output_source_kind: 'webhook_connector', output_source_id: ofHerOwn.id, output_destination_id: to.id };
  expect((await server.call('attach_output_route', hers, { key: max.key })).status).toBe(403); // Max may not read her brain
  await attach(from.id, to.id, { output_payload_format: 'raw_payload' }, max.key);
  receiver.answers.set(to.path, [500]);
  await from.send({ text: 'While Max administers' });
  await expect.poll(async () => (await listDeliveries(to.id))[0]?.attempts, { timeout: 5_000 }).toBe(1);
  await owner.ok('change_person_role', { person_id: max.personId, role: 'member' });
  await makeDue();
  await waitForDelivery(to.id, 'failed');
  await from.send({ text: 'After that' });
  expect(await listDeliveries(to.id)).toHaveLength(1);
  expect(gotAt(to.path)).toHaveLength(1);
  const again = { output_source_kind: 'webhook_connector', output_source_id: from.id, output_destination_id: to.id };
  expect((await server.call('attach_output_route', again, { key: grace.key })).status).toBe(404);
  expect((await server.call('attach_output_route', again)).status).toBe(403);
  const { routes } = await server.ok('list_output_routes', {}, { key: grace.key });
  expect(routes).toMatchObject([{ output_source_id: from.id, status: 'active' }]);
  const [route] = routes;
  await server.ok('detach_output_route', { output_route_id: route?.output_route_id }, { key: grace.key });
  expect(await server.ok('list_output_routes', { output_source_id: from.id })).toEqual({ routes: [] });
});

test('headers are part of what is approved, and an agent cannot change them', async () => {
  const [from, to, agent] = [
    await source(),
    await destination({ headers: { 'x-tenant': 'ours' } }),
    await createAgentKey(),
  ];
  const { draft } = await attach(from.id, to.id, {}, agent);
  expect(draft?.payload).toMatchObject({ headers: { 'x-tenant': 'ours' } });
  expect(draft?.preview?.fields).toContainEqual(expect.objectContaining({ text: 'x-tenant: ours' }));
  const other = { output_destination_id: to.id, headers: { 'x-tenant': 'theirs' } };
  expect((await server.call('update_output_destination', other, { key: agent })).status).toBe(403);
  const same = { output_destination_id: to.id, headers: { 'x-tenant': 'ours' }, name: 'Renamed' };
  expect((await server.call('update_output_destination', same, { key: agent })).status).toBe(200);
  await server.ok('update_output_destination', other);
  const confirmed = await server.call('confirm_action', { draft_id: draft?.draft_id });
  expect(confirmed.body['status']).not.toBe('confirmed');
  const { routes } = await server.ok('list_output_routes', { output_destination_id: to.id });
  expect(routes).toMatchObject([{ status: 'waiting' }]);
});

test('a header cannot contain a value that an agent wrote, nor one with which an agent replaced a person’s', async () => {
  const plain = await server.ok('create_key', { label: 'Plain' });
  const scopes = [...(plain['scopes'] as string[]), 'connectors:write'];
  const { key, key_id } = await server.ok('create_key', { label: 'Header bot', scopes });
  const own = { var_scope: 'agent', scope_id: key_id, hosts: [new URL(receiver.url).host] };
  const write = async (var_name: string, value: string, by = server.key) =>
    String((await server.ok('set_variable', { ...own, var_name, value }, { key: by }))['handle']);
  const hidden = { 'x-api-key': await write('WRITTEN', 'of-the-agent', key) };
  const input = {
    name: 'Hidden',
    output_destination_kind: 'webhook',
    output_destination_url: `${receiver.url}/hidden`,
  };
  const refused = await server.call('register_output_destination', { ...input, headers: hidden }, { key });
  expect(refused.body).toMatchObject({ code: 'invalid_input', detail: expect.stringContaining('an agent wrote') });
  const to = await destination({ headers: { 'x-api-key': await write('GIVEN', 'of-the-person') } }, key);
  const sent = async () => (await server.ok('test_output_destination', { output_destination_id: to.id })).delivered;
  expect(await sent()).toBe(true);
  await write('GIVEN', 'renewed-by-person');
  expect(await sent()).toBe(true);
  await write('GIVEN', 'of-the-agent', key);
  expect(await sent()).toBe(false);
  expect(gotAt(to.path).map(({ headers }) => headers['x-api-key'])).toEqual(['of-the-person', 'renewed-by-person']);
});

test("an administrator cannot send a member's variables to another address", async () => {
  const grace = await addPerson(database);
  const variable = { var_scope: 'person', var_name: 'GRACES', value: 'x', hosts: [new URL(receiver.url).host] };
  await server.ok('set_variable', variable, { key: grace.key });
  const { variables } = await server.ok('list_variables', {}, { key: grace.key });
  const to = await destination({ headers: { 'x-api-key': (variables as { handle: string }[])[0]?.handle } }, grace.key);
  const other = { output_destination_id: to.id, output_destination_url: `${receiver.url}/elsewhere` };
  expect((await server.call('update_output_destination', other)).status).toBe(404);
  expect((await server.call('update_output_destination', other, { key: grace.key })).status).toBe(200);
});

test('rules for a target apply to a person’s route and address, and require_human is satisfied only at the console', async () => {
  const [from, to] = [await source(), await destination()];
  const evil = await destination({ output_destination_url: 'https://evil.example.com/in' });
  const owner = await signInOwner(server, database);
  const of = { output_source_kind: 'webhook_connector', output_source_id: from.id };
  const moved = { output_destination_id: to.id, output_destination_url: 'https://evil.example.com/other' };
  await setRules([{ effect: 'block', sources: ['outputs'], target: 'POST evil*' }]);
  const refused = [
    await server.call('attach_output_route', { ...of, output_destination_id: evil.id }),
    await owner.call('attach_output_route', { ...of, output_destination_id: evil.id }),
    await server.call('update_output_destination', moved),
    await owner.call('update_output_destination', moved),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  const readState = async () => {
    const { destinations } = await server.ok('list_output_destinations');
    return destinations.find(({ output_destination_id }) => output_destination_id === evil.id)?.status;
  };
  await expect.poll(readState, { timeout: 5_000, interval: 25 }).toBe('paused'); // a later rule blocks it
  const again = [
    await owner.call('update_output_destination', { output_destination_id: evil.id, status: 'active' }),
    await owner.call('test_output_destination', { output_destination_id: evil.id }),
  ];
  expect(again.map(({ status }) => status)).toEqual([403, 403]);
  await setRules([{ effect: 'require_human', sources: ['outputs'] }]);
  expect(await attach(from.id, to.id)).toMatchObject({ status: 'waiting', draft: { kind: 'draft' } });
  expect((await server.call('update_output_destination', moved)).status).toBe(403);
  const tested = { output_destination_id: to.id };
  expect((await server.call('test_output_destination', tested)).status).toBe(403);
  expect((await owner.call('test_output_destination', tested)).status).toBe(200);
  const atConsole = { ...of, output_destination_id: to.id, output_type_filter: 'incident' };
  expect(await owner.ok('attach_output_route', atConsole)).toMatchObject({ status: 'active', draft: null });
  expect((await owner.call('update_output_destination', moved)).status).toBe(200);
  await setRules([]);
});

test('waiting deliveries of a detached route are not sent, and an agent cannot end a pause', async () => {
  const [from, to, agent] = [await source(), await destination(), await createAgentKey()];
  const { output_route_id } = await attach(from.id, to.id);
  receiver.answers.set(to.path, [500]);
  await from.send({ text: 'On its way' });
  await expect.poll(async () => (await listDeliveries(to.id))[0]?.attempts, { timeout: 5_000 }).toBe(1);
  await server.ok('detach_output_route', { output_route_id });
  const [delivery] = await listDeliveries(to.id);
  expect(delivery).toMatchObject({ status: 'failed', error: 'The route was detached.' });
  const { delivery_id } = delivery ?? {};
  expect((await server.call('replay_output_delivery', { delivery_id }, { key: agent })).status).toBe(409);
  const recovered = await server.ok('recover_output_deliveries', { output_destination_id: to.id }, { key: agent });
  expect(recovered.recovered).toBe(0);
  await server.ok('update_output_destination', { output_destination_id: to.id, status: 'paused' });
  const activate = { output_destination_id: to.id, status: 'active' };
  const refused = [
    await server.call('update_output_destination', activate, { key: agent }),
    await server.call('recover_output_deliveries', { output_destination_id: to.id }, { key: agent }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 403]);
  expect((await server.call('update_output_destination', activate)).status).toBe(200);
  expect(gotAt(to.path)).toHaveLength(1);
});
