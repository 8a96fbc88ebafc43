import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signIn, type Browser } from '../../../../tests/support/google.ts';
import { connectMcp } from '../../../../tests/support/mcp-client.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { addPerson } from '../../../../tests/support/second-person.ts';
import { addWorkspace } from '../../../../tests/support/second-workspace.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';
import { startSmallService, type ServiceRequest, type SmallService } from '../../../../tests/support/small-service.ts';

const botToken = `123456:${'CANARYtelegram'.repeat(3)}`;
const notionToken = `ntn_${'CANARYnotion'.repeat(4)}`;
const apiKey = 'CANARYkey-0123456789';

let service: SmallService;
let server: TestServer;
let browser: Browser;
let database: OwnerDatabase;
/** The tokens that the provider accepts now. */
let isAccepted = true;

function answer({ path, headers }: ServiceRequest) {
  if (!isAccepted) return { status: 401, body: { ok: false, error_code: 401, description: `Unauthorized ${path}` } };
  if (path === `/bot${botToken}/getMe`) return { body: { ok: true, result: { id: 123456, username: 'ada_bot' } } };
  if (path === '/v1/users/me' && headers.authorization === `Bearer ${notionToken}`) {
    return { body: { object: 'user', id: 'b1', type: 'bot', bot: { workspace_name: 'Ada & Co' } } };
  }
  if (path === '/data.json' && headers['x-key'] === apiKey) return { body: { rows: [] } };
  if (path.startsWith('/secret-calendar'))
    return { body: 'BEGIN:VCALENDAR\r\nX-WR-CALNAME:Ada at work\r\nEND:VCALENDAR\r\n' };
  return { status: 401, body: { ok: false, description: 'Unauthorized' } };
}

beforeAll(async () => {
  service = await startSmallService(answer);
  server = await startTestServer({
    THALAMUS_TELEGRAM_BASE_URL: service.url,
    THALAMUS_NOTION_BASE_URL: service.url,
    THALAMUS_EGRESS_ALLOW: service.url,
  });
  database = await openAsOwner(server.connectionString);
  browser = await signIn(server);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await service.close();
});
beforeEach(() => {
  isAccepted = true;
});

test('a pasted token is checked at once, named, and never shown again', async () => {
  const linked = await browser.ok('connect_with_token', { provider: 'telegram', token: botToken });
  expect(linked).toMatchObject({ provider: 'telegram', kind: 'token', account: '@ada_bot', status: 'active' });
  const dump = JSON.stringify([linked, await database.dump(), await server.ok('list_connections', {})]);
  expect(dump).not.toContain('CANARY');
  expect(await server.ok('test_connection', { connection_id: linked['connection_id'] })).toMatchObject({ ok: true });
});

test('pasting the token again gives the same account', async () => {
  const first = await browser.ok('connect_with_token', { provider: 'notion', token: notionToken });
  const again = await browser.ok('connect_with_token', { provider: 'notion', token: notionToken });
  expect(again['connection_id']).toBe(first['connection_id']);
  expect(again['account']).toBe('Ada & Co');
});

test('an agent gets the page for its person to open instead', async () => {
  const { key } = await server.ok('create_key', { label: 'An agent' });
  const mcp = await connectMcp(`${server.url}/mcp?toolsets=all`, String(key));
  const answer = await mcp.callTool({
    name: 'connect_with_token',
    arguments: { provider: 'telegram', token: botToken },
  });
  await mcp.close();
  expect(answer.isError).toBe(true);
  expect(JSON.stringify(answer)).toContain('/integrations/telegram');
  expect(JSON.stringify(answer)).not.toContain('CANARY');
});

test('a typing error is reported before any request, and a token that the provider refuses is not stored', async () => {
  service.asked.length = 0;
  for (const token of ['not a token', '123456:short', '']) {
    await expect(browser.ok('connect_with_token', { provider: 'telegram', token })).rejects.toThrow(/422/);
  }
  const cut = browser.ok('connect_with_token', { provider: 'linear', token: 'lin' });
  await expect(cut).rejects.toThrow('for Linear, the personal API key begins with lin_api_');
  expect(service.asked).toEqual([]);
  const refused = browser.ok('connect_with_token', { provider: 'telegram', token: `99999:${'x'.repeat(35)}` });
  await expect(refused).rejects.toThrow(/502.*Telegram does not accept this bot token \(401\).*create a new one/);
  const { connections } = await server.ok('list_connections', { provider: 'telegram' });
  expect(connections).toHaveLength(1);
});

test('any service can use a key in its own header, and a calendar its secret address', async () => {
  const url = `${service.url}/data.json`;
  const header = { name: 'x-key', value: '{token}' };
  await expect(browser.ok('connect_with_token', { provider: 'http_json', url })).rejects.toThrow(
    /The address answered 401.*Enter the key that it needs/,
  );
  const linked = await browser.ok('connect_with_token', { provider: 'http_json', url, token: apiKey, header });
  expect(linked).toMatchObject({ account: expect.stringContaining('/data.json'), status: 'active' });
  const secret = `${service.url}/secret-calendar-CANARY.ics`;
  const calendar = await browser.ok('connect_with_token', { provider: 'ics', token: secret });
  expect(calendar['account']).toContain('Ada at work');
  expect(JSON.stringify([calendar, await database.dump()])).not.toContain('CANARY');
  for (const { connection_id } of [linked, calendar]) {
    expect(await server.ok('test_connection', { connection_id })).toMatchObject({ ok: true });
  }
});

