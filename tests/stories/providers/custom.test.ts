// A custom provider, described by its addresses. panva/oidc-provider plays it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRotatingOAuth, type RotatingOAuth } from '#emulators/rotating-oauth/index';
import { signIn } from '../../support/google.ts';
import { linkAccount } from '../../support/linking.ts';
import { openAsOwner } from '../../support/owner-database.ts';
import { startWatchedServer, type WatchedServer } from '../../support/watched-server.ts';

const publicUrl = 'http://localhost:4748';
let oauth: RotatingOAuth;
let server: WatchedServer;
beforeAll(async () => {
  oauth = await startRotatingOAuth(`${publicUrl}/api/oauth/callback`);
  const seen = () => oauth.requests as never; // of each its path and its headers are looked at
  server = await startWatchedServer(
    { client: oauth.client, ledger: { ever: seen } },
    { THALAMUS_PUBLIC_URL: publicUrl, THALAMUS_EGRESS_ALLOW: oauth.url },
  );
});
afterAll(async () => {
  await server.close();
  await oauth.close();
});

const buildAddresses = () => ({
  authorization_url: `${oauth.url}/o/oauth2/v2/auth`,
  token_url: `${oauth.url}/token`,
  userinfo_url: `${oauth.url}/oauth2/v2/userinfo`,
  revocation_url: `${oauth.url}/revoke`,
});
const forge = () => ({
  provider: 'forge',
  label: 'Our forge',
  ...buildAddresses(),
  scopes: ['openid', 'email', 'offline_access'],
  client_id: oauth.client.id,
  client_secret: oauth.client.secret,
});
const approve = async (url: string) => {
  const { code, state } = await oauth.approve(url, 'ada');
  return `${publicUrl}/api/oauth/callback?${new URLSearchParams({ code, state })}`;
};
/** The token with which the provider was last asked whose account it is. */
const getLastToken = () =>
  oauth.requests.findLast(({ path }) => path.startsWith('/oauth2/v2/userinfo'))?.headers.authorization ?? '';
const readProblem = async (input: object) => (await server.call('configure_oauth_provider', input)).body['detail'];

test('a custom provider is described, linked, named by its userinfo, renewed and disconnected', async () => {
  expect(await server.ok('configure_oauth_provider', forge())).toMatchObject({
    provider: 'forge',
    redirect_uri: `${publicUrl}/api/oauth/callback`,
  });
  const { providers } = await server.ok('list_provider_configs');
  expect(providers).toContainEqual(
    expect.objectContaining({
      provider: 'forge',
      label: 'Our forge',
      is_custom: true,
      lacks: 'account',
      api_hosts: ['127.0.0.1'],
      oauth: expect.objectContaining({ client_of: 'workspace', token_auth_method: 'client_secret_post' }),
    }),
  );

  const connection_id = await linkAccount(server, { provider: 'forge', source: 'forge' }, approve);
  expect(await server.ok('get_connection', { connection_id })).toMatchObject({
    provider_label: 'Our forge',
    account: 'ada@example.com',
    status: 'active',
  });
  expect(await server.ok('test_connection', { connection_id })).toMatchObject({ ok: true, account: 'ada@example.com' });
  expect(getLastToken()).toMatch(/^Bearer \S{20,}/);

  await expire(connection_id);
  expect(await server.ok('test_connection', { connection_id })).toMatchObject({ ok: true });
  expect(oauth.counts).toMatchObject({ refreshed: 1 });

  const ended = await server.ok('revoke_connected_account', { connection_id });
  expect(ended).toMatchObject({ revoked_at_provider: true });
  const token = getLastToken();
  const after = await fetch(buildAddresses().userinfo_url, { headers: { authorization: token } });
  expect(after.status).toBe(401);
});

test('tokens go only to the provider’s first addresses while accounts are linked; removing the provider revokes them', async () => {
  const connection_id = await linkAccount(server, { provider: 'forge', source: 'forge' }, approve);
  const elsewhere = 'https://tokens.example.com/';
  for (const change of [
    { token_url: elsewhere },
    { userinfo_url: elsewhere },
    { revocation_url: null },
    { api_hosts: ['127.0.0.1', 'api.example.com'] },
  ])
    expect(await readProblem({ provider: 'forge', ...change })).toContain('1 linked account of forge');
  // Fields without an address can be changed, and omitted fields stay.
  await server.ok('configure_oauth_provider', {
    provider: 'forge',
    label: 'The forge',
    authorization_params: { hd: 'x' },
  });
  expect(await server.ok('get_connection', { connection_id })).toMatchObject({ provider_label: 'The forge' });

  const inUse = await server.call('remove_oauth_provider', { provider: 'forge' });
  expect(inUse).toMatchObject({ status: 409, body: { detail: expect.stringContaining('end_accounts') } });
  await server.ok('test_connection', { connection_id });
  const token = getLastToken();
  const ofAda = () => fetch(buildAddresses().userinfo_url, { headers: { authorization: token } });
  expect((await ofAda()).status).toBe(200);
  expect(await server.ok('remove_oauth_provider', { provider: 'forge', end_accounts: true })).toEqual({
    provider: 'forge',
    accounts_ended: 1,
    ended_at_provider: 1,
    own_page: null,
  });
  expect((await ofAda()).status).toBe(401);
  expect(await server.ok('get_connection', { connection_id })).toMatchObject({ status: 'reconnect_needed' });
  const database = await openAsOwner(server.connectionString);
  const rows = await database.rows(`select 1 from connections where refresh_token is not null`);
  await database.close();
  expect(rows).toEqual([]);
});

