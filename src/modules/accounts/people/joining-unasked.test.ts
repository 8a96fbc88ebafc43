import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSessionHeaders, readSession } from '../../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';
import { startSmtp, type SmtpServer } from '../../../../tests/support/smtp.ts';

let smtp: SmtpServer;
let server: TestServer;
let database: OwnerDatabase;
beforeAll(async () => {
  smtp = await startSmtp();
  server = await startTestServer({
    THALAMUS_MAIL_URL: smtp.url,
    THALAMUS_OWNER_EMAIL: 'ada@example.com',
    THALAMUS_SIGN_UP: 'company.com',
  });
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await smtp.close();
});

const post = (path: string, body: object, session: Record<string, string> = {}) => {
  const headers = { 'content-type': 'application/json', origin: server.url, ...session };
  return server.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
};

/** The link in the latest mail to an address after the first `count` mails. */
async function readNextLink(email: string, before: number): Promise<string> {
  const mails = () => smtp.taken.filter(({ to }) => to.includes(email));
  await expect.poll(() => mails().length, { timeout: 10_000 }).toBe(before + 1);
  return /http\S+#tl_[\w-]+/.exec(mails().at(-1)?.text ?? '')?.[0] ?? '';
}

/** Opens a link. Returns who was signed in. */
async function open(url: string) {
  const response = await post('/auth/sign-in', { token: new URL(url).hash.slice(1) });
  const session = buildSessionHeaders(await readSession(response));
  const call = async (operation: string, input: object = {}) => {
    const answer = await post(`/v1/tools/${operation}`, input, session);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return { status: response.status, workspace: (await call('who_am_i')).body['workspace'] as { name: string }, call };
}

async function signInByMail(email: string) {
  const before = smtp.taken.filter(({ to }) => to.includes(email)).length;
  await database.rows(`update sign_in_links set created_at = created_at - interval '2 minutes'`);
  expect((await post('/auth/mail', { email })).status).toBe(200);
  return open(await readNextLink(email, before));
}

const isInvited = async (email: string) =>
  (await server.ok('list_people')).invitations.some((each) => each.email === email);
const isMember = async (email: string) => (await server.ok('list_people')).people.some((each) => each.email === email);

test('a person with an account joins by pressing a button, not by signing in, and the inviter sees them as invited until then', async () => {
  const email = 'grace@company.com';
  expect((await signInByMail(email)).workspace.name).toBe("Grace's workspace");
  await server.ok('invite_person', { email });
  await readNextLink(email, 1);
  const grace = await signInByMail(email);
  expect(grace.workspace.name).toBe("Grace's workspace");
  expect([await isInvited(email), await isMember(email)]).toEqual([true, false]);
  const { invitations } = (await grace.call('list_workspaces')).body as { invitations: { workspace_id: string }[] };
  expect(invitations).toMatchObject([{ name: 'Workspace', email, role: 'member', invited_by: 'Owner' }]);
  const workspace_id = invitations[0]?.workspace_id;
  expect((await grace.call('accept_invitation', { workspace_id })).body).toMatchObject({ role: 'member' });
  expect([await isInvited(email), await isMember(email)]).toEqual([false, true]);
  expect((await grace.call('accept_invitation', { workspace_id })).status).toBe(404);
  expect((await grace.call('list_workspaces')).body['invitations']).toEqual([]);
});

test('a person with an account joins by the link of the invitation', async () => {
  const email = 'lin@company.com';
  await signInByMail(email);
  await server.ok('invite_person', { email });
  const joined = await open(await readNextLink(email, 1));
  expect(joined.workspace.name).toBe('Workspace');
  expect(await isMember(email)).toBe(true);
});

test('a new person joins at their first sign-in by the invited address', async () => {
  const email = 'new@elsewhere.com';
  const { brain_id } = await server.ok('create_brain', { name: 'Harbour' });
  await server.ok('invite_member', { brain_id, email, access_level: 'viewer' });
  const joined = await signInByMail(email);
  expect(joined.workspace.name).toBe('Workspace');
  expect(await isMember(email)).toBe(true);
});

test('an invitation that was withdrawn, or is for somebody else, cannot be accepted', async () => {
  const email = 'kim@company.com';
  await signInByMail(email);
  const { invitation_id } = await server.ok('invite_person', { email });
  await readNextLink(email, 1);
  const kim = await signInByMail(email);
  const eve = await signInByMail('eve@company.com');
  const { invitations } = (await kim.call('list_workspaces')).body as { invitations: { workspace_id: string }[] };
  const workspace_id = invitations[0]?.workspace_id;
  expect((await eve.call('accept_invitation', { workspace_id })).status).toBe(404);
  await server.ok('withdraw_invitation', { invitation_id });
  expect((await kim.call('accept_invitation', { workspace_id })).status).toBe(404);
});
