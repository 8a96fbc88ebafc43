// Accounts at providers that answer as documented. Each test sets the answers.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signIn, type Browser } from '../../../../tests/support/google.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';
import { startSmallService, type ServiceRequest, type SmallService } from '../../../../tests/support/small-service.ts';

const names = ['google', 'github', 'linear', 'monday', 'notion', 'slack', 'microsoft', 'discord'];
const secret = 's3cret_with-marks';

/** Each provider's answer about the account, by path. */
const identities: Record<string, unknown> = {
  '/oauth2/v2/userinfo': { id: '1', email: 'ada@example.com' },
  '/user': { id: 7, login: 'ada' },
  '/graphql': { data: { viewer: { id: 'v1', email: 'ada@example.com' }, organization: { name: 'Acme' } } },
  '/v2': { data: { me: { id: 5, email: 'ada@example.com', account: { id: 9, slug: 'acme' } } } },
  '/v1/users/me': {
    id: 'bot-1',
    bot: { workspace_name: 'Acme', owner: { user: { person: { email: 'ada@example.com' } } } },
  },
  '/api/auth.test': { ok: true, team_id: 'T1', user_id: 'U1', user: 'ada', team: 'Acme' },
  '/v1.0/me': { id: 'm1', userPrincipalName: 'ada@example.com' },
  '/api/v10/users/@me': { id: 'd1', username: 'ada' },
};

let service: SmallService;
let server: TestServer;
let browser: Browser;
let database: OwnerDatabase;
/** The next answer of the token endpoint. */
let tokens: Record<string, unknown> = {};
let tokenStatus = 200;

function answer({ path, method }: ServiceRequest) {
  const identity = identities[path];
  if (identity) return { body: identity };
  if (/revoke|\/grant$/.test(path))
    return { status: method === 'DELETE' ? 204 : 200, body: method === 'DELETE' ? '' : { ok: true } };
  return { status: tokenStatus, body: tokens };
}

beforeAll(async () => {
  service = await startSmallService(answer);
  const settings = names.flatMap((name) => [
    [`THALAMUS_${name.toUpperCase()}_BASE_URL`, service.url],
    [`THALAMUS_${name.toUpperCase()}_CLIENT_ID`, 'the-client'],
    [`THALAMUS_${name.toUpperCase()}_CLIENT_SECRET`, secret],
  ]);
  server = await startTestServer(Object.fromEntries(settings));
  database = await openAsOwner(server.connectionString);
  browser = await signIn(server);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await service.close();
});
beforeEach(() => {
  service.asked.length = 0;
  tokenStatus = 200;
});

/** Links an account like the browser does; the provider's page is skipped. */
async function link(provider: string, given: Record<string, unknown>, more: object = {}) {
  tokens = given;
  const { authorization_url } = await browser.ok('start_oauth', { provider, source: provider, ...more });
  const asked = new URL(String(authorization_url)).searchParams;
  const linked = await browser.ok('finish_oauth', { code: 'the-code', state: asked.get('state') });
  return { connection_id: String(linked['connection_id']), account: linked['account'], asked };
}

test('a link cannot share an account with the workspace or lead to another site', async () => {
  const { workspace } = (await server.ok('who_am_i')) as { workspace: { id: string } };
  const begin = (query: string) =>
    server.request(`/api/workspaces/${workspace.id}/oauth/discord/start?${query}`, {
      redirect: 'manual',
      headers: { cookie: browser.cookie },
    });
  const shared = (await begin('owner=workspace')).headers.get('location') ?? '';
  expect(shared).toMatch(/^\/integrations\?error=/);
  expect(decodeURIComponent(shared)).toContain('A link cannot share an account');
  for (const path of ['//evil.example', '/\t/evil.example', '/\\evil.example']) {
    const led = (await begin(`return_to=${encodeURIComponent(path)}`)).headers.get('location') ?? '';
    expect(led, JSON.stringify(path)).toMatch(/^\/integrations\?error=/);
  }
});

test('a consent that began in one browser cannot be finished in another, nor twice', async () => {
  tokens = { access_token: 'given', token_type: 'bearer', scope: 'repo read:user' };
  const begun = await browser.ok('start_oauth', { provider: 'github', source: 'github' });
  const state = new URL(String(begun['authorization_url'])).searchParams.get('state');
  const other = await signIn(server);
  await expect(other.ok('finish_oauth', { code: 'the-code', state })).rejects.toThrow(/409/);
  expect(service.asked).toEqual([]);
  await browser.ok('finish_oauth', { code: 'the-code', state });
  await expect(browser.ok('finish_oauth', { code: 'the-code', state })).rejects.toThrow(/409/);
});

const get = (connection_id: string) => server.ok('get_connection', { connection_id });
const expire = (id: string) => database.rows('update connections set access_expires_at = now() where id = $1', [id]);
const basic = `Basic ${Buffer.from(`the-client:${secret}`).toString('base64')}`;

