import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGitHubEmulator, type GitHubEmulator } from '#emulators/github/index';
import { startGoogleEmulator, type GoogleEmulator } from '#emulators/google/index';
import { startMicrosoftEmulator, type MicrosoftEmulator } from '#emulators/microsoft/index';
import { startRotatingOAuth, type RotatingOAuth } from '#emulators/rotating-oauth/index';
import { followToConsole } from '../support/google.ts';
import { joinAs, signInOwner, type SignedIn } from '../support/colleague.ts';
import { findFreePort } from '../support/free-port.ts';
import { buildGoogleSettings } from '../support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let google: GoogleEmulator;
let github: GitHubEmulator;
let microsoft: MicrosoftEmulator;
let issuer: RotatingOAuth;
let server: TestServer;
let database: OwnerDatabase;
let grace: SignedIn;

beforeAll(async () => {
  const port = await findFreePort();
  google = await startGoogleEmulator();
  github = await startGitHubEmulator();
  microsoft = await startMicrosoftEmulator();
  issuer = await startRotatingOAuth(`http://localhost:${port}/api/oauth/callback`);
  server = await startTestServer({
    PORT: String(port),
    ...buildGoogleSettings(google),
    THALAMUS_EGRESS_ALLOW: `${google.url},${github.url},${microsoft.url}`,
    THALAMUS_GITHUB_BASE_URL: github.url,
    THALAMUS_GITHUB_CLIENT_ID: github.client.id,
    THALAMUS_GITHUB_CLIENT_SECRET: github.client.secret,
    THALAMUS_MICROSOFT_BASE_URL: microsoft.url,
    THALAMUS_MICROSOFT_CLIENT_ID: microsoft.client.id,
    THALAMUS_MICROSOFT_CLIENT_SECRET: microsoft.client.secret,
    THALAMUS_OIDC_ISSUER: issuer.url,
    THALAMUS_OIDC_CLIENT_ID: issuer.client.id,
    THALAMUS_OIDC_CLIENT_SECRET: issuer.client.secret,
    THALAMUS_OIDC_LABEL: 'Company account',
    THALAMUS_OWNER_EMAIL: 'ada@example.com',
  });
  database = await openAsOwner(server.connectionString);
  grace = await joinAs(server, database, 'grace@example.com');
  // As somebody who signed in by a mailed link before.
  await database.rows(`update identities set is_handed_over = false where name = 'Grace'`);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await Promise.all([google.close(), github.close(), microsoft.close(), issuer.close()]);
});

const findCookie = (response: Response, name: string) =>
  response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0] ?? '')
    .find((each) => each.startsWith(`${name}=`) && !each.endsWith('='));

async function begin(provider: string, { as = {}, ...body }: { as?: Record<string, string>; link?: true } = {}) {
  const headers = { 'content-type': 'application/json', origin: server.url, ...as };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await server.request(`/auth/providers/${provider}`, init);
  const { authorization_url: url = '' } = (await response.json()) as { authorization_url?: string };
  return { status: response.status, url, cookie: findCookie(response, 'thalamus_sign_in') ?? '' };
}

async function followCallback(query: string, cookie: string) {
  const response = await server.request(`/api/oauth/callback?${query}`, { headers: { cookie }, redirect: 'manual' });
  return followToConsole(server, response);
}

const readMe = async (headers: Record<string, string> = {}) =>
  (await (await server.request('/v1/me', { headers })).json()) as {
    person?: { id: string; email: string };
  };
const getQuery = (target: string) => new URL(target).search.slice(1);
const refused = { location: '/sign-in?refused=true', session: undefined };

test('the sign-in page lists the methods that the server’s settings allow', async () => {
  const methods = (await (await server.request('/auth/methods')).json()) as { providers: object[] };
  expect(methods).toMatchObject({ password: true, passkey: true, sign_up: false });
  expect(methods.providers).toEqual([
    { name: 'google', label: 'Google' },
    { name: 'microsoft', label: 'Microsoft' },
    { name: 'github', label: 'GitHub' },
    { name: 'oidc', label: 'Company account' },
  ]);
});

