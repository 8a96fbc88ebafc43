import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSessionHeaders, readSession } from '../../../../tests/support/google.ts';
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

type Workspace = { workspace_id: string; name: string; role: string; is_current: boolean };
const listWorkspacesAs = async (who: SignedIn) => (await who.ok('list_workspaces'))['workspaces'] as Workspace[];

/** Opens a link in a browser that has this cookie. */
async function open(url: unknown, cookie = '') {
  const headers = { 'content-type': 'application/json', origin: server.url, cookie };
  const body = JSON.stringify({ token: new URL(String(url)).hash.slice(1) });
  const response = await server.request('/auth/sign-in', { method: 'POST', headers, body });
  const session = response.status === 200 ? buildSessionHeaders(await readSession(response)) : {};
  const ask = async (operation: string, input: object = {}) => {
    const init = { method: 'POST', headers: { ...headers, ...session }, body: JSON.stringify(input) };
    const answer = await server.request(`/v1/tools/${operation}`, init);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return { status: response.status, session, ask };
}

test('an owner creates a second workspace and enters it, and neither shows the content of the other', async () => {
  const { workspace_id } = await ada.ok('create_workspace', { name: 'Acme' });
  expect(await listWorkspacesAs(ada)).toMatchObject([
    { name: 'Workspace', role: 'owner', is_current: true },
    { workspace_id, name: 'Acme', role: 'owner', is_current: false },
  ]);
  await ada.ok('add_memory', { content: 'The harbour opens at six' });
  const { url } = await ada.ok('switch_workspace', { workspace_id });
  const there = await open(url);
  expect((await there.ask('who_am_i')).body).toMatchObject({
    workspace: { id: workspace_id, name: 'Acme' },
    person: { role: 'owner', email: 'ada@example.com' },
    caller: { is_human_surface: true },
  });
  expect((await there.ask('list_memories')).body).toMatchObject({ memories: [] });
  expect((await open(url)).status).toBe(401);
  expect((await ada.call('who_am_i')).body).toMatchObject({ workspace: { name: 'Workspace' } });
});

test('a person at the console sees and ends their sessions in all their workspaces, and a key those of its own workspace', async () => {
  const { workspace_id } = await ada.ok('create_workspace', { name: 'Elsewhere' });
  const there = await open((await ada.ok('switch_workspace', { workspace_id }))['url']);
  const sessions = (await ada.ok('list_sessions'))['sessions'] as { session_id: string; workspace: { id: string } }[];
  const elsewhere = sessions.find(({ workspace }) => workspace.id === workspace_id);
  expect(elsewhere).toMatchObject({ method: 'switch', workspace: { name: 'Elsewhere' } });
  expect(JSON.stringify((await server.ok('list_sessions')).sessions)).not.toContain(workspace_id);
  expect((await server.call('end_session', { session_id: elsewhere?.session_id })).status).toBe(404);
  await ada.ok('end_session', { session_id: elsewhere?.session_id });
  await expect.poll(async () => (await there.ask('who_am_i')).status, { timeout: 3_000 }).toBe(401);
});

test('a key, and a session that a key opened, stays in its one workspace', async () => {
  const { workspace_id } = await ada.ok('create_workspace', { name: 'Not for keys' });
  expect((await server.ok('list_workspaces')).workspaces).toHaveLength(1);
  expect((await server.call('switch_workspace', { workspace_id })).status).toBe(404);
  expect((await server.call('create_workspace', { name: 'By key' })).status).toBe(403);
  const opened = await open((await server.ok('create_sign_in_link')).url);
  expect((await opened.ask('list_workspaces')).body['workspaces']).toHaveLength(1);
  expect((await opened.ask('switch_workspace', { workspace_id })).status).toBe(404);
  for (const operation of ['leave_workspace', 'delete_workspace'])
    expect((await opened.ask(operation, operation.startsWith('delete') ? { confirm: 'Workspace' } : {})).status).toBe(
      403,
    );
});

async function signInLongAgo(): Promise<SignedIn> {
  const old = await signInOwner(server, database);
  const [session] = (
    (await old.ok('list_sessions'))['sessions'] as { session_id: string; is_current: boolean }[]
  ).filter(({ is_current }) => is_current);
  await database.rows(`update sessions set proved_at = now() - interval '11 minutes' where id = $1`, [
    session?.session_id,
  ]);
  return old;
}

test('a link that a person creates for themselves is not a fresh proof: it opens a session as old as theirs', async () => {
  const old = await signInLongAgo();
  const opened = await open((await old.ok('create_sign_in_link'))['url']);
  const { status, body } = await opened.ask('set_password', { password: 'correct horse battery' });
  expect({ status, body }).toMatchObject({ status: 403, body: { details: { reason: 'proof_needed' } } });
  const fresh = await signInOwner(server, database);
  const openedFresh = await open((await fresh.ok('create_sign_in_link'))['url']);
  expect((await openedFresh.ask('set_password', { password: 'correct horse battery' })).status).toBe(200);
});

test('switching workspaces is not a fresh proof: an operation that needs one is refused there, too', async () => {
  const { workspace_id } = await ada.ok('create_workspace', { name: 'Stale' });
  const old = await signInLongAgo();
  const there = await open((await old.ok('switch_workspace', { workspace_id }))['url']);
  expect((await there.ask('delete_workspace', { confirm: 'Stale' })).body).toMatchObject({
    code: 'forbidden',
    details: { reason: 'proof_needed' },
  });
});

test('a browser has one session: a new sign-in ends the earlier one', async () => {
  const { workspace_id } = await ada.ok('create_workspace', { name: 'Next' });
  const before = await signInOwner(server, database);
  await open((await before.ok('switch_workspace', { workspace_id }))['url'], before.cookie);
  await expect.poll(async () => (await before.call('who_am_i')).status, { timeout: 3_000 }).toBe(401);
});

test('only its owner deletes a workspace, with its exact name and everything in it, and nothing else', async () => {
  const { workspace_id } = await ada.ok('create_workspace', { name: 'Doomed' });
  const there = await open((await ada.ok('switch_workspace', { workspace_id }))['url']);
  await there.ask('create_brain', { name: 'Plans' });
  await there.ask('add_memory', { content: 'Nobody reads this' });
  await there.ask('set_variable', { var_scope: 'person', var_name: 'TOKEN', value: 'secret' });
  const { key } = (await there.ask('create_key', { label: 'Agent' })).body;
  await there.ask('invite_person', { email: 'lin@example.com' });
  await there.ask('add_memory', { content: 'By the key' });
  const others = await database.rows('select count(*)::int as count from memories where workspace_id <> $1', [
    workspace_id,
  ]);
  expect((await there.ask('delete_workspace', { confirm: 'doomed' })).status).toBe(422);
  expect((await there.ask('delete_workspace', { confirm: 'Doomed' })).body).toMatchObject({ deleted: true });
  const tables = await database.rows(
    `select relname from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attname = 'workspace_id'`,
  );
  for (const { relname } of tables) {
    const left = await database.rows(`select 1 from ${String(relname)} where workspace_id = $1`, [workspace_id]);
    expect(left, String(relname)).toEqual([]);
  }
  expect(await database.rows('select 1 from workspaces where id = $1', [workspace_id])).toEqual([]);
  expect(await database.rows('select count(*)::int as count from memories')).toEqual(others);
  await expect
    .poll(async () => (await server.call('who_am_i', {}, { key: String(key) })).status, { timeout: 3_000 })
    .toBe(401);
  expect((await listWorkspacesAs(ada)).map(({ name }) => name)).not.toContain('Doomed');
});

test('the first workspace of the server cannot be deleted', async () => {
  const fresh = await signInOwner(server, database);
  expect((await fresh.call('delete_workspace', { confirm: 'Workspace' })).status).toBe(409);
});

test('only the owner transfers a workspace, and stays in it as an admin', async () => {
  const grace = await joinAs(server, database, 'grace@example.com');
  const [owner, next] = [await signInOwner(server, database), grace.personId];
  expect((await grace.call('hand_over_workspace', { person_id: next })).status).toBe(403);
  expect((await owner.call('leave_workspace')).status).toBe(409);
  await owner.ok('hand_over_workspace', { person_id: next });
  const again = await signInOwner(server, database).catch(() => null); // another person is the owner now
  expect(again?.personId ?? null).not.toBe(next);
  await expect
    .poll(async () => (await grace.ok('who_am_i'))['person'], { timeout: 3_000 })
    .toMatchObject({
      role: 'owner',
    });
  await expect.poll(async () => (await owner.call('hand_over_workspace', { person_id: next })).status).toBe(403);
});