const ways = [
  {
    provider: 'google',
    account: 'ada@example.com',
    revoke: { method: 'POST', path: '/revoke', body: 'token=refresh-1' },
  },
  {
    provider: 'github',
    account: 'ada',
    revoke: { method: 'DELETE', path: '/applications/the-client/grant', body: '{"access_token":"access-1"}', basic },
  },
  {
    provider: 'linear',
    account: 'ada@example.com in Acme',
    revoke: { method: 'POST', path: '/oauth/revoke', body: 'access_token=access-1' },
  },
  {
    provider: 'monday',
    account: 'ada@example.com in acme',
    revoke: { method: 'POST', path: '/oauth_ms/oauth/revoke', body: expect.stringContaining('"token":"refresh-1"') },
  },
  {
    provider: 'notion',
    account: 'ada@example.com in Acme',
    revoke: { method: 'POST', path: '/v1/oauth/revoke', body: '{"token":"access-1"}', basic },
  },
  { provider: 'slack', account: 'ada in Acme', revoke: { method: 'POST', path: '/api/auth.revoke', body: '' } },
  { provider: 'microsoft', account: 'ada@example.com', revoke: null },
  {
    provider: 'discord',
    account: 'ada',
    revoke: { method: 'POST', path: '/api/oauth2/token/revoke', body: expect.stringMatching(/^token=refresh-1&/) },
  },
];

test.each(ways)(
  'the provider $provider links and disconnects in its own way',
  async ({ provider, account, revoke }) => {
    const given = { access_token: 'access-1', refresh_token: 'refresh-1', token_type: 'bearer', expires_in: 3600 };
    const linked = await link(provider, provider === 'slack' ? { ok: true, authed_user: given } : given);
    expect(linked.account).toBe(account);
    const ended = await server.ok('revoke_connected_account', { connection_id: linked.connection_id });
    expect(ended['revoked_at_provider']).toBe(revoke !== null);
    if (!revoke) {
      expect(ended).toMatchObject({
        own_page: { url: 'https://myapplications.microsoft.com' },
        message: expect.stringContaining('Revoke it there too'),
      });
      return;
    }
    const last = service.asked.at(-1);
    expect(last).toMatchObject({ method: revoke.method, path: revoke.path, body: revoke.body });
    if ('basic' in revoke) expect(last?.headers.authorization).toBe(revoke.basic);
  },
);

test('Notion gets JSON with Basic, Slack asks for a user token, Linear gets scopes with commas', async () => {
  const given = { access_token: 'access-1', token_type: 'bearer' };
  await link('notion', given);
  expect(service.asked[0]).toMatchObject({ path: '/v1/oauth/token', headers: { authorization: basic } });
  expect(JSON.parse(service.asked[0]?.body ?? '')).toMatchObject({
    grant_type: 'authorization_code',
    code: 'the-code',
  });
  const { asked } = await link('linear', { ...given, scope: ['read', 'write', 'admin'] });
  expect(asked.get('scope')).toBe('read,write');
  // The former scopes are requested again, because the provider would revoke them.
  expect((await link('linear', { ...given, scope: ['read', 'write'] })).asked.get('scope')).toBe('read,write,admin');
  expect(
    (await link('slack', { ok: true, authed_user: { ...given, scope: 'channels:read' } })).asked.get('scope'),
  ).toBeNull();
});

test('a token without an expiry is used as long as the provider accepts it', async () => {
  const { connection_id } = await link('github', { access_token: 'gho_1', token_type: 'bearer', scope: 'repo,user' });
  expect(await get(connection_id)).toMatchObject({ scopes: ['repo', 'user'], ends_at: null, warnings: [] });
  await expire(connection_id);
  expect(await server.ok('test_connection', { connection_id })).toMatchObject({ ok: true });
});

test('a missing permission after a renewal is noticed, reported, and restored by linking again', async () => {
  const given = {
    access_token: 'a1',
    refresh_token: 'r1',
    expires_in: 3600,
    token_type: 'bearer',
    scope: 'openid email calendar',
  };
  const { connection_id } = await link('google', given);
  await expire(connection_id);
  tokens = { ...given, access_token: 'a2', scope: 'openid email' };
  expect(await server.ok('test_connection', { connection_id })).toMatchObject({ ok: true });
  expect(await get(connection_id)).toMatchObject({
    status: 'active',
    scopes: ['openid', 'email'],
    lost_scopes: ['calendar'],
    warnings: [expect.stringContaining('calendar')],
  });
  await link('google', given);
  expect(await get(connection_id)).toMatchObject({ lost_scopes: [], warnings: [] });
});

test('an expected expiry, as with Google in Testing mode, is reported in advance', async () => {
  const week = 7 * 86_400;
  const given = { access_token: 'a1', refresh_token: 'r1', expires_in: 3600, token_type: 'bearer' };
  const { connection_id } = await link('google', { ...given, refresh_token_expires_in: week });
  expect(await get(connection_id)).toMatchObject({ ends_at: expect.any(String), warnings: [] });
  await expire(connection_id);
  tokens = { ...given, access_token: 'a2', refresh_token_expires_in: 86_400 };
  await server.ok('test_connection', { connection_id });
  expect((await get(connection_id))['warnings']).toEqual([expect.stringContaining('Google ends this access on')]);
});