describe('with Google', () => {
  const enter = async (email: string) => {
    const { url, cookie } = await begin('google');
    return followCallback(getQuery(await google.approve(url, { email })), cookie);
  };

  test('a known address signs its person in, and later the account alone does, with any address', async () => {
    google.addAccount({ email: 'ada@example.com', name: 'Ada' });
    google.addAccount({ email: 'stranger@example.com', name: 'Stranger' });
    const { session } = await enter('ada@example.com');
    expect(await readMe(session)).toMatchObject({ person: { email: 'ada@example.com' } });
    expect(await enter('stranger@example.com')).toEqual(refused);
    await database.rows(`update people set email = 'moved@example.com' where email = 'ada@example.com'`);
    await database.rows(`delete from identity_addresses where email = 'ada@example.com'`);
    const again = await enter('ada@example.com');
    expect(await readMe(again.session)).toMatchObject({ person: { email: 'moved@example.com' } });
    await database.rows(`update people set email = 'ada@example.com' where email = 'moved@example.com'`);
  });

  test('an address alone does not link an account to a person who has set up a sign-in method', async () => {
    google.addAccount({ email: 'grace@example.com', name: 'Not Grace' });
    await grace.ok('set_password', { password: 'a long password of hers' });
    expect(await enter('grace@example.com')).toEqual(refused);
    expect(await grace.ok('list_authenticators')).toMatchObject({ authenticators: [{ kind: 'password' }] });
  });
});

test('a proof of the address of a person who joined by a passed-on link ends the methods they set up', async () => {
  const kim = await joinAs(server, database, 'kim@example.com');
  await kim.ok('set_password', { password: 'set by a thief of the link' });
  google.addAccount({ email: 'kim@example.com', name: 'Kim' });
  const { url, cookie } = await begin('google');
  const { session } = await followCallback(getQuery(await google.approve(url, { email: 'kim@example.com' })), cookie);
  expect(await readMe(session)).toMatchObject({ person: { id: kim.personId } });
  await expect.poll(async () => (await kim.call('who_am_i')).status, { timeout: 3_000 }).toBe(401);
  const headers = { 'content-type': 'application/json', origin: server.url };
  const body = JSON.stringify({ email: 'kim@example.com', password: 'set by a thief of the link' });
  expect((await server.request('/auth/password', { method: 'POST', headers, body })).status).toBe(401);
});

test('GitHub’s primary verified address admits an invited person', async () => {
  github.addUser({ login: 'mia', name: 'Mia', email: 'mia@example.com' });
  await server.ok('invite_person', { email: 'mia@example.com' });
  const { url, cookie } = await begin('github');
  expect(new URL(url).searchParams.get('scope')).toBe('user:email');
  const { session } = await followCallback(getQuery(await github.approve(url, { login: 'mia' })), cookie);
  expect(await readMe(session)).toMatchObject({ person: { email: 'mia@example.com' } });
});

test('what a provider calls an address and is a list proves none of it', async () => {
  github.addUser({ login: 'vic', name: 'Vic', email: 'vic@corp.example,eve@evil.example' });
  const { url, cookie } = await begin('github', { as: grace.headers, link: true });
  const back = await followCallback(
    getQuery(await github.approve(url, { login: 'vic' })),
    `${cookie}; ${grace.cookie}`,
  );
  expect(back).toEqual({ location: '/', session: undefined });
  expect(await database.rows(`select email from identity_addresses where email like '%,%'`)).toEqual([]);
  const signing = await begin('github');
  const { session } = await followCallback(
    getQuery(await github.approve(signing.url, { login: 'vic' })),
    signing.cookie,
  );
  expect(await readMe(session)).toMatchObject({ person: { email: 'grace@example.com' } });
  await database.rows(`delete from authenticators where kind = 'provider' and label like '%vic%'`);
});

