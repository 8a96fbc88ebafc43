// What somebody gets who has the cookie of a session and nothing else: browsers send it to every port of a host.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeProduct, describeRoutes } from '../../src/server.ts';
import { findFreePort } from '../support/free-port.ts';
import { signInOwner, type SignedIn } from '../support/colleague.ts';
import { buildSessionHeaders, proofHeader } from '../support/google.ts';
import { authorizeUrl, Browser, listFormFields, createPkce, postForm, register } from '../support/oauth.ts';
import { openAsOwner, type OwnerDatabase } from '../support/owner-database.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const operations = [...(await describeProduct()).values()];
let server: TestServer;
let database: OwnerDatabase;
let owner: SignedIn;
/** All that a listener on another port has. */
let stolen: Record<string, string>;

beforeAll(async () => {
  const port = await findFreePort();
  server = await startTestServer({ PORT: String(port), THALAMUS_PUBLIC_URL: `http://127.0.0.1:${port}` });
  database = await openAsOwner(server.connectionString);
  owner = await signInOwner(server, database);
  stolen = { cookie: owner.cookie, origin: server.url, 'sec-fetch-site': 'same-origin' };
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const ask = (path: string, init: RequestInit = {}, headers: Record<string, string> = {}) =>
  server.request(path, { redirect: 'manual', ...init, headers: { ...stolen, ...headers } });

test('the cookie of a session alone calls no operation, by any route', async () => {
  for (const { name, rest = [] } of operations) {
    const answer = await ask(`/v1/tools/${name}`, { method: 'POST', body: '{}' });
    expect(answer.status, name).toBe(401);
    for (const { method, path } of rest) {
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' };
      const filled = path.replaceAll(/\{\w+\}/g, '01920000-0000-7000-8000-00000000dead');
      expect((await ask(filled, { method, ...body })).status, `${method} ${path}`).toBe(401);
    }
  }
}, 60_000);

test('the cookie alone opens no events, no MCP, no file and no second session', async () => {
  const id = '01920000-0000-7000-8000-00000000dead';
  const asked: [string, string, object?][] = [
    ['GET', '/v1/events'],
    ['POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    ['GET', `/v1/documents/${id}/content`],
    ['GET', `/v1/attachments/${id}/content`],
    ['GET', `/v1/actions/${id}/files/0/content`],
    ['GET', '/v1/training/download/knowledge'],
    ['POST', '/v1/downloads', { path: `/v1/documents/${id}/content` }],
    ['POST', '/auth/prove', { password: 'a long password of theirs' }],
    ['POST', '/auth/session-proof', { code: `tc_${'x'.repeat(43)}` }],
    ['POST', '/auth/providers/google', { link: true }],
  ];
  for (const [method, path, body] of asked) {
    const init = body ? { method, body: JSON.stringify(body), headers: stolen } : { method };
    const answer = await ask(path, init, {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    });
    expect(answer.status, path).toBe(401);
  }
});

test('the token of a session is not a bearer token without its proof', async () => {
  const authorization = `Bearer ${owner.cookie.split('=')[1]}`;
  const asBearer = (headers: Record<string, string>) =>
    server.request('/v1/me', { headers: { authorization, ...headers } });
  expect((await asBearer({})).status).toBe(401);
  expect((await asBearer({ [proofHeader]: owner.proof })).status).toBe(200);
});

test('the proof of another session, an empty one and the cookie itself are refused', async () => {
  const other = await signInOwner(server, database);
  for (const proof of [other.proof, '', owner.cookie.split('=')[1] ?? ''])
    expect((await ask('/v1/me', {}, { [proofHeader]: proof })).status, proof).toBe(401);
  expect((await ask('/v1/me', {}, { [proofHeader]: owner.proof })).status).toBe(200);
});

test('a session from before the proof signs in again', async () => {
  const older = await signInOwner(server, database);
  await database.rows(`update sessions set proof_hash = null where token_hash = encode(sha256($1), 'hex')`, [
    older.cookie.split('=')[1],
  ]);
  await expect.poll(async () => (await older.call('who_am_i')).status, { timeout: 3_000 }).toBe(401);
});

describe('a consent page', () => {
  async function openConsent(): Promise<{ browser: Browser; consent: string; page: string }> {
    const client = await register(server);
    const browser = new Browser(server, { cookie: owner.cookie, proof: '' });
    const consent = (await browser.get(authorizeUrl(server, client, createPkce()))).headers.get('location') ?? '';
    return { browser, consent, page: await (await browser.get(consent)).text() };
  }

  test.each(['allow', 'decline'])(
    'opens with only the cookie, contains no proof, and accepts no «%s»',
    async (answer) => {
      const { browser, consent, page } = await openConsent();
      expect(page).toContain('<button name="answer" value="allow">');
      expect(page).not.toContain(owner.proof);
      const grants = async () => (await database.rows('select id from oauth_grants')).length;
      const before = await grants();
      const pressed = await browser.post(consent, [...listFormFields(page), ['answer', answer]]);
      expect(pressed.status).toBe(401);
      expect(await pressed.text()).toContain('Nothing was decided');
      expect(await grants()).toBe(before);
      // It still waits for its person.
      const theirs =
        (browser.become(owner), await browser.post(consent, [...listFormFields(page), ['answer', answer]]));
      expect(theirs.status).toBe(200);
    },
  );

  test('of a device takes no answer by the cookie alone', async () => {
    const { client_id } = await register(server, { grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] });
    const begun = await postForm(server, '/oauth/device_authorization', { client_id, scope: 'memory:read' });
    const { user_code } = (await begun.json()) as { user_code: string };
    const browser = new Browser(server, { cookie: owner.cookie, proof: '' });
    const page = await (await browser.get(`/oauth/device?user_code=${user_code}`)).text();
    expect((await browser.post('/oauth/device', [...listFormFields(page), ['answer', 'allow']])).status).toBe(401);
  });
});

describe('a download', () => {
  const create = async (path: string, headers = buildSessionHeaders(owner)) => {
    const init = { method: 'POST', body: JSON.stringify({ path }) };
    const answer = await ask('/v1/downloads', init, { 'content-type': 'application/json', ...headers });
    return { status: answer.status, body: (await answer.json()) as { url: string; expires_at: string } };
  };
  let path: string;
  beforeAll(async () => {
    const file_base64 = Buffer.from('The northern light burns oil.').toString('base64');
    const made = await server.ok('upload_document', { filename: 'light.txt', file_base64 });
    path = `/v1/documents/${made.document_id}/content`;
  });

  test('has an address that works once, for a minute, in the browser of its person', async () => {
    const { body } = await create(path);
    expect(Date.parse(body.expires_at) - Date.now()).toBeLessThanOrEqual(60_000);
    expect((await server.request(body.url)).status).toBe(401);
    const other = await signInOwner(server, database);
    expect((await server.request(body.url, { headers: { cookie: other.cookie } })).status).toBe(401);
    const saved = await server.request(body.url, { headers: { cookie: owner.cookie } });
    expect(await saved.text()).toBe('The northern light burns oil.');
    expect((await server.request(body.url, { headers: { cookie: owner.cookie } })).status).toBe(401);
    const late = (await create(path)).body.url;
    await database.rows(`update one_time_secrets set expires_at = now() where purpose = 'download'`);
    expect((await server.request(late, { headers: { cookie: owner.cookie } })).status).toBe(401);
  });

  test('is for the one file that was asked for, and only for files', async () => {
    const ticket = new URL((await create(path)).body.url, server.url).searchParams.get('ticket');
    const elsewhere = `/v1/training/download/knowledge?ticket=${ticket}`;
    expect((await server.request(elsewhere, { headers: { cookie: owner.cookie } })).status).toBe(401);
    for (const wrong of ['/v1/me', '/v1/events', `${path}?ticket=x`, 'https://evil.example/v1/me', '//evil.example/'])
      expect((await create(wrong)).status, wrong).toBe(422);
    const key = { authorization: `Bearer ${server.key}` };
    expect((await create(path, key)).status).toBe(403);
  });
});

test('no answer that a browser shows as a page has the proof, and no page has a script of another origin', async () => {
  const pages = ['/', '/sign-in', '/inbox', '/oauth/device', '/oauth-playground', '/fill-session-proof.js', '/docs'];
  for (const path of pages) expect(await (await ask(path)).text(), path).not.toContain(owner.proof);
  expect(await describeRoutes()).toContain('GET /fill-session-proof.js');
});

test('a sign-in tells the proof once, and signing out ends the session by its cookie', async () => {
  const leaving = await signInOwner(server, database);
  const headers = { cookie: leaving.cookie, origin: server.url };
  expect((await server.request('/auth/sign-out', { method: 'POST', headers })).status).toBe(200);
  await expect.poll(async () => (await leaving.call('who_am_i')).status, { timeout: 3_000 }).toBe(401);
});
