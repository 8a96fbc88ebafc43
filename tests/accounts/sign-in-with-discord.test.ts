import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startDiscordEmulator, type DiscordEmulator } from '#emulators/discord/index';
import { followToConsole } from '../support/google.ts';
import { signIn } from '../support/google.ts';
import { linkAccount } from '../support/linking.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { addPerson } from '../support/second-person.ts';
import { addWorkspace } from '../support/second-workspace.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let discord: DiscordEmulator;
let server: TestServer;
let database: OwnerDatabase;
let workspace: string;
/** Somebody who belongs to the workspace, and whose Discord has the same address in other letters. */
let grace: { personId: string; email: string };

beforeAll(async () => {
  discord = await startDiscordEmulator();
  server = await startTestServer({ THALAMUS_DISCORD_BASE_URL: discord.url });
  database = await openAsOwner(server.connectionString);
  workspace = ((await server.ok('who_am_i'))['workspace'] as { id: string }).id;
  grace = await addPerson(database);
  discord.addUser({ username: 'grace', email: grace.email.toUpperCase() });
  discord.addUser({ username: 'unverified', email: grace.email, verified: false });
  discord.addUser({ username: 'without_mail', email: null });
  discord.addUser({ username: 'stranger', email: 'stranger@example.com' });
});
afterAll(async () => {
  await database.close();
  await server.close();
  await discord.close();
});
beforeEach(async () => {
  const { id: client_id, secret: client_secret } = discord.client;
  await server.ok('configure_oauth_provider', { provider: 'discord', client_id, client_secret });
});

type Methods = { providers: { name: string }[] };
const readMethods = async (query = '') => (await (await server.request(`/auth/methods${query}`)).json()) as Methods;

