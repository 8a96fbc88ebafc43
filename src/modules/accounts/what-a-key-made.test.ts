import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInOwner, type SignedIn } from '../../../tests/support/colleague.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let ada: SignedIn;
beforeAll(async () => {
  server = await startTestServer({ THALAMUS_OWNER_EMAIL: 'ada@example.com' });
  database = await openAsOwner(server.connectionString);
  ada = await signInOwner(server, database);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const status = async (key: unknown) => (await server.call('who_am_i', {}, { key: String(key) })).status;

async function open(url: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json', origin: server.url };
  const body = JSON.stringify({ token: new URL(String(url)).hash.slice(1) });
  return (await server.request('/auth/sign-in', { method: 'POST', headers, body })).status;
}

const powers = [
  'keys:read',
  'keys:write',
  'members:write',
  'brains:read',
  'sign_in_links:create',
  'connectors:write',
  'workspace:admin',
];
type Invited = { join_link: { url: string } | null; invitation_id: string };

test('all that a leaked key made ends with it: keys of its keys, tokens and open invitations', async () => {
  const leaked = await ada.ok('create_key', { label: 'Leaked', scopes: powers });
  const by = { key: String(leaked['key']) };
  const child = await server.ok('create_key', { label: 'Child', scopes: ['keys:write', 'brains:read'] }, by);
  const grandchild = await server.ok(
    'create_key',
    { label: 'Grandchild', scopes: ['brains:read'] },
    { key: child.key },
  );
  const connector = await ada.call('create_connector', { name: 'Own', source: 'slack', connector_type: 'shared' });
  const owned = await server.call('create_connector', { name: 'Evil', source: 'slack', connector_type: 'shared' }, by);
  const pending = (await server.ok('invite_person', { email: 'pending@evil.example' }, by)) as unknown as Invited;
  const resent = (await ada.ok('invite_person', { email: 'resent@evil.example' })) as unknown as Invited;
  const again = (await server.ok(
    'resend_invitation',
    { invitation_id: resent.invitation_id },
    by,
  )) as unknown as Invited;
  expect([connector.status, owned.status]).toEqual([200, 200]);

  expect((await ada.ok('list_keys'))['keys']).toContainEqual(
    expect.objectContaining({ key_id: child.key_id, made_by_key: leaked['key_id'] }),
  );
  const revoked = await ada.ok('revoke_key', { key_id: leaked['key_id'] });
  expect(revoked['ended']).toMatchObject({ keys: 2, invitations: 2, people: 0 });
  for (const key of [by.key, child.key, grandchild.key])
    await expect.poll(() => status(key), { timeout: 3_000 }).toBe(401);
  expect(await open(pending.join_link?.url)).toBe(401);
  expect(await open(again.join_link?.url)).toBe(401);
  const tokenOf = (body: Record<string, unknown>) =>
    database.rows('select 1 from webhook_tokens where id = $1', [body['connector_id']]);
  expect(await tokenOf(owned.body)).toEqual([]);
  expect(await tokenOf(connector.body)).toHaveLength(1);
  await expect.poll(() => status(owned.body['webhook_token']), { timeout: 3_000 }).toBe(401);
});

test('people who joined by a leaked key are listed, and go where the person ticks them', async () => {
  const leaked = await ada.ok('create_key', { label: 'Inviting', scopes: powers });
  const by = { key: String(leaked['key']) };
  const joined = [];
  for (const email of ['friend@example.com', 'thief@evil.example']) {
    const { join_link } = (await server.ok('invite_person', { email }, by)) as unknown as Invited;
    expect(await open(join_link?.url)).toBe(200);
    joined.push(email);
  }
  const listed = (
    (await ada.ok('list_keys'))['keys'] as { key_id: string; joined: { email: string; person_id: string }[] }[]
  ).find(({ key_id }) => key_id === leaked['key_id']);
  expect(listed?.joined.map(({ email }) => email)).toEqual(joined);
  const thief = listed?.joined[1]?.person_id;
  const other = (await ada.ok('list_people'))['people'] as { person_id: string; role: string }[];
  const owner = other.find(({ role }) => role === 'owner')?.person_id;
  expect((await ada.call('revoke_key', { key_id: leaked['key_id'], remove_people: [owner] })).status).toBe(409);
  const revoked = await ada.ok('revoke_key', { key_id: leaked['key_id'], remove_people: [thief] });
  expect(revoked).toMatchObject({ ended: { people: 1 }, joined: [{ email: 'friend@example.com' }] });
  const people = (await ada.ok('list_people'))['people'] as { email: string }[];
  expect(people.map(({ email }) => email)).toContain('friend@example.com');
  expect(people.map(({ email }) => email)).not.toContain('thief@evil.example');
});

test('what a key made outlives its rotation and its end', async () => {
  const parent = await ada.ok('create_key', { label: 'Parent', scopes: ['keys:write', 'keys:read', 'brains:read'] });
  const by = { key: String(parent['key']) };
  const child = await server.ok('create_key', { label: 'Child of it', scopes: ['brains:read'] }, by);
  await ada.ok('rotate_key', { key_id: parent['key_id'] });
  expect(await status(child.key)).toBe(200);
  await database.rows(`update keys set expires_at = now() - interval '1 minute' where id = $1`, [parent['key_id']]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await status(child.key)).toBe(200);
});
