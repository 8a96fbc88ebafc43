import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinAs } from '../support/colleague.ts';
import {
  anyRedirect,
  authorizeUrl,
  Browser,
  connect,
  decide,
  createPkce,
  refresh,
  register,
  type Tokens,
} from '../support/oauth.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { startOauthServer } from './support.ts';

type OauthServer = Awaited<ReturnType<typeof startOauthServer>>;
let server: OauthServer['server'];
let owner: OauthServer['owner'];
let database: OauthServer['database'];
let close: () => Promise<void>;

beforeAll(async () => {
  ({ server, owner, database, close } = await startOauthServer());
});
afterAll(() => close());

const readWhoAmIStatus = async (key: string) => (await server.call('who_am_i', {}, { key })).status;

test('a client that a person allowed calls tools over MCP and REST, and appears among the connected clients', async () => {
  const { access_token, refresh_token, scope, expires_in } = await connect(server, owner);
  expect(access_token).toMatch(/^to_[\w-]{43}$/);
  expect(refresh_token).toMatch(/^tr_[\w-]{43}$/);
  expect(expires_in).toBe(12 * 60 * 60);
  expect(scope.split(' ')).toEqual(expect.arrayContaining(['memory:read', 'memory:write', 'actions:draft']));
  const client = await connectMcp(`${server.url}/mcp`, access_token);
  await client.callTool({ name: 'add_memory', arguments: { content: 'The tide table hangs in the hall' } });
  await client.close();
  const found = await server.ok('search_memory', { q: 'tide table' }, { key: access_token });
  expect(JSON.stringify(found)).toContain('hangs in the hall');
  expect(await server.ok('who_am_i', {}, { key: access_token })).toMatchObject({
    caller: { kind: 'oauth', label: 'Test client', is_human_surface: false },
  });
  const { clients } = await server.ok('list_connected_clients');
  expect(clients).toMatchObject([
    { client_name: 'Test client', client_host: null, document_host: null, expires_at: null },
  ]);
  expect(anyRedirect).toContain('127.0.0.1');
});

test('a refresh token gives new tokens, and the old access token works until it expires', async () => {
  const first = await connect(server, owner);
  const answer = await refresh(server, first.client, first.refresh_token);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const second = (await answer.json()) as Tokens;
  expect(second.refresh_token).not.toBe(first.refresh_token);
  for (const key of [first.access_token, second.access_token])
    expect((await server.call('who_am_i', {}, { key })).status).toBe(200);
});

test('the database has no token, code or secret of a client, only hashes', async () => {
  const { access_token, refresh_token, client } = await connect(server, owner);
  const rows = [
    ...(await database.rows('select * from oauth_tokens')),
    ...(await database.rows('select * from oauth_requests')),
    ...(await database.rows('select * from oauth_clients')),
  ];
  const text = JSON.stringify(rows);
  for (const secret of [access_token, refresh_token]) expect(text).not.toContain(secret);
  expect(text).not.toContain('"jti"');
  expect(client.client_secret).toBeUndefined();
});

test('the clients of a person who is removed do not come back with them', async () => {
  const mary = await joinAs(server, database, 'mary@example.com');
  const { access_token, refresh_token, client } = await connect(server, mary);
  expect(await readWhoAmIStatus(access_token)).toBe(200);
  await owner.ok('remove_person', { person_id: mary.personId });
  // As if she had joined again in the same moment: a removed person becomes the same person.
  await database.rows('update people set removed_at = null where id = $1', [mary.personId]);
  await expect.poll(() => readWhoAmIStatus(access_token), { timeout: 5_000 }).toBe(401);
  expect((await refresh(server, client, refresh_token)).status).toBe(400);
});

test('scopes of a token are held against the role of its person at every call', async () => {
  const paul = await joinAs(server, database, 'paul@example.com');
  await owner.ok('change_person_role', { person_id: paul.personId, role: 'admin' });
  const own = async () => (await paul.ok('who_am_i'))['scopes'];
  await expect.poll(own, { timeout: 5_000 }).toContain('workspace:admin');
  const { access_token } = await connect(server, paul, {
    params: { scope: 'workspace:admin memory:read' },
    change: (fields) => [...fields, ['scope', 'workspace:admin']],
  });
  const scopes = async () => (await server.ok('who_am_i', {}, { key: access_token })).scopes;
  expect(await scopes()).toContain('workspace:admin');
  await owner.ok('change_person_role', { person_id: paul.personId, role: 'member' });
  await expect.poll(scopes, { timeout: 5_000 }).not.toContain('workspace:admin');
});

test('a second request in the same browser makes a grant of its own', async () => {
  const [client, browser] = [await register(server), new Browser(server, owner)];
  const grants = () => database.rows('select id from oauth_grants where client_id = $1', [client.client_id]);
  for (const made of [1, 2]) {
    await decide(browser, authorizeUrl(server, client, createPkce()));
    expect(await grants()).toHaveLength(made);
  }
});

test('the server’s addresses come from its settings, whatever host a request names', async () => {
  const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' };
  const [client, pkce] = [await register(server), createPkce()];
  for (const path of [
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/.well-known/oauth-protected-resource/mcp',
    new URL(authorizeUrl(server, client, pkce)).pathname + new URL(authorizeUrl(server, client, pkce)).search,
    '/v1/me',
  ]) {
    const answer = await fetch(`${server.url}${path}`, { headers: forged, redirect: 'manual' });
    const all = `${JSON.stringify([...answer.headers])} ${await answer.text()}`;
    expect(all, path).not.toContain('evil.example');
    expect(all.replaceAll('http://www.w3.org', ''), path).not.toContain(`https://${new URL(server.url).host}`);
  }
});

test('pages of any origin may read what a client discovers, for each address of the server', async () => {
  const { workspace } = await server.ok('who_am_i');
  const describe = async (path: string) => {
    const answer = await fetch(`${server.url}/.well-known/${path}`, { headers: { origin: 'https://client.example' } });
    expect(answer.headers.get('access-control-allow-origin'), path).toBe('*');
    return (await answer.json()) as Record<string, unknown>;
  };
  for (const path of ['/mcp', '/', '/sse', `/mcp/w/${workspace.id}`])
    expect(await describe(`oauth-protected-resource${path === '/' ? '' : path}`), path).toMatchObject({
      resource: `${server.url}${path === '/' ? '/' : path}`.replace(/\/sse$/, '/sse'),
      authorization_servers: [server.url],
    });
  for (const path of ['oauth-authorization-server', 'openid-configuration'])
    expect(await describe(path)).toMatchObject({
      issuer: server.url,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: expect.arrayContaining(['none']),
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
  const preflight = await fetch(`${server.url}/oauth/token`, {
    method: 'OPTIONS',
    headers: { origin: 'https://client.example', 'access-control-request-method': 'POST' },
  });
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
});

test('a refresh token lives 30 days from its last use, and an access token 12 hours', async () => {
  const { refresh_token, client, expires_in } = await connect(server, owner);
  expect(expires_in).toBe(12 * 3600);
  const days = async () =>
    database.rows(
      `select round(extract(epoch from t.expires_at - now()) / 86400)::int as days from oauth_tokens t join oauth_grants g on g.id = t.grant_id
       where client_id = $1 and kind = 'refresh' and used_at is null`,
      [client.client_id],
    );
  expect(await days()).toEqual([{ days: 30 }]);
  await database.rows(`update oauth_tokens set expires_at = now() + interval '1 day' where kind = 'refresh'`);
  expect((await refresh(server, client, refresh_token)).status).toBe(200);
  expect(await days()).toEqual([{ days: 30 }]);
});
