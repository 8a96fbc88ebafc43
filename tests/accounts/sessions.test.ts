import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinAs, signInOwner, type SignedIn } from '../support/colleague.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let ada: SignedIn;
let grace: SignedIn;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
  ada = await signInOwner(server, database);
  grace = await joinAs(server, database, 'grace@example.com');
});
afterAll(async () => {
  await database.close();
  await server.close();
});

type ListedSession = { session_id: string; person: { id: string }; is_current: boolean; opened_by_key: string | null };
const listSessions = async (who: SignedIn) => (await who.ok('list_sessions'))['sessions'] as ListedSession[];

test('a person sees their sessions, and which of them is the current one', async () => {
  const sessions = await listSessions(grace);
  expect(sessions).toEqual([
    expect.objectContaining({ is_current: true, person: expect.objectContaining({ id: grace.personId }) }),
  ]);
  expect(JSON.stringify(sessions)).not.toMatch(/ts_|token/);
});

test('an administrator sees all sessions, a member only their own', async () => {
  expect(new Set((await listSessions(ada)).map(({ person }) => person.id))).toEqual(
    new Set([ada.personId, grace.personId]),
  );
  const [adas] = (await listSessions(ada)).filter(({ person }) => person.id === ada.personId);
  expect((await grace.call('end_session', { session_id: adas?.session_id })).status).toBe(404);
});

test('an ended session is refused within a second, and no longer listed', async () => {
  const phone = await signInOwner(server, database);
  const current = (await listSessions(phone)).find(({ is_current }) => is_current);
  await ada.ok('end_session', { session_id: current?.session_id });
  expect((await listSessions(ada)).map(({ session_id }) => session_id)).not.toContain(current?.session_id);
  await expect.poll(async () => (await phone.call('who_am_i')).status, { timeout: 3_000 }).toBe(401);
  expect((await ada.call('who_am_i')).status).toBe(200);
});

test('a session from a key’s link names the key, and leaves the list when the key ends', async () => {
  const { key, key_id } = await server.ok('create_key', {
    label: 'Script',
    scopes: (await server.ok('who_am_i'))['scopes'],
  });
  const { url } = await server.ok('create_sign_in_link', {}, { key: String(key) });
  const body = JSON.stringify({ token: new URL(String(url)).hash.slice(1) });
  const headers = { 'content-type': 'application/json', origin: server.url };
  expect((await server.request('/auth/sign-in', { method: 'POST', headers, body })).status).toBe(200);
  expect(await listSessions(ada)).toContainEqual(expect.objectContaining({ opened_by_key: 'Script' }));
  await server.ok('revoke_key', { key_id });
  expect(await listSessions(ada)).not.toContainEqual(expect.objectContaining({ opened_by_key: 'Script' }));
});

test('a session has the time of its last use', async () => {
  await expect
    .poll(async () => JSON.stringify(await listSessions(grace)), { timeout: 3_000 })
    .toMatch(/"last_used_at":"\d{4}-/);
});
