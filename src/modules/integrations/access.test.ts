import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GoogleEmulator } from '#emulators/google/index';
import { linkGoogle, startServerWithGoogle } from '../../../tests/support/google.ts';
import { connectMcp } from '../../../tests/support/mcp-client.ts';
import { addWorkspace } from '../../../tests/support/second-workspace.ts';
import type { TestServer } from '../../../tests/support/server.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';
const threads = '/gmail/v1/users/me/threads';

let server: TestServer;
let google: GoogleEmulator;
let close: () => Promise<void>;
/** The offset of the emulator's clock. */
let aheadMs = 0;
beforeAll(async () => {
  ({ server, google, close } = await startServerWithGoogle({}, { now: () => new Date(Date.now() + aheadMs) }));
  for (const email of [ada, bob]) {
    google.addAccount({ email, name: email });
    google.seedMail(email, { from: 'noah@x.example', subject: `For ${email}`, text: `Confidential to ${email}` });
  }
});
afterAll(() => close());
beforeEach(() => google.ledger.clear());
afterEach(() => google.failures.clear());

type Integration = {
  name: string;
  connected: boolean;
  oauth_provider: string | null;
  accounts: Record<string, unknown>[];
};
async function listIntegrations(input: object = {}, key = server.key): Promise<Integration[]> {
  return (await server.ok('list_integrations', input, { key }))['integrations'] as Integration[];
}
const fetchMail = (more: object = {}, key = server.key) =>
  server.call('fetch_from_integration', { source: 'gmail', request: 'from:noah', ...more }, { key });

async function runSql(text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Nothing is read from a source that the caller has no account for; the note says where a person links one. */
const buildUnlinkedAnswer = (source: string) => ({
  status: 200,
  body: { source, ingested_count: 0, page_slugs: [], note: expect.stringContaining(`/integrations/${source}`) },
});

test('fetching without an account reads nothing, and notes the place where a person links one', async () => {
  expect(await fetchMail()).toMatchObject(buildUnlinkedAnswer('gmail'));
  const unread = await server.call('fetch_from_integration', { source: 'calendar', request: 'my important meetings' });
  expect(unread.status).toBe(422);
  expect(await listIntegrations({ include_unconnected: false })).toEqual([]);
  const all = await listIntegrations();
  expect(all.map(({ name, connected }) => [name, connected])).toEqual([
    ['gmail', false],
    ['calendar', false],
    ['drive', false],
    ['outlook_mail', false],
    ['outlook_calendar', false],
    ['github', false],
    ['linear', false],
    ['monday', false],
    ['notion', false],
    ['slack', false],
    ['discord', false],
    ['ics', false],
    ['http_json', false],
    ['telegram', false],
  ]);
  const byToken = all.filter(({ oauth_provider }) => oauth_provider === null).map(({ name }) => name);
  expect(byToken).toEqual(['discord', 'ics', 'http_json', 'telegram']);
  expect(all[0]).toMatchObject({
    oauth_provider: 'google',
    supports: { fetch: true, act: true, adapter: false },
    is_configured: true,
    scopes: [
      { scope: expect.stringContaining('gmail.readonly'), why: expect.any(String), for: 'read' },
      { scope: expect.stringContaining('gmail.compose'), for: 'act' },
      { scope: expect.stringContaining('gmail.modify'), for: 'act' },
    ],
    connect_url: expect.stringContaining('/integrations/gmail'),
  });
});

test('an account serves only the sources it was linked for, and list_integrations names it', async () => {
  const { connectionId } = await linkGoogle(server, google, { sources: ['gmail'] });
  expect((await listIntegrations({ include_unconnected: false })).map((each) => each.name)).toEqual(['gmail']);
  expect((await listIntegrations())[0]?.accounts).toMatchObject([
    { connection_id: connectionId, account: ada, status: 'active' },
  ]);
  const drive = await server.call('fetch_from_integration', { source: 'drive', request: 'plan' });
  expect(drive).toMatchObject(buildUnlinkedAnswer('drive'));
  expect(await fetchMail({ account: 'eve@example.com' })).toMatchObject({ status: 409 });
  expect((await fetchMail()).status).toBe(200);
});

test('the published schema offers only the caller’s connected sources', async () => {
  const client = await connectMcp(`${server.url}/mcp`, server.key);
  const { tools } = await client.listTools();
  await client.close();
  const tool = tools.find((each) => each.name === 'fetch_from_integration');
  expect(tool?.inputSchema.properties?.['source']).toMatchObject({ enum: ['gmail'] });
});

test('an account without a permission names the missing permission', async () => {
  await linkGoogle(server, google, {
    sources: ['calendar'],
    only: ['https://www.googleapis.com/auth/calendar.events'],
  });
  const calendar = (await listIntegrations())[1];
  expect(calendar).toMatchObject({ connected: false, accounts: [{ status: 'missing_permission' }] });
  const refused = await server.call('fetch_from_integration', { source: 'calendar', request: 'today' });
  expect(refused.body['detail']).toContain('leave every box ticked');
});

test('an expired access is renewed once when 20 calls run at once', async () => {
  await runSql(`update connections set access_expires_at = now() - interval '1 minute'`);
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetchMail()));
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(google.ledger.count({ path: '/token' })).toBe(1);
});