test('a consent that began before the provider was configured again links nothing', async () => {
  await server.ok('configure_oauth_provider', forge());
  const browser = await signIn(server);
  const { authorization_url } = await browser.ok('start_oauth', { provider: 'forge', source: 'forge' });
  const { code, state } = await oauth.approve(String(authorization_url), 'ada');
  const pausedRefresh = oauth.pause('before');
  const finishing = browser.ok('finish_oauth', { code, state }).catch((error: Error) => error.message);
  await pausedRefresh.reached;
  await server.ok('configure_oauth_provider', { provider: 'forge', userinfo_url: null });
  pausedRefresh.release();
  expect(await finishing).toContain('was changed at this moment');
  expect((await server.ok('list_connections', { provider: 'forge' }))['connections']).toMatchObject([
    { status: 'reconnect_needed' }, // the one of before
  ]);
});

test.for([
  ['no addresses', { provider: 'nobody' }, 'there is no OAuth provider nobody'],
  [
    'one address alone',
    { provider: 'nobody', token_url: 'https://example.com/token' },
    'give authorization_url and token_url',
  ],
  ['addresses for a known one', { provider: 'google', token_url: 'https://example.com/token' }, 'google is built in'],
  ['a known one without OAuth', { provider: 'telegram' }, 'Telegram has no OAuth'],
  ['plain http', { token_url: 'http://example.com/token' }, 'token_url: Only https URLs'],
  ['a private address', { token_url: 'https://10.0.0.1/token' }, 'token_url: The address 10.0.0.1'],
  ['a name in braces', { userinfo_url: 'https://example.com/{client_secret}' }, 'userinfo_url'],
  [
    'a parameter of OAuth itself',
    { authorization_params: { Redirect_URI: 'https://evil.example' } },
    'set by this server',
  ],
  [
    'a secret method without a secret',
    { provider: 'basic', token_auth_method: 'client_secret_basic' },
    'client_secret: required',
  ],
] as const)('a provider with %s is refused with what to do', async ([, over, said]) => {
  const { client_secret: _none, ...described } = forge();
  const { provider } = over as { provider?: string };
  const isOwn = provider === undefined || provider === 'basic';
  const input = isOwn
    ? { ...described, provider: 'another', ...over }
    : { client_id: 'x', client_secret: 'y', ...over };
  expect(await readProblem(input)).toContain(said);
});

test('the server shows no secret, and no table contains one', async () => {
  expect(await server.leaks()).toEqual([]);
});

async function expire(connectionId: string): Promise<void> {
  const database = await openAsOwner(server.connectionString);
  await database.rows(
    `update connections set access_expires_at = now() - interval '1 minute' where id = '${connectionId}'`,
  );
  await database.close();
}

test('a provider can be described before its client is known, and no account can be linked until then', async () => {
  const { client_id, client_secret, ...described } = { ...forge(), provider: 'shelf' };
  expect(await server.ok('configure_oauth_provider', described)).toMatchObject({
    client_id: null,
    is_configured: false,
  });
  const ofShelf = async () =>
    (
      (await server.ok('list_provider_configs'))['providers'] as { provider: string; oauth: object; lacks: string }[]
    ).find(({ provider }) => provider === 'shelf');
  const unset = { is_configured: false, client_id: null, configured_at: null };
  expect(await ofShelf()).toMatchObject({ lacks: 'client', oauth: unset });
  const browser = await signIn(server);
  const starting = browser.ok('start_oauth', { provider: 'shelf', source: 'shelf' });
  await expect(starting).rejects.toThrow(/No OAuth client is set up for Our forge.*configure_oauth_provider/);
  expect(await readProblem({ provider: 'shelf', client_secret })).toContain('client_id: required');
  expect(await server.ok('configure_oauth_provider', { provider: 'shelf', client_id, client_secret })).toMatchObject({
    is_configured: true,
  });
  expect(await ofShelf()).toMatchObject({ lacks: 'account', oauth: { is_configured: true, client_id } });
  await server.ok('remove_oauth_provider', { provider: 'shelf' });
});

test('the secret of a client goes to no address that was entered later', async () => {
  const { client_id, client_secret } = forge();
  const first = {
    provider: 'moved',
    label: 'Moved',
    authorization_url: 'https://git.example.com/auth',
    token_url: 'https://git.example.com/token',
  };
  await server.ok('configure_oauth_provider', { ...first, client_id, client_secret });
  const elsewhere = { provider: 'moved', token_url: 'https://elsewhere.example.com/token' };
  expect(await readProblem(elsewhere)).toContain('client_secret: enter it again');
  expect(await server.ok('configure_oauth_provider', { ...elsewhere, client_secret })).toMatchObject({
    provider: 'moved',
  });
  expect(await server.ok('configure_oauth_provider', { provider: 'moved', label: 'Moved on' })).toMatchObject({
    provider: 'moved',
  });
  await server.ok('remove_oauth_provider', { provider: 'moved' });
});