test('a Microsoft account signs in once it is linked, and its address alone admits nobody', async () => {
  microsoft.addAccount({ email: 'ada@example.com', name: 'Ada' });
  const answer = async (url: string) => getQuery(await microsoft.approve(url, { email: 'ada@example.com' }));
  const { url, cookie } = await begin('microsoft');
  expect(await followCallback(await answer(url), cookie)).toEqual(refused);
  const owner = await signInOwner(server, database);
  const linking = await begin('microsoft', { as: owner.headers, link: true });
  await followCallback(await answer(linking.url), `${linking.cookie}; ${owner.cookie}`);
  const signing = await begin('microsoft');
  const { session } = await followCallback(await answer(signing.url), signing.cookie);
  expect(await readMe(session)).toMatchObject({ person: { email: 'ada@example.com' } });
});

test('thousands of sign-ins that nobody finished keep nobody out, and the oldest of them end', async () => {
  github.addUser({ login: 'noa', name: 'Noa', email: 'noa@example.com' });
  await server.ok('invite_person', { email: 'noa@example.com' });
  await database.rows(`
    with secrets as (
      insert into one_time_secrets (secret_hash, purpose, subject_id, workspace_id, created_at, expires_at)
      select 'unfinished-' || n, 'sign_in', ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, w.id, now(), now() + interval '5 minutes'
      from generate_series(1, 5100) n, (select id from workspaces order by created_at limit 1) w returning subject_id, workspace_id)
    insert into consents (id, workspace_id, kind, sealed) select subject_id, workspace_id, 'sign_in', 'unfinished' from secrets`);
  const { url, cookie } = await begin('github');
  const { session } = await followCallback(getQuery(await github.approve(url, { login: 'noa' })), cookie);
  expect(await readMe(session)).toMatchObject({ person: { email: 'noa@example.com' } });
  const oldest = await database.rows(`select id from consents where sealed = 'unfinished' order by id limit 1`);
  expect(oldest[0]?.['id']).toMatch(/-0000000001\d\d$/);
});

describe('with an OpenID Connect issuer', () => {
  const approve = async (url: string, login: string, iss = issuer.url) => {
    const { code, state } = await issuer.approve(url, login);
    return new URLSearchParams({ code, state, iss }).toString();
  };

  test('an address that the issuer has not verified admits nobody, and links nothing', async () => {
    const { url, cookie } = await begin('oidc');
    const asked = new URL(url).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('nonce')).toBeTruthy();
    expect(await followCallback(await approve(url, 'ada'), cookie)).toEqual(refused);
  });

  test('an account is linked in the session that began, and signs in from then on', async () => {
    const { url, cookie } = await begin('oidc', { as: grace.headers, link: true });
    const other = await signInOwner(server, database);
    const answer = await approve(url, 'grace-at-work');
    expect(await followCallback(answer, `${cookie}; ${other.cookie}`)).toEqual(refused);
    const again = await begin('oidc', { as: grace.headers, link: true });
    const linked = await followCallback(await approve(again.url, 'grace-at-work'), `${again.cookie}; ${grace.cookie}`);
    expect(linked).toEqual({ location: '/', session: undefined });
    const signing = await begin('oidc');
    const { session } = await followCallback(await approve(signing.url, 'grace-at-work'), signing.cookie);
    expect(await readMe(session)).toMatchObject({ person: { email: 'grace@example.com' } });
    const theirs = await begin('oidc', { as: other.headers, link: true });
    expect(
      await followCallback(await approve(theirs.url, 'grace-at-work'), `${theirs.cookie}; ${other.cookie}`),
    ).toEqual(refused);
  });

  test('an answer of another issuer (RFC 9207) is refused', async () => {
    const { url, cookie } = await begin('oidc');
    expect(await followCallback(await approve(url, 'grace-at-work', 'https://evil.example'), cookie)).toEqual(refused);
  });

  test('linking needs a signed-in person who has just proved who they are', async () => {
    expect((await begin('oidc', { link: true })).status).toBe(401);
    await database.rows(`update sessions set proved_at = now() - interval '11 minutes' where person_id = $1`, [
      grace.personId,
    ]);
    expect((await begin('oidc', { as: grace.headers, link: true })).status).toBe(403);
  });
});
