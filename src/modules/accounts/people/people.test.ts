import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinAs, signInOwner, type SignedIn } from '../../../../tests/support/colleague.ts';
import { buildSessionHeaders, readSession } from '../../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';
import { startSmtp, type SmtpServer } from '../../../../tests/support/smtp.ts';

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

type People = {
  people: { person_id: string; email: string; role: string; is_you: boolean }[];
  invitations: { invitation_id: string; email: string; role: string; brains: object[] }[];
};
const list = async (who: SignedIn) => (await who.ok('list_people')) as unknown as People;

async function open(url: unknown, at: { url: string; request: TestServer['request'] } = server) {
  const headers = { 'content-type': 'application/json', origin: at.url };
  const body = JSON.stringify({ token: new URL(String(url)).hash.slice(1) });
  const response = await at.request('/auth/sign-in', { method: 'POST', headers, body });
  const session = response.status === 200 ? buildSessionHeaders(await readSession(response)) : {};
  const me = await at.request('/v1/me', { headers: session });
  return { status: response.status, me: (await me.json()) as Record<string, unknown> };
}

test('without a mail server every inviter gets a link to pass on; one person joins through it with the role and the brain', async () => {
  const { brain_id } = await ada.ok('create_brain', { name: 'Harbour' });
  const input = { email: 'Lin@Example.com', role: 'admin', brain_id, access_level: 'editor' };
  const invited = await ada.ok('invite_person', input);
  expect(invited).toMatchObject({ email: 'lin@example.com', role: 'admin', brain_id, mailed: false });
  expect((await list(ada)).invitations).toMatchObject([
    {
      invitation_id: invited['invitation_id'],
      email: 'lin@example.com',
      brains: [{ brain_id, access_level: 'editor' }],
    },
  ]);
  const { url } = invited['join_link'] as { url: string };
  expect(await open(url)).toMatchObject({ me: { person: { role: 'admin', email: 'lin@example.com' } } });
  expect((await open(url)).status).toBe(401);
  expect((await list(ada)).invitations).toEqual([]);
  const { members } = await ada.ok('list_members', { brain_id });
  expect(members).toContainEqual(expect.objectContaining({ email: 'lin@example.com', access_level: 'editor' }));
  expect((await ada.call('invite_person', { email: 'lin@example.com' })).status).toBe(409);
  const few = await server.ok('create_key', { label: 'Few', scopes: ['members:write', 'brains:read'] });
  const byKey = await server.ok('invite_person', { email: 'mo@example.com' }, { key: few.key });
  expect(byKey.join_link?.url).toMatch(/#tl_/);
});

test('a withdrawn invitation admits nobody, and a resent one revokes its earlier links', async () => {
  const first = await ada.ok('invite_person', { email: 'zoe@example.com' });
  const { invitation_id } = first;
  const again = await ada.ok('resend_invitation', { invitation_id });
  expect((await open((first['join_link'] as { url: string }).url)).status).toBe(401);
  await ada.ok('withdraw_invitation', { invitation_id });
  expect((await open((again['join_link'] as { url: string }).url)).status).toBe(401);
  expect((await list(ada)).invitations.map(({ email }) => email)).not.toContain('zoe@example.com');
});

test('an address invited only to a brain is listed, and can be withdrawn everywhere', async () => {
  const { brain_id } = await ada.ok('create_brain', { name: 'Quay' });
  await ada.ok('invite_member', { brain_id, email: 'kit@example.com', access_level: 'viewer' });
  const found = (await list(ada)).invitations.find(({ email }) => email === 'kit@example.com');
  expect(found).toMatchObject({ role: 'member', brains: [{ brain_id }] });
  await ada.ok('withdraw_invitation', { invitation_id: found?.invitation_id });
  expect((await list(ada)).invitations.map(({ email }) => email)).not.toContain('kit@example.com');
});

test('plain members cannot invite, change roles or see who is invited', async () => {
  const plain = await joinAs(server, database, 'plain@example.com');
  const person = (await list(plain)).people.find(({ role }) => role === 'owner');
  expect((await list(plain)).invitations).toEqual([]);
  expect((await plain.call('invite_person', { email: 'eve@example.com' })).status).toBe(403);
  expect((await plain.call('change_person_role', { person_id: plain.personId, role: 'admin' })).status).toBe(403);
  expect((await plain.call('remove_person', { person_id: person?.person_id })).status).toBe(403);
});

test('a lowered role lowers the rights of the person’s keys at the next call', async () => {
  const sam = await joinAs(server, database, 'sam@example.com');
  await ada.ok('change_person_role', { person_id: sam.personId, role: 'admin' });
  const scopes = ['workspace:admin', 'brains:read'];
  await expect
    .poll(async () => (await sam.call('create_key', { label: 'Admin', scopes })).status, { timeout: 3_000 })
    .toBe(200);
  const { key } = await sam.ok('create_key', { label: 'Admin', scopes });
  const rename = () => server.call('update_workspace', { name: 'Workspace' }, { key: String(key) });
  expect((await rename()).status).toBe(200);
  await ada.ok('change_person_role', { person_id: sam.personId, role: 'member' });
  await expect.poll(async () => (await rename()).status, { timeout: 3_000 }).toBe(403);
  const owner = (await list(ada)).people.find(({ role }) => role === 'owner');
  expect((await ada.call('change_person_role', { person_id: owner?.person_id, role: 'member' })).status).toBe(409);
});

test('a removed person loses sessions, keys and links at once; the owner gets their brains, and their memories stay', async () => {
  const mia = await joinAs(server, database, 'mia@example.com');
  const { brain_id } = await mia.ok('create_brain', { name: 'Reef' });
  await mia.ok('add_memory', { content: 'The reef is at twelve metres', target_brain_id: brain_id });
  const { key } = await mia.ok('create_key', { label: 'Mia' });
  const { url } = await mia.ok('create_sign_in_link');
  await ada.ok('remove_person', { person_id: mia.personId });
  await expect.poll(async () => (await mia.call('who_am_i')).status, { timeout: 3_000 }).toBe(401);
  const byKey = () => server.call('who_am_i', {}, { key: String(key) });
  await expect.poll(async () => (await byKey()).status, { timeout: 3_000 }).toBe(401);
  expect((await open(url)).status).toBe(401);
  expect((await list(ada)).people.map(({ email }) => email)).not.toContain('mia@example.com');
  const { members } = await ada.ok('list_members', { brain_id });
  expect(members).toEqual([expect.objectContaining({ email: 'ada@example.com', access_level: 'owner' })]);
  const { memories } = await ada.ok('list_memories', { brain_id });
  expect(memories).toMatchObject([{ content: 'The reef is at twelve metres' }]);
  const back = await ada.ok('invite_person', { email: 'mia@example.com' });
  expect((await open((back['join_link'] as { url: string }).url)).status).toBe(200);
});

test('a person who leaves is removed, and the rest of the workspace stays unchanged', async () => {
  const leo = await joinAs(server, database, 'leo@example.com');
  await leo.ok('leave_workspace');
  await expect.poll(async () => (await leo.call('who_am_i')).status, { timeout: 3_000 }).toBe(401);
  expect((await list(ada)).people.map(({ email }) => email)).not.toContain('leo@example.com');
});

test('a link that was passed on never signs its user in elsewhere as the owner of that address', async () => {
  const { workspace_id } = await ada.ok('create_workspace', { name: 'Second' });
  await database.rows(
    `insert into identity_addresses (email, identity_id, proved_at) select email, identity_id, now() from people
      where email = 'plain@example.com'`,
  );
  const { url } = await ada.ok('switch_workspace', { workspace_id });
  const headers = { 'content-type': 'application/json', origin: server.url };
  const token = new URL(String(url)).hash.slice(1);
  const entered = await server.request('/auth/sign-in', { method: 'POST', headers, body: JSON.stringify({ token }) });
  const session = buildSessionHeaders(await readSession(entered));
  const init = {
    method: 'POST',
    headers: { ...headers, ...session },
    body: JSON.stringify({ email: 'plain@example.com' }),
  };
  const invited = (await (await server.request('/v1/tools/invite_person', init)).json()) as {
    join_link: { url: string };
  };
  expect((await open(invited.join_link.url)).status).toBe(401);
  expect(await database.rows('select 1 from people where workspace_id = $1', [workspace_id])).toHaveLength(1);
});

test('with a mail server the invitation is mailed, proves the address, and adds the identity of that address to both workspaces', async () => {
  const smtp: SmtpServer = await startSmtp();
  const mailing = await startTestServer({
    THALAMUS_MAIL_URL: smtp.url,
    THALAMUS_OWNER_EMAIL: 'ada@example.com',
    THALAMUS_SIGN_UP: 'company.com',
  });
  const findLink = (text = '') => /http\S+#tl_[\w-]+/.exec(text)?.[0] ?? '';
  const post = (path: string, body: object) =>
    mailing.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: mailing.url },
      body: JSON.stringify(body),
    });
  // A person of the domain signs up, and gets their own workspace.
  await post('/auth/mail', { email: 'eve@elsewhere.com' });
  await post('/auth/mail', { email: 'grace@company.com' });
  await expect.poll(() => smtp.taken.length).toBe(1);
  expect(smtp.taken[0]?.to).toEqual(['grace@company.com']);
  expect(await open(findLink(smtp.taken[0]?.text), mailing)).toMatchObject({
    me: { person: { role: 'owner' }, workspace: { name: "Grace's workspace" } },
  });
  // She is invited to the first workspace: the same identity is in both.
  const invited = await mailing.ok('invite_person', { email: 'grace@company.com' });
  expect(invited).toMatchObject({ mailed: true, join_link: null });
  await expect.poll(() => smtp.taken.length).toBe(2);
  const joined = await open(findLink(smtp.taken[1]?.text), mailing);
  expect(joined.me).toMatchObject({
    person: { role: 'member', email: 'grace@company.com' },
    workspace: { name: 'Workspace' },
    caller: { is_human_surface: true },
  });
  const own = await openAsOwner(mailing.connectionString);
  const rows =
    await own.rows(`select count(distinct identity_id)::int as identities, count(*)::int as people from people
    where email = 'grace@company.com'`);
  expect(rows).toEqual([{ identities: 1, people: 2 }]);
  smtp.behave('refuse_for_good');
  expect(await mailing.ok('invite_person', { email: 'jo@company.com' })).toMatchObject({
    mailed: false,
    join_link: { single_use: true },
  });
  await own.close();
  await mailing.close();
  await smtp.close();
});

