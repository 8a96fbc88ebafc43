import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinAs } from '../support/colleague.ts';
import { anyRedirect, connect, refresh, type Tokens } from '../support/oauth.ts';
import { connectMcp } from '../support/mcp-client.ts';
import { startOauthServer } from './support.ts';

type Started = Awaited<ReturnType<typeof startOauthServer>>;
let server: Started['server'];
let owner: Started['owner'];
let database: Started['database'];
let close: () => Promise<void>;

beforeAll(async () => {
  ({ server, owner, database, close } = await startOauthServer());
});
afterAll(() => close());

const whoAmI = async (key: string) => (await server.call('who_am_i', {}, { key })).status;

test('a client that a person allowed calls tools over MCP and REST, and appears among the connected clients', async () => {
  const { access_token, refresh_token, scope, expires_in } = await connect(server, owner.cookie);
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
  const first = await connect(server, owner.cookie);
  const answer = await refresh(server, first.client, first.refresh_token);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const second = (await answer.json()) as Tokens;
  expect(second.refresh_token).not.toBe(first.refresh_token);
  for (const key of [first.access_token, second.access_token])
    expect((await server.call('who_am_i', {}, { key })).status).toBe(200);
});

test('the database has no token, code or secret of a client, only hashes', async () => {
  const { access_token, refresh_token, client } = await connect(server, owner.cookie);
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
  const { access_token } = await connect(server, mary.cookie);
  expect(await whoAmI(access_token)).toBe(200);
  await owner.ok('remove_person', { person_id: mary.personId });
  await expect.poll(() => whoAmI(access_token), { timeout: 5_000 }).toBe(401);
  const ended = () =>
    database.rows('select ended_at from oauth_grants where person_id = $1 and ended_at is not null', [mary.personId]);
  await expect.poll(async () => (await ended()).length, { timeout: 10_000 }).toBe(1);
});