test('the rules of egress apply to pasting and testing', async () => {
  const inside = { provider: 'http_json', url: 'http://127.0.0.1:9/', token: 'abc' };
  await expect(browser.ok('connect_with_token', inside)).rejects.toThrow(/THALAMUS_EGRESS_ALLOW/);
});

test('an account whose token is refused reports it, forgets the token, and works with a new one', async () => {
  const { connection_id } = await browser.ok('connect_with_token', { provider: 'telegram', token: botToken });
  isAccepted = false;
  const tested = await server.ok('test_connection', { connection_id });
  expect(tested).toMatchObject({
    ok: false,
    message: expect.stringContaining('no longer accepts the token of @ada_bot'),
  });
  expect(JSON.stringify(tested)).not.toContain('CANARY');
  const row = await server.ok('get_connection', { connection_id });
  expect(row).toMatchObject({ status: 'reconnect_needed', status_reason: expect.stringContaining('Link it again') });
  const [stored] = await database.rows('select access_token from connections where id = $1', [connection_id]);
  expect(stored?.['access_token']).toBeNull();
  isAccepted = true;
  const again = await browser.ok('connect_with_token', { provider: 'telegram', token: botToken });
  expect(again).toMatchObject({ connection_id, status: 'active' });
});

test('the account reports a token that will soon expire', async () => {
  const ends_at = new Date(Date.now() + 86_400_000).toISOString();
  const { connection_id } = await browser.ok('connect_with_token', { provider: 'notion', token: notionToken, ends_at });
  const { warnings } = await server.ok('get_connection', { connection_id });
  expect(warnings).toEqual([expect.stringMatching(/Notion ends this access on \d{4}-\d\d-\d\d/)]);
});

test('every member uses an account of the workspace, and only its admins change it', async () => {
  const member = await addPerson(database);
  const key = { key: member.key };
  const shared = await browser.ok('connect_with_token', { provider: 'notion', token: notionToken, owner: 'workspace' });
  const { connection_id } = shared;
  expect(shared).toMatchObject({ owner: 'workspace', may_change: true });

  const { connections } = await server.ok('list_connections', {}, key);
  expect(connections).toMatchObject([{ connection_id, owner: 'workspace', may_change: false }]);
  expect(await server.ok('test_connection', { connection_id }, key)).toMatchObject({ ok: true });
  expect((await server.call('revoke_connected_account', { connection_id }, key)).status).toBe(403);
  const own = { provider: 'telegram', token: botToken };
  expect((await server.call('connect_with_token', { ...own, owner: 'workspace' }, key)).status).toBe(403);

  expect((await server.call('connect_with_token', own, key)).status).toBe(200);
  const mine = (await server.ok('list_connections', {}, key))['connections'] as { owner: string }[];
  expect(mine.map(({ owner }) => owner)).toEqual(['person', 'workspace']);

  const stranger = { key: (await addWorkspace(server)).key };
  expect(await server.ok('list_connections', {}, stranger)).toEqual({ connections: [] });
  expect((await server.call('get_connection', { connection_id }, stranger)).status).toBe(404);
});

test('every change has an event, with ids and keys only', async () => {
  const { connection_id } = await browser.ok('connect_with_token', { provider: 'telegram', token: botToken });
  await server.ok('revoke_connected_account', { connection_id });
  await server.ok('configure_oauth_provider', { provider: 'notion', client_id: 'c', client_secret: 'CANARYsecret' });
  const rows = await database.rows(
    `select name, payload, person_id is null as for_all from events order by xact, id desc`,
  );
  const changeEvents = rows.filter(({ name }) => name === 'integration.changed');
  const keys = new Set(changeEvents.flatMap(({ payload }) => Object.keys(payload as object)));
  expect([...keys].toSorted()).toEqual(['connection_id', 'provider']);
  expect(changeEvents).toEqual(
    expect.arrayContaining([
      {
        name: 'integration.changed',
        payload: { provider: 'telegram', connection_id },
        for_all: false,
      },
      { name: 'integration.changed', payload: { provider: 'notion' }, for_all: true },
    ]),
  );
});

test('each provider lists its missing settings, and the redirect URI to copy', async () => {
  const { workspace } = (await server.ok('who_am_i')) as { workspace: { id: string } };
  const path = `/api/workspaces/${workspace.id}/oauth-provider-configs`;
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' };
  const list = async () => {
    const { providers } = (await (await server.request(path, { headers })).json()) as {
      providers: Record<string, unknown>[];
    };
    return new Map(providers.map((each) => [each['provider'], each]));
  };
  const before = await list();
  expect(before.get('google')).toMatchObject({
    lacks: 'client',
    oauth: { is_configured: false, redirect_uri: expect.stringMatching(/\/api\/oauth\/callback$/) },
  });
  expect(before.get('github')).toMatchObject({ lacks: 'account' });
  expect(before.get('notion')).toMatchObject({ lacks: 'nothing' });
  const body = JSON.stringify({ clientId: 'id-1', clientSecret: 'CANARYsecret' });
  expect((await server.request(`${path}/google`, { method: 'PATCH', headers, body })).status).toBe(200);
  const after = await list();
  expect(after.get('google')).toMatchObject({ lacks: 'account', oauth: { client_of: 'workspace', client_id: 'id-1' } });
  expect(JSON.stringify([...after])).not.toContain('CANARY');
  const elsewhere = path.replace(workspace.id, '01920000-0000-7000-8000-00000000dead');
  expect((await server.request(elsewhere, { headers })).status).toBe(404);
});