/** Begins in a browser: answers the consent page, and the browser's cookie. */
async function begin(input: object = {}) {
  const headers = { 'content-type': 'application/json', origin: server.url };
  const init = { method: 'POST', headers, body: JSON.stringify(input) };
  const response = await server.request('/auth/providers/discord', init);
  const { authorization_url: url } = (await response.json()) as { authorization_url?: string };
  return { status: response.status, url: url ?? '', cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

/** Comes back from the provider to the server. */
async function followCallback(target: string, cookie: string) {
  const { pathname, search } = new URL(target);
  const response = await server.request(`${pathname}${search}`, { headers: { cookie }, redirect: 'manual' });
  return followToConsole(server, response);
}

async function enter(user: string, input: object = {}) {
  const { url, cookie } = await begin(input);
  return followCallback(await discord.approve(url, { user }), cookie);
}

async function readCaller(session: Record<string, string> | undefined) {
  const headers = { ...session, origin: server.url };
  const response = await server.request('/v1/tools/who_am_i', { method: 'POST', headers, body: '{}' });
  return (await response.json()) as { person: { id: string }; caller: { is_human_surface: boolean } };
}

const refused = { location: '/sign-in?refused=true', session: undefined };

test('a person of the workspace signs in with Discord, and returns to their page', async () => {
  expect((await readMethods()).providers).toEqual([{ name: 'discord', label: 'Discord' }]);
  const { location, session } = await enter('grace', { back: '/inbox' });
  expect(location).toBe('/inbox');
  expect(await readCaller(session)).toMatchObject({
    person: { id: grace.personId },
    caller: { is_human_surface: true },
  });
  expect(await database.rows(`select 1 from connections where provider = 'discord'`)).toEqual([]);
});

test('an unverified, missing or unknown address of Discord gets the same refusal', async () => {
  const people = await database.rows('select id from people');
  for (const user of ['unverified', 'without_mail', 'stranger']) expect(await enter(user), user).toEqual(refused);
  expect(await database.rows('select id from people')).toHaveLength(people.length);
});

test('an invited person joins by an account with the invited address, if Discord has verified it', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Invited to' });
  discord.addUser({ username: 'claims', email: 'invited@example.com', verified: false });
  discord.addUser({ username: 'invited', email: 'Invited@example.com' });
  await server.ok('invite_member', { brain_id, email: 'invited@example.com', access_level: 'viewer' });
  expect(await enter('claims')).toEqual(refused);
  const { session } = await enter('invited');
  expect(await readCaller(session)).toMatchObject({ person: { email: 'invited@example.com', role: 'member' } });
});

test('a consent works once, in the browser that began it, and within its time', async () => {
  const { url, cookie } = await begin();
  const target = await discord.approve(url, { user: 'grace' });
  expect(await followCallback(target, '')).toEqual(refused);
  expect(await followCallback(target, (await begin()).cookie)).toEqual(refused);
  const both = await Promise.all([followCallback(target, cookie), followCallback(target, cookie)]);
  expect(both.filter(({ session }) => session)).toHaveLength(1);
  expect(await followCallback(target, cookie)).toEqual(refused);

  const late = await begin();
  const lateTarget = await discord.approve(late.url, { user: 'grace' });
  await database.rows('update one_time_secrets set expires_at = now()');
  expect(await followCallback(lateTarget, late.cookie)).toEqual(refused);
});

test('PKCE and state are required, and neither is stored in clear', async () => {
  const { url } = await begin();
  const asked = new URL(url).searchParams;
  expect(asked.get('code_challenge_method')).toBe('S256');
  expect(asked.get('scope')).toBe('identify email');
  expect(asked.get('redirect_uri')).toMatch(/\/api\/oauth\/callback$/);
  const rows = JSON.stringify(await database.rows('select * from consents join one_time_secrets on subject_id = id'));
  expect(rows).not.toContain(asked.get('state'));
});

test('a declined, broken or forged answer signs nobody in, and another page cannot begin', async () => {
  const { url, cookie } = await begin();
  expect(await followCallback(await discord.approve(url, { user: 'grace', deny: true }), cookie)).toEqual(refused);
  const callback = `${server.url}/api/oauth/callback`;
  expect(await followCallback(`${callback}?state=si_forged&code=x`, cookie)).toEqual(refused);
  const again = await begin();
  const target = await discord.approve(again.url, { user: 'grace' });
  discord.failures.next({ path: /users\/@me/ }, { kind: 'status', status: 503 }, 5);
  expect(await followCallback(target, again.cookie)).toEqual(refused);
  discord.failures.clear();
  const headers = { 'content-type': 'application/json', origin: 'https://elsewhere.example' };
  const elsewhere = await server.request('/auth/providers/discord', { method: 'POST', headers, body: '{}' });
  expect(elsewhere.status).toBe(403);
  expect((await begin({ back: '//elsewhere.example' })).status).toBe(422);
});

test('an account that is linked with the same client stays linked', async () => {
  const browser = await signIn(server);
  const owner = (await server.ok('who_am_i'))['person'] as { email: string };
  discord.addUser({ username: 'owner', email: owner.email });
  const linking = { provider: 'discord', source: 'discord' };
  const connectionId = await linkAccount(server, linking, (url) => discord.approve(url, { user: 'owner' }));
  expect((await enter('owner')).session).toBeDefined();
  expect(await browser.ok('test_connection', { connection_id: connectionId })).toMatchObject({ ok: true });
});

test('the sign-in page offers Discord where a client is configured, in the workspace it belongs to', async () => {
  const other = await addWorkspace(server);
  expect((await readMethods()).providers).toEqual([]);
  expect((await begin()).status).toBe(404);
  expect((await readMethods(`?workspace=${workspace}`)).providers).toHaveLength(1);
  expect((await readMethods(`?workspace=${other.workspaceId}`)).providers).toEqual([]);
  expect((await begin({ workspace: other.workspaceId })).status).toBe(404);
  expect((await readMethods('?workspace=nonsense')).providers).toEqual([]);
  expect((await enter('grace', { workspace })).session).toBeDefined();

  const { id: client_id, secret: client_secret } = discord.client;
  await server.ok('configure_oauth_provider', { provider: 'discord', client_id, client_secret }, { key: other.key });
  expect(await enter('grace', { workspace: other.workspaceId })).toEqual(refused);
  await server.ok('configure_oauth_provider', { provider: 'google', client_id: 'c', client_secret: 's' });
  expect((await readMethods(`?workspace=${workspace}`)).providers.map(({ name }) => name)).toEqual(['discord']);
});
