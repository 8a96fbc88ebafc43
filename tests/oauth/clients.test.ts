import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authorizeUrl, Browser, connect, createPkce, postJson, register } from '../support/oauth.ts';
import { clientShapes } from './client-shapes.ts';
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

describe('a real client connects', () => {
  test.each(clientShapes.map((shape) => [shape.client, shape] as const))(
    'the client goes through: %s',
    async (_client, { registers, asks }) => {
      const { redirect_uri, resource = 'mcp', scope, more } = asks;
      const client = await register(server, registers);
      const resources = { mcp: `${server.url}/mcp`, origin: `${server.url}/`, none: '' };
      const params = { redirect_uri, resource: resources[resource], ...(scope && { scope }), ...more };
      const { access_token } = await connect(server, owner, { client, params });
      expect((await server.call('who_am_i', {}, { key: access_token })).status).toBe(200);
    },
  );
});

test('a registration is answered without empty fields, and never as a web client for a native program', async () => {
  const answer = await postJson(server, '/oauth/register', {
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback'],
    client_uri: null,
    logo_uri: '',
    contacts: [],
    token_endpoint_auth_method: 'none',
  });
  const text = await answer.text();
  expect(text).not.toContain('null');
  expect(JSON.parse(text)).toMatchObject({ application_type: 'native', redirect_uris: ['http://localhost/callback'] });
  expect(JSON.parse(text)).not.toHaveProperty('client_secret');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
});

test.each([
  ['a script', { redirect_uris: ['javascript:alert(1)'] }],
  ['data', { redirect_uris: ['data:text/html,hello'] }],
  ['a file', { redirect_uris: ['file:///etc/passwd'] }],
  ['a host without https', { redirect_uris: ['http://example.com/callback'] }],
  ['a fragment', { redirect_uris: ['https://example.com/callback#x'] }],
  ['no address', { redirect_uris: [] }],
  ['eleven addresses', { redirect_uris: Array.from({ length: 11 }, (_, index) => `https://example.com/${index}`) }],
])('a registration with %s is refused', async (_what, metadata) => {
  const answer = await postJson(server, '/oauth/register', metadata);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    error: expect.stringMatching(/^invalid_(redirect_uri|client_metadata)$/),
  });
});

test('a registration of more than 8 KB is refused', async () => {
  const answer = await postJson(server, '/oauth/register', {
    redirect_uris: ['https://example.com'],
    client_name: 'x'.repeat(9_000),
  });
  expect(answer.status).toBe(413);
});

test('a client with a secret needs it, and only its hash is stored', async () => {
  const client = await register(server, { token_endpoint_auth_method: 'client_secret_post' });
  expect(client.client_secret).toMatch(/^secret_/);
  const connected = await connect(server, owner, { client });
  expect(connected.access_token).toMatch(/^to_/);
  await expect(connect(server, owner, { client: { ...client, client_secret: 'secret_wrong' } })).rejects.toThrow('401');
  const rows = JSON.stringify(await database.rows('select payload from oauth_clients'));
  expect(rows).not.toContain(client.client_secret);
});

test('a client that nobody allowed is deleted after a day, and learns so', async () => {
  const client = await register(server);
  await database.rows(`update oauth_clients set expires_at = now() - interval '1 second'`);
  const answer = await new Browser(server, owner).get(authorizeUrl(server, client, createPkce()));
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('invalid_client');
});

test('a flood of registrations is slowed', async () => {
  const statuses = await Promise.all(
    Array.from(
      { length: 80 },
      async () => (await postJson(server, '/oauth/register', { redirect_uris: ['https://example.com/cb'] })).status,
    ),
  );
  expect(statuses).toContain(429);
});
