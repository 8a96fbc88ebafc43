// When the browser is sent back to a client: never to an address of somebody whom nobody here ever allowed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  authorizeUrl,
  Browser,
  connect,
  decide,
  listFormFields,
  createPkce,
  postForm,
  postJson,
  register,
} from '../support/oauth.ts';
import { startOauthServer } from './support.ts';

type OauthServer = Awaited<ReturnType<typeof startOauthServer>>;
let server: OauthServer['server'];
let owner: OauthServer['owner'];
let database: OauthServer['database'];
let close: () => Promise<void>;

beforeAll(async () => {
  ({ server, owner, database, close } = await startOauthServer({ THALAMUS_OAUTH_SCHEMES: 'goose, my-editor' }));
});
afterAll(() => close());

const createStranger = () => new Browser(server);
const createBrowser = () => new Browser(server, owner);
const wrongRequests: Record<string, string>[] = [
  { response_type: 'token' },
  { prompt: 'none' },
  { code_challenge: '', code_challenge_method: '' },
  { resource: 'https://other.example/mcp' },
];

test('a request that is wrong ends on a page of this server, for strangers and for people who never allowed the client', async () => {
  const redirect_uri = 'https://evil.example/landing';
  const client = await register(server, { redirect_uris: [redirect_uri] });
  for (const params of wrongRequests)
    for (const visitor of [createStranger(), createBrowser()]) {
      const answer = await visitor.get(authorizeUrl(server, client, createPkce(), { redirect_uri, ...params }));
      expect(answer.status, JSON.stringify(params)).toBe(400);
      expect(answer.headers.get('location')).toBeNull();
      expect(await answer.text()).not.toContain('evil.example');
    }
});

test('a client that the person once allowed is told what was wrong, and by prompt=none that a person has to answer', async () => {
  const { client } = await connect(server, owner);
  const errors = [];
  for (const params of wrongRequests) {
    const answer = await createBrowser().get(authorizeUrl(server, client, createPkce(), params));
    const back = new URL(answer.headers.get('location') ?? '');
    expect(back.origin).toBe('http://127.0.0.1:3334');
    errors.push(new URLSearchParams(back.search || back.hash.slice(1)).get('error'));
    expect((await createStranger().get(authorizeUrl(server, client, createPkce(), params))).status).toBe(400);
  }
  expect(errors).toEqual(['unsupported_response_type', 'login_required', 'invalid_request', 'invalid_target']);
});

test('a client is told that the person declined, and nothing of a request that nobody answered', async () => {
  const client = await register(server);
  const visitor = createBrowser();
  const consent = (await visitor.get(authorizeUrl(server, client, createPkce()))).headers.get('location') ?? '';
  const unanswered = await visitor.get(`/oauth/authorize/${consent.split('/').at(-1)}`);
  expect(unanswered.headers.get('location') ?? '').not.toContain('3334');
  const declined = await decide(createBrowser(), authorizeUrl(server, client, createPkce()), { answer: 'decline' });
  expect(declined.searchParams.get('error')).toBe('access_denied');
});

test('a consent whose person was removed before the client came back ends on a page, not in an error of the server', async () => {
  const client = await register(server);
  const visitor = createBrowser();
  const consent = (await visitor.get(authorizeUrl(server, client, createPkce()))).headers.get('location') ?? '';
  const page = await (await visitor.get(consent)).text();
  const allowed = await (await visitor.post(consent, [...listFormFields(page), ['answer', 'allow']])).text();
  const next = /content="0;url=([^"]+)"/.exec(allowed)?.[1] ?? '';
  await database.rows('update people set removed_at = now() where id = $1', [owner.personId]);
  try {
    const answer = await visitor.get(next);
    expect(answer.status).toBeGreaterThanOrEqual(300);
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers.get('location') ?? '').not.toContain('code=');
  } finally {
    await database.rows('update people set removed_at = null where id = $1', [owner.personId]);
  }
});

test('a request for two resources of this server is refused when it begins, by browser and by device', async () => {
  const { workspace } = await server.ok('who_am_i');
  const { client } = await connect(server, owner);
  const two = `&resource=${encodeURIComponent(`${server.url}/mcp/w/${workspace.id}`)}`;
  const answer = await createBrowser().get(`${authorizeUrl(server, client, createPkce())}${two}`);
  expect(new URL(answer.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_target');
  const device = await postForm(server, '/oauth/device_authorization', { client_id: client.client_id });
  expect(device.status).toBe(200);
  const fields = new URLSearchParams([
    ['client_id', client.client_id],
    ['resource', `${server.url}/mcp`],
    ['resource', `${server.url}/mcp/w/${workspace.id}`],
  ]);
  const both = await server.request('/oauth/device_authorization', { method: 'POST', body: fields });
  expect(await both.json()).toMatchObject({ error: 'invalid_target' });
});

test('a client registers the schemes of known programs, reverse domains and those of the setting alone', async () => {
  const register = async (uri: string) =>
    (await postJson(server, '/oauth/register', { redirect_uris: [uri], client_name: 'Scheme' })).status;
  for (const uri of [
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://saoudrizwan.claude-dev/mcp-auth',
    'vscode-insiders://x.y/cb',
    'windsurf://codeium.windsurf/oauth-callback',
    'zed://callback',
    'claude://callback',
    'com.example.app:/callback',
    'goose://callback',
    'my-editor://callback',
  ])
    expect(await register(uri), uri).toBe(201);
  for (const uri of [
    'ms-msdt:/id',
    'search-ms:query=x',
    'chrome-extension://abcdef/cb',
    'ms-settings:display',
    'slack://open',
    'javascript:alert(1)',
    'tel:123',
    '.com:/x',
  ])
    expect(await register(uri), uri).toBe(400);
});
