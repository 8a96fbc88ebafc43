import { crc32 } from 'node:zlib';
import { agentScopes, ownerScopes } from '#kernel/scopes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enter } from '../../../../tests/support/colleague.ts';
import { addConnectedClient } from '../../../../tests/support/connected-client.ts';
import { addPerson } from '../../../../tests/support/second-person.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const readStatus = async (key: string, headers: Record<string, string> = {}) =>
  (await server.call('who_am_i', {}, { key, headers })).status;
const findListedKey = async (keyId: string) =>
  (await server.ok('list_keys')).keys.find((each) => each.key_id === keyId);

test('a new key ends with a CRC-32 checksum in base 62, so that a scanner recognises it', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { key } = await server.ok('create_key', { label: 'Scanned' });
    const [, random = '', checksum = ''] = /^cm_([0-9A-Za-z]{37})([0-9A-Za-z]{6})$/.exec(key) ?? [];
    const value = [...checksum].reduce((sum, letter) => sum * 62 + letters.indexOf(letter), 0);
    expect(value).toBe(crc32(random));
  }
});

test('a rotated key keeps its rights and its id; the old one works until the overlap ends', async () => {
  const { key: before, key_id } = await server.ok('create_key', { label: 'Rotated', scopes: ['brains:read'] });
  const { key: after, previous_until } = await server.ok('rotate_key', { key_id, overlap_hours: 1 });
  expect(Date.parse(previous_until) - Date.now()).toBeGreaterThan(3_500_000);
  expect([await readStatus(before), await readStatus(after)]).toEqual([200, 200]);
  expect((await server.ok('who_am_i', {}, { key: after })).scopes).toEqual(['brains:read']);
  expect(await findListedKey(key_id)).toMatchObject({ label: 'Rotated', previous_until });
  await database.rows(`update keys set previous_until = now() where id = $1`, [key_id]);
  await expect.poll(() => readStatus(before), { timeout: 3_000 }).toBe(401);
  expect(await readStatus(after)).toBe(200);
  const { key: last } = await server.ok('rotate_key', { key_id, overlap_hours: 0 });
  await expect.poll(() => readStatus(after), { timeout: 3_000 }).toBe(401);
  await server.ok('revoke_key', { key_id });
  await expect.poll(() => readStatus(last), { timeout: 3_000 }).toBe(401);
  expect((await server.call('rotate_key', { key_id })).status).toBe(409);
});

test('an expired key is not rotated: a new one is made instead', async () => {
  const { key_id } = await server.ok('create_key', { label: 'Old', scopes: ['brains:read'] });
  await database.rows(`update keys set expires_at = now() - interval '1 second' where id = $1`, [key_id]);
  expect(await server.call('rotate_key', { key_id })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('has expired') },
  });
});

test('a key cannot create or extend a key that outlives it', async () => {
  const lasting = await server.ok('create_key', { label: 'Lasting' });
  const day = await server.ok('create_key', { label: 'A day', scopes: [...ownerScopes], expires_in_days: 1 });
  const { url } = await server.ok('create_sign_in_link', {}, { key: day.key });
  const { call } = await enter(server, database, url);
  expect(await call('create_key', { label: 'Kept' })).toMatchObject({ body: { expires_at: day.expires_at } });
  const rotated = await call('rotate_key', { key_id: lasting.key_id });
  expect(rotated).toMatchObject({ body: { expires_at: day.expires_at } });
});

test('a key is hidden from other people, and from a key with fewer rights', async () => {
  const { key_id } = await server.ok('create_key', { label: 'Strong', scopes: [...ownerScopes] });
  const { key: weak } = await server.ok('create_key', { label: 'Weak', scopes: ['keys:write', 'keys:read'] });
  expect((await server.call('rotate_key', { key_id }, { key: weak })).status).toBe(403);
  const grace = await addPerson(database);
  const hers = (await server.ok('create_key', { label: 'Hers' }, { key: grace.key })).key_id;
  expect((await server.call('rotate_key', { key_id: hers })).status).toBe(403);
  expect((await server.call('rotate_key', { key_id }, { key: grace.key })).status).toBe(404);
});

