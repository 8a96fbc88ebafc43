import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinAs, signInOwner, type SignedIn } from '../../../../tests/support/colleague.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

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

/** A colleague who administers the workspace, and their key. */
async function joinAsAdmin(name: string): Promise<SignedIn> {
  const admin = await joinAs(server, database, `${name}@example.com`);
  await ada.ok('change_person_role', { person_id: admin.personId, role: 'admin' });
  await expect
    .poll(async () => (await admin.call('update_workspace', { name: 'Workspace' })).status, { timeout: 3_000 })
    .toBe(200);
  return admin;
}

async function open(url: unknown): Promise<{ status: number; role: string | undefined }> {
  const headers = { 'content-type': 'application/json', origin: server.url };
  const body = JSON.stringify({ token: new URL(String(url)).hash.slice(1) });
  const response = await server.request('/auth/sign-in', { method: 'POST', headers, body });
  const email = (await database.rows('select email, role from people order by created_at desc limit 1'))[0];
  return { status: response.status, role: response.status === 200 ? String(email?.['role']) : undefined };
}

const getJoinLink = (invited: Record<string, unknown>) => (invited['join_link'] as { url: string }).url;
const listInvitedAddresses = async () =>
  ((await ada.ok('list_people'))['invitations'] as { email: string }[]).map(({ email }) => email);

test('invitations of a removed admin end with them, and their links admit nobody', async () => {
  const mallory = await joinAsAdmin('mallory');
  const link = getJoinLink(await mallory.ok('invite_person', { email: 'second@evil.example', role: 'admin' }));
  await ada.ok('remove_person', { person_id: mallory.personId });
  expect(await listInvitedAddresses()).not.toContain('second@evil.example');
  expect((await open(link)).status).toBe(401);
  await ada.ok('invite_person', { email: 'second@evil.example' });
  expect((await open(link)).status).toBe(401);
});

test('a demoted admin’s invitations of admins end, and those of members let members in', async () => {
  const dora = await joinAsAdmin('dora');
  const asAdmin = getJoinLink(await dora.ok('invite_person', { email: 'dora-2@evil.example', role: 'admin' }));
  const asMember = getJoinLink(await dora.ok('invite_person', { email: 'friend@example.com' }));
  await ada.ok('change_person_role', { person_id: dora.personId, role: 'member' });
  expect(await listInvitedAddresses()).not.toContain('dora-2@evil.example');
  expect((await open(asAdmin)).status).toBe(401);
  expect(await open(asMember)).toEqual({ status: 200, role: 'member' });
});

test('an invitation grants only what its inviter may grant when the person joins', async () => {
  const ruth = await joinAsAdmin('ruth');
  const link = getJoinLink(await ruth.ok('invite_person', { email: 'ruth-2@evil.example', role: 'admin' }));
  await database.rows(`update people set role = 'member' where id = $1`, [ruth.personId]);
  expect((await open(link)).status).toBe(401);

  const kai = await joinAs(server, database, 'kai@example.com');
  const { brain_id } = await kai.ok('create_brain', { name: 'Reef' });
  const invited = await kai.ok('invite_member', { brain_id, email: 'kai-2@evil.example', access_level: 'admin' });
  const { join_link } = await ada.ok('resend_invitation', { invitation_id: invited['user_id'] });
  await database.rows(`update brain_members set removed_at = now() where person_id = $1 and brain_id = $2`, [
    kai.personId,
    brain_id,
  ]);
  expect((await open((join_link as { url: string }).url)).status).toBe(401);
});

test('a removed member does not return through an invitation to a brain, of their own or of another address', async () => {
  const leo = await joinAs(server, database, 'leo@example.com');
  const { brain_id } = await leo.ok('create_brain', { name: 'Quay' });
  const own = await leo.ok('invite_member', { brain_id, email: 'leo-2@evil.example', access_level: 'admin' });
  await database.rows(
    `insert into identity_addresses (email, identity_id, proved_at) select 'leo-3@example.com', identity_id, now()
      from people where id = $1`,
    [leo.personId],
  );
  const { brain_id: shared } = await ada.ok('create_brain', { name: 'Pier' });
  await ada.ok('invite_member', { brain_id: shared, email: 'leo-3@example.com', access_level: 'viewer' });
  const { join_link } = await ada.ok('resend_invitation', { invitation_id: own['user_id'] });
  await ada.ok('remove_person', { person_id: leo.personId });
  expect(await listInvitedAddresses()).not.toEqual(expect.arrayContaining(['leo-2@evil.example']));
  expect(await listInvitedAddresses()).not.toEqual(expect.arrayContaining(['leo-3@example.com']));
  expect((await open((join_link as { url: string }).url)).status).toBe(401);
});

test('an admin who was demoted or removed a moment ago cannot invite anybody, although authentication is still cached', async () => {
  const nora = await joinAsAdmin('nora');
  await ada.ok('change_person_role', { person_id: nora.personId, role: 'member' });
  const invite = (email: string) => nora.call('invite_person', { email, role: 'admin' });
  const answers = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => invite(`${name}@evil.example`)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 403));

  const otto = await joinAsAdmin('otto');
  await ada.ok('remove_person', { person_id: otto.personId });
  expect((await otto.call('invite_person', { email: 'g@evil.example' })).status).toBe(401);
});

test('a key that was revoked a moment ago cannot create a key, although authentication is still cached', async () => {
  const { key, key_id } = await server.ok('create_key', { label: 'Leaked', scopes: ['keys:write', 'brains:read'] });
  const byKey = { key: String(key) };
  expect((await server.call('create_key', { label: 'Child', scopes: ['brains:read'] }, byKey)).status).toBe(200);
  await ada.ok('revoke_key', { key_id });
  expect((await server.call('create_key', { label: 'Heir', scopes: ['brains:read'] }, byKey)).status).toBe(401);
});