test('an access token that the provider refuses early is renewed once, too', async () => {
  aheadMs += 2 * 3_600_000;
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetchMail()));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  expect(google.ledger.count({ path: '/token' })).toBe(1);
});

test('concurrent readers of the same thread store one page', async () => {
  google.seedMail(ada, { from: 'noah@x.example', subject: 'Everybody at once', text: 'Ready?' });
  const request = 'subject:"Everybody at once"';
  const answers = await Promise.all(Array.from({ length: 10 }, () => fetchMail({ request })));
  expect(answers.map((answer) => Number(answer.body['ingested_count'])).toSorted()).toEqual([
    0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
  ]);
});

test('a rate limit is waited out for as long as the provider asks', async () => {
  google.failures.next({ path: threads }, { kind: 'status', status: 429, retryAfter: 1 });
  const startedAt = Date.now();
  expect((await fetchMail()).status).toBe(200);
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1_000);
  expect(google.ledger.count({ path: threads })).toBe(2);
});

test('a thread that cannot be read is reported and does not stop the rest', async () => {
  const lost = google.seedMail(ada, { from: 'noah@x.example', subject: 'Lost', text: 'x' });
  google.failures.next({ path: `${threads}/${lost.threadId}` }, { kind: 'status', status: 404 }, 9);
  const { status, body } = await fetchMail();
  expect(status).toBe(200);
  expect(body['errors']).toEqual([{ item: `thread ${lost.threadId}`, message: expect.any(String) }]);
  expect((body['page_slugs'] as string[]).length).toBeGreaterThanOrEqual(2);
});

test('an unreachable provider is a clear error that reveals nothing of its answer', async () => {
  google.failures.next({ path: threads }, { kind: 'status', status: 503 }, 9);
  const { status, body } = await fetchMail();
  expect(status).toBe(502);
  expect(body['detail']).toContain('503');
  expect(JSON.stringify(body)).not.toMatch(/ya29|Bearer/);
}, 20_000);

test('the audit row of a call names the account, and its link in the credential chain', async () => {
  const linked = await runSql(`select id from connections`);
  await fetchMail();
  const [row] = await runSql(
    `select subject from audit_log where operation = 'fetch_from_integration' order by at desc, id desc limit 1`,
  );
  expect(row).toMatchObject({
    subject: { credentials: [{ connection_id: linked[0]?.['id'], provider: 'google', link: 'owner' }] },
  });
});

test('a key of one brain uses no account of its maker, and uses shared accounts of the workspace', async () => {
  const { key } = await server.ok('create_key', {
    label: 'Agent',
    reach: 'brain',
    scopes: ['integrations:fetch', 'integrations:read', 'connections:read', 'pages:read'],
  });
  const [account] = await runSql('select id from connections');
  const seen = async () => (await server.ok('list_connections', {}, { key: String(key) }))['connections'];
  const read = () => server.call('get_connection', { connection_id: account?.['id'] }, { key: String(key) });
  expect(await fetchMail({}, String(key))).toMatchObject(buildUnlinkedAnswer('gmail'));
  expect(await seen()).toEqual([]);
  expect((await read()).status).toBe(404);
  await runSql('update connections set is_shared = true');
  expect((await fetchMail({}, String(key))).status).toBe(200);
  expect(await seen()).toMatchObject([{ owner: 'workspace', account: ada }]);
  expect((await read()).status).toBe(200);
  await runSql('update connections set is_shared = false');
});