test('a provider with errors is recorded and awaited; a revoked grant is reported in the provider’s own words', async () => {
  const { connection_id } = await link('github', {
    access_token: 'a1',
    refresh_token: 'r1',
    expires_in: 3600,
    token_type: 'bearer',
  });
  await expire(connection_id);
  [tokens, tokenStatus] = [{ message: 'down' }, 503];
  expect(await server.ok('test_connection', { connection_id })).toMatchObject({ ok: false });
  expect(await get(connection_id)).toMatchObject({
    status: 'active',
    last_error: expect.any(String),
    warnings: [expect.any(String)],
  });
  service.asked.length = 0;
  expect(await server.ok('test_connection', { connection_id })).toMatchObject({
    ok: false,
    message: expect.stringContaining('next attempt is in'),
  });
  expect(service.asked).toEqual([]);
  await database.rows('update connections set retry_at = null where id = $1', [connection_id]);
  [tokens, tokenStatus] = [{ error: 'bad_refresh_token', error_description: 'The refresh token is incorrect' }, 200];
  await server.ok('test_connection', { connection_id });
  expect(await get(connection_id)).toMatchObject({
    status: 'reconnect_needed',
    status_reason: expect.stringContaining('Link the account again'),
  });
});

test('a person goes to the consent page by the address of the contract, and returns with the error', async () => {
  const { workspace } = (await server.ok('who_am_i')) as { workspace: { id: string } };
  const start = (workspaceId: string, cookie = browser.cookie) =>
    server.request(`/api/workspaces/${workspaceId}/oauth/discord/start`, { redirect: 'manual', headers: { cookie } });
  const target = new URL((await start(workspace.id)).headers.get('location') ?? '');
  expect(target.origin + target.pathname).toBe(`${service.url}/oauth2/authorize`);
  expect(target.searchParams.get('code_challenge_method')).toBe('S256');
  const elsewhere = await start('01920000-0000-7000-8000-00000000dead');
  expect(elsewhere.headers.get('location')).toMatch(/^\/integrations\?error=No%20such%20workspace/);
  expect((await start(workspace.id, '')).headers.get('location')).toMatch(/^\/integrations\?error=/);
});

test.each([
  [
    'a client secret that is wrong',
    { status: 401, body: { error: 'invalid_client', error_description: 'The secret is invalid.' } },
    { code: 'x' },
    'Google refused to issue a token: invalid_client, The secret is invalid. Enter the client id and the secret of the OAuth client again.',
  ],
  [
    'a code that is refused',
    { status: 400, body: { error: 'invalid_grant', error_description: 'Bad redirect.' } },
    { code: 'x' },
    'Google did not accept its own code: Bad redirect. Start again. If that does not help, compare the redirect URI there.',
  ],
  [
    'access that a person declined',
    { status: 200, body: {} },
    { error: 'access_denied' },
    'Nothing was linked: access was declined at Google. Start again to allow it.',
  ],
])('a consent with %s leads the browser back to its start, with instructions', async (_what, said, came, message) => {
  [tokenStatus, tokens] = [said.status, said.body];
  const input = { provider: 'google', source: 'drive', return_to: '/integrations/drive' };
  const { authorization_url } = await browser.ok('start_oauth', input);
  const state = new URL(String(authorization_url)).searchParams.get('state') ?? '';
  const query = new URLSearchParams({ ...came, state } as Record<string, string>);
  const back = () =>
    server.request(`/api/oauth/callback?${query}`, { headers: { cookie: browser.cookie }, redirect: 'manual' });
  expect((await back()).headers.get('location')).toBe(`/integrations/drive?error=${encodeURIComponent(message)}`);
  // The consent is used: a second callback gets an error.
  expect((await back()).headers.get('location')).toMatch(/^\/integrations\?error=This%20consent%20was%20used/);
});

test('an expired account requests all its former permissions when it is linked again for one source', async () => {
  const calendar = 'https://www.googleapis.com/auth/calendar.readonly';
  const given = {
    access_token: 'ended-token',
    refresh_token: 'r',
    expires_in: 3600,
    scope: `openid email ${calendar}`,
  };
  const { connection_id } = await link('google', given);
  const begin = async () => {
    const { authorization_url } = await browser.ok('start_oauth', { provider: 'google', source: 'gmail' });
    return new URL(String(authorization_url)).searchParams.get('scope');
  };
  expect(await begin()).not.toContain(calendar); // Google keeps scopes of other sources by itself
  await database.rows(`update connections set status = 'reconnect_needed' where id = '${connection_id}'`);
  expect(await begin()).toContain(calendar);
  await server.ok('revoke_connected_account', { connection_id });
  expect(await begin()).not.toContain(calendar);
});