test('only a person at the console makes an admin, and no key gets a link that joins as one', async () => {
  const { people } = await list(ada);
  const person_id = people.find(({ role }) => role === 'member')?.person_id;
  const atConsole = { status: 403, body: { detail: expect.stringContaining('at the console') } };
  expect(await server.call('change_person_role', { person_id, role: 'admin' })).toMatchObject(atConsole);
  const email = 'boss@example.com';
  expect(await server.call('invite_person', { email, role: 'admin' })).toMatchObject(atConsole);
  const asMember = await server.ok('invite_person', { email });
  expect(asMember.join_link?.url).toMatch(/#tl_/);
  const { invitation_id } = await ada.ok('invite_person', { email, role: 'admin' });
  expect((await open(asMember.join_link?.url)).status).toBe(401);
  expect(await server.ok('resend_invitation', { invitation_id: String(invitation_id) })).toMatchObject({
    join_link: null,
  });
  const { brain_id } = await server.ok('create_brain', { name: 'Beacon' });
  const toBrain = await server.ok('invite_member', { brain_id, email, access_level: 'viewer' });
  expect(toBrain.join_link ?? null).toBeNull();
  const again = await ada.ok('resend_invitation', { invitation_id });
  expect(again['join_link']).toMatchObject({ url: expect.stringContaining('#tl_') });
});

test('a person at the console must prove who they are before keys and roles change', async () => {
  const { key_id } = await ada.ok('create_key', { label: 'Mine' });
  const person_id = (await list(ada)).people.find(({ role }) => role === 'member')?.person_id;
  await database.rows(`update sessions set proved_at = now() - interval '11 minutes'`);
  for (const [operation, input] of [
    ['create_key', { label: 'Late' }],
    ['rotate_key', { key_id }],
    ['change_person_role', { person_id, role: 'member' }],
    ['change_person_role', { person_id, role: 'admin' }],
    ['invite_person', { email: 'late@example.com', role: 'admin' }],
  ] as const)
    expect(await ada.call(operation, input), operation).toMatchObject({
      status: 403,
      body: { details: { reason: 'proof_needed' } },
    });
  expect((await ada.call('invite_person', { email: 'late@example.com' })).status).toBe(200);
  await database.rows('update sessions set proved_at = now()');
});

test('a link that a session created ends with that session', async () => {
  const session = await signInOwner(server, database);
  const links = [await session.ok('create_sign_in_link'), await session.ok('create_sign_in_link')];
  expect((await open(links[0]?.['url'])).status).toBe(200);
  await server.request('/auth/sign-out', { method: 'POST', headers: { cookie: session.cookie, origin: server.url } });
  expect((await open(links[1]?.['url'])).status).toBe(401);
});