test('a caller with several accounts has to name one', async () => {
  await linkGoogle(server, google, { email: bob, sources: ['gmail'] });
  const unclear = await fetchMail();
  expect(unclear).toMatchObject({ status: 422, body: { details: { accounts: [ada, bob] } } });
  const { body } = await fetchMail({ account: bob });
  const page = await server.ok('get_page', { slug: (body['page_slugs'] as string[])[0] });
  expect(page).toMatchObject({ title: `For ${bob}`, source: `gmail:${bob}` });
});

test('an account serves only its own workspace, and items of other workspaces do not exist', async () => {
  const others = await addWorkspace(server);
  const theirs = { key: others.key };
  const own = await server.ok('list_pages', { type: 'email', limit: 1 });
  const [page] = own['pages'] as { id: string; slug: string; brain_id: string }[];
  expect((await server.call('get_page', { id: page?.id }, theirs)).status).toBe(404);
  expect((await server.call('get_page', { slug: page?.slug }, theirs)).status).toBe(404);
  expect(await server.ok('list_pages', {}, theirs)).toEqual({ pages: [], total: 0 });
  expect((await server.ok('query', { type: 'email' }, theirs))['pages']).toEqual([]);
  expect((await server.ok('search', { q: 'confidential' }, theirs))['pages']).toEqual([]);
  expect((await server.call('list_pages', { brain_id: page?.brain_id }, theirs)).status).toBe(404);
  expect(await fetchMail({}, others.key)).toMatchObject(buildUnlinkedAnswer('gmail'));
  expect((await fetchMail({ brain_id: others.brainId, account: ada })).status).toBe(404);
  expect(await listIntegrations({ include_unconnected: false }, others.key)).toEqual([]);
});

test('pages go to the named brain, if the caller may write there', async () => {
  const team = await server.ok('create_brain', { name: 'Team', description: 'Deals' });
  const brain_id = String(team['brain_id']);
  const { body } = await fetchMail({ account: bob, brain_id });
  expect(body).toMatchObject({ brain_id, ingested_count: 1 });
  expect(await server.ok('list_pages', { brain_id })).toMatchObject({ total: 1 });
});

test('the error after a revocation at the provider explains how to link again', async () => {
  google.revokeAccess(ada);
  const { status, body } = await fetchMail({ account: ada });
  expect(status).toBe(503);
  expect(body['detail']).toMatch(/Link the account again.*\/integrations/);
  const accounts = (await listIntegrations())[0]?.accounts;
  expect(accounts).toMatchObject([
    { account: ada, status: 'reconnect_needed', status_reason: expect.stringContaining(ada) },
    { account: bob, status: 'active' },
  ]);
  google.ledger.clear();
  const again = await fetchMail({ account: ada });
  expect(again).toMatchObject({ status: 409, body: { detail: expect.stringContaining('/integrations/gmail') } });
  expect(google.ledger.all()).toEqual([]);
  await linkGoogle(server, google, { sources: ['gmail'] });
  expect((await fetchMail({ account: ada })).status).toBe(200);
});

test('an account that was linked only for reading can be read, and refuses actions', async () => {
  const account = 'cleo@example.com';
  google.addAccount({ email: account, name: 'Cleo' });
  const link = { email: account, sources: ['gmail'] } as const;
  const { connectionId } = await linkGoogle(server, google, { ...link, access: 'read' });
  const ofCleo = async () => (await listIntegrations())[0]?.accounts.find((each) => each['account'] === account);
  expect(await ofCleo()).toMatchObject({ status: 'active', may_act: false });
  expect((await fetchMail({ account })).status).toBe(200);
  const input = { to: ['noah@x.example'], subject: 'No', body: 'Not sent.' };
  const request = { source: 'gmail', account, action_name: 'send_email', input };
  const refused = await server.call('act_on_integration', request);
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('leave every box ticked') } });
  await linkGoogle(server, google, link);
  expect(await ofCleo()).toMatchObject({ status: 'active', may_act: true });
  expect(await server.ok('act_on_integration', request)).toMatchObject({ kind: 'draft' });
  await server.ok('revoke_connected_account', { connection_id: connectionId });
});
