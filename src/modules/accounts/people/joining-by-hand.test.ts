// Invitations that are passed on, on a server without a mail server: people with an account join with it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinAs, signInOwner, type SignedIn } from '../../../../tests/support/colleague.ts';
import { readSession } from '../../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { addWorkspace } from '../../../../tests/support/second-workspace.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let ada: SignedIn;
let other: { key: string; workspaceId: string };
beforeAll(async () => {
  server = await startTestServer({ THALAMUS_OWNER_EMAIL: 'ada@example.com' });
  database = await openAsOwner(server.connectionString);
  ada = await signInOwner(server, database);
  other = await addWorkspace(server);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

/** The token of a link for an address to the other workspace. */
async function invite(email: string): Promise<string> {
  const { join_link } = await server.ok('invite_person', { email }, { key: other.key });
  return new URL((join_link as { url: string }).url).hash.slice(1);
}
async function post(path: string, body: object, person?: Pick<SignedIn, 'headers'>) {
  const headers = { 'content-type': 'application/json', ...person?.headers, origin: server.url };
  const response = await server.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { response, status: response.status, body: (await response.clone().json()) as Record<string, unknown> };
}
const join = (token: string, person?: Pick<SignedIn, 'headers'>) =>
  post('/auth/sign-in', { token, as_signed_in: true }, person);
const listWorkspacePeople = () =>
  database.rows('select email, identity_id, removed_at from people where workspace_id = $1 order by created_at', [
    other.workspaceId,
  ]);
const readIdentityId = async (email: string) =>
  (
    await database.rows('select identity_id from people where email = $1 and workspace_id <> $2', [
      email,
      other.workspaceId,
    ])
  )[0]?.['identity_id'];

test('a person who is signed in joins by a link that was passed on with the account that they have', async () => {
  const grace = await joinAs(server, database, 'grace@example.com');
  const token = await invite('grace@company.com');
  expect((await post('/auth/sign-in/preview', { token }, grace)).body).toMatchObject({
    joins: true,
    may_join_as: 'Grace',
  });
  const { response, status } = await join(token, grace);
  expect(status).toBe(200);
  const { cookie, proof } = await readSession(response);
  const headers = { origin: server.url, cookie, 'thalamus-session-proof': proof };
  const me = (await post('/v1/tools/who_am_i', {}, { headers })).body;
  expect(me).toMatchObject({ workspace: { id: other.workspaceId }, person: { email: 'grace@example.com' } });
  expect(await listWorkspacePeople()).toContainEqual({
    email: 'grace@example.com', // not the invited address, which somebody else may prove
    identity_id: await readIdentityId('grace@example.com'),
    removed_at: null,
  });
  const { workspaces } = (await post('/v1/tools/list_workspaces', {}, { headers })).body;
  expect(workspaces).toHaveLength(2);
  const { invitations } = await server.ok('list_people', {}, { key: other.key });
  expect(invitations).toEqual([]);
  expect((await join(token, grace)).status).toBe(401);
});

test('a link joins nobody whose session came without its second secret, and nobody twice', async () => {
  const token = await invite('lin@company.com');
  expect((await join(token)).status).toBe(401);
  expect((await join(token, { headers: { cookie: ada.cookie } })).status).toBe(401);
  const keyed = { headers: { authorization: `Bearer ${server.key}` } };
  expect((await join(token, keyed)).status).toBe(403);
  const again = await joinAs(server, database, 'grace-2@example.com');
  expect((await join(token, again)).status).toBe(200);
  const once = await invite('lin-2@company.com');
  const back = await join(once, await joinAs(server, database, 'lin-3@example.com'));
  expect(back.status).toBe(200);
  const { url } = await ada.ok('create_sign_in_link');
  const own = { token: new URL(String(url)).hash.slice(1), as_signed_in: true };
  expect((await post('/auth/sign-in', own, ada)).status).toBe(422);
});