test('the list marks keys with more rights than agents get today, and narrowing removes only the additional ones', async () => {
  const scopes = [...agentScopes, 'brains:move', 'syncs:write'];
  const { key, key_id } = await server.ok('create_key', { label: 'Old agent', scopes });
  expect((await findListedKey(key_id))?.beyond_default).toEqual(['brains:move', 'syncs:write']);
  expect(await server.ok('narrow_key', { key_id })).toMatchObject({ removed: ['brains:move', 'syncs:write'] });
  expect((await findListedKey(key_id))?.beyond_default).toEqual([]);
  await expect
    .poll(async () => (await server.ok('who_am_i', {}, { key })).scopes.includes('syncs:write'), { timeout: 3_000 })
    .toBe(false);
  const narrowed = await server.ok('narrow_key', { key_id, scopes: ['memory:read', 'policy:write'] });
  expect(narrowed.scopes).toEqual(['memory:read']);
  expect((await server.call('narrow_key', { key_id, scopes: ['policy:write'] })).status).toBe(409);
});

test('a paused key is refused until it is resumed', async () => {
  const { key, key_id } = await server.ok('create_key', { label: 'Paused' });
  await server.ok('update_key', { key_id, label: 'On holiday', is_paused: true });
  await expect.poll(() => readStatus(key), { timeout: 3_000 }).toBe(401);
  expect(await findListedKey(key_id)).toMatchObject({ label: 'On holiday', paused_at: expect.any(String) });
  await server.ok('update_key', { key_id, is_paused: false });
  await expect.poll(() => readStatus(key), { timeout: 3_000 }).toBe(200);
});

test('a paused key is resumed by a person or a key that may do as much, and by no weaker key', async () => {
  const scopes = ['memory:read', 'memory:write', 'actions:confirm'];
  const { key_id } = await server.ok('create_key', { label: 'Strong', scopes });
  const { key: weak } = await server.ok('create_key', { label: 'Weak', scopes: ['keys:write', 'keys:read'] });
  const grantId = await addConnectedClient(server, 'Paused client');
  await server.ok('update_key', { key_id, is_paused: true });
  await server.ok('update_connected_client', { id: grantId, is_paused: true });
  for (const [operation, input] of [
    ['update_key', { key_id, is_paused: false }],
    ['update_connected_client', { id: grantId, is_paused: false }],
  ] as const) {
    const answer = await server.call(operation, input, { key: String(weak) });
    expect(answer, operation).toMatchObject({ status: 403, body: { details: { missing: expect.any(Array) } } });
    expect((await server.call(operation, input)).status).toBe(200);
  }
});

test('a key’s person is notified of its first use from a new network, except for the very first use', async () => {
  const { key, key_id } = await server.ok('create_key', { label: 'Travelling' });
  const readKeyEvents = () => database.rows(`select payload from events where name = 'key.used_elsewhere' order by id`);
  const places = async () => (await findListedKey(key_id))?.places.map(({ place }) => place).toSorted() ?? [];
  await readStatus(key, { 'x-forwarded-for': '203.0.113.7' });
  await expect.poll(places).toEqual(['203.0.113.0/24']);
  expect(await readKeyEvents()).toEqual([]);
  await readStatus(key, { 'x-forwarded-for': '203.0.113.9' });
  await readStatus(key, { 'x-forwarded-for': '198.51.100.4' });
  await expect.poll(places).toEqual(['198.51.100.0/24', '203.0.113.0/24']);
  await readStatus(key, { 'x-forwarded-for': '198.51.100.99' });
  await expect
    .poll(readKeyEvents)
    .toMatchObject([{ payload: { key_id, label: 'Travelling', place: '198.51.100.0/24' } }]);
});

test('two concurrent restrictions of a key or client leave only what both keep', async () => {
  const scopes = ['memory:read', 'memory:write', 'brains:read'] as const;
  const { key_id } = await server.ok('create_key', { label: 'Narrowed twice', scopes: [...scopes] });
  const id = await addConnectedClient(server, 'Narrowed twice');
  const wanted = [
    ['brains:read', 'memory:read'],
    ['brains:read', 'memory:write'],
  ];
  const lockQuery = `begin; select 1 from keys where id = '${key_id}' for update; select 1 from oauth_grants where id = '${id}' for update`;
  await database.rows(lockQuery);
  const both = wanted.flatMap((kept) => [
    server.call('narrow_key', { key_id, scopes: kept }),
    server.call('update_connected_client', { id, scopes: kept }),
  ]);
  const waiting = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await expect.poll(async () => (await database.rows(waiting))[0]?.['n'], { timeout: 10_000 }).toBe(4);
  await database.rows('commit');
  const statuses = (await Promise.all(both)).map(({ status: each }) => each);
  expect(statuses.toSorted()).toEqual([200, 200, 200, 422]);
  expect(await findListedKey(key_id)).toMatchObject({ scopes: ['brains:read'] });
  const { clients } = await server.ok('list_connected_clients');
  expect(clients.find((each) => each.id === id)?.scopes).toHaveLength(2);
});
