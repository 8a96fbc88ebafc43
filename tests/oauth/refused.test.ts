import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  anyRedirect,
  authorizeUrl,
  Browser,
  connect,
  decide,
  listFormFields,
  createPkce,
  postForm,
  redeem,
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

const createBrowser = () => new Browser(server, owner);
const readWhoAmIStatus = async (key: string) => (await server.call('who_am_i', {}, { key })).status;
const readError = async (response: Response) => ((await response.json()) as { error: string }).error;

/** A code that a person allowed, with all that redeems it. */
async function requestCode(params: Record<string, string> = {}) {
  const [client, pkce] = [await register(server), createPkce()];
  const back = await decide(createBrowser(), authorizeUrl(server, client, pkce, params));
  return { client, pkce, code: back.searchParams.get('code') ?? '', back };
}

test('an address that the client did not register gets no code and no error, and the browser stays here', async () => {
  const client = await register(server);
  for (const redirect_uri of [
    'https://evil.example/callback',
    `${anyRedirect}/../evil`,
    'http://127.0.0.1:3334/other',
  ]) {
    const answer = await createBrowser().get(authorizeUrl(server, client, createPkce(), { redirect_uri }));
    expect(answer.status, redirect_uri).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  }
});

test('a request without a code challenge, or with a plain one, is refused', async () => {
  const { client } = await connect(server, owner); // only a client that was once allowed is told
  const without: Record<string, string>[] = [
    { code_challenge_method: 'plain' },
    { code_challenge: '', code_challenge_method: '' },
  ];
  for (const params of without) {
    const answer = await createBrowser().get(authorizeUrl(server, client, createPkce(), params));
    const back = new URL(answer.headers.get('location') ?? '');
    expect(back.searchParams.get('error')).toBe('invalid_request');
    expect(back.searchParams.get('iss')).toBe(server.url);
  }
});

test('a code works with its verifier only, and once when 64 callers redeem it at once', async () => {
  const { client, pkce, code } = await requestCode();
  expect(await readError(await redeem(server, client, { code, verifier: createPkce().verifier }))).toBe(
    'invalid_grant',
  );
  const answers = await Promise.all(
    Array.from({ length: 64 }, () => redeem(server, client, { code, verifier: pkce.verifier })),
  );
  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  const [{ access_token } = { access_token: '' }] = (await Promise.all(won.map((each) => each.json()))) as Tokens[];
  expect(await readWhoAmIStatus(access_token)).toBe(200);
});

test('a code of another client is refused', async () => {
  const { pkce, code } = await requestCode();
  const other = await register(server);
  expect(await readError(await redeem(server, other, { code, verifier: pkce.verifier }))).toBe('invalid_grant');
});

test('every answer names its issuer, so that a client can distinguish servers', async () => {
  const { back } = await requestCode();
  expect(back.searchParams.get('iss')).toBe(server.url);
  expect(back.searchParams.get('state')).toBe('state-1');
  const client = await register(server);
  const declined = await decide(createBrowser(), authorizeUrl(server, client, createPkce()), { answer: 'decline' });
  expect(Object.fromEntries(declined.searchParams)).toMatchObject({ error: 'access_denied', iss: server.url });
});

test('a token is for this server only, and for no more than the client requested', async () => {
  const { client } = await connect(server, owner);
  const foreign = await createBrowser().get(
    authorizeUrl(server, client, createPkce(), { resource: 'https://other.example/mcp' }),
  );
  expect(new URL(foreign.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_target');

  const { id } = (await server.ok('who_am_i')).workspace;
  const narrow = `${server.url}/mcp/w/${id}`;
  const { client: asker, pkce, code } = await requestCode({ resource: narrow });
  const widened = await redeem(server, asker, { code, verifier: pkce.verifier, resource: `${server.url}/mcp` });
  expect(await readError(widened)).toBe('invalid_target');

  const {
    access_token,
    refresh_token,
    client: connected,
  } = await connect(server, owner, { params: { resource: narrow } });
  expect(await readError(await refresh(server, connected, refresh_token, { resource: `${server.url}/mcp` }))).toBe(
    'invalid_target',
  );
  const call = (path: string) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access_token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
  expect((await call(`/mcp/w/${id}`)).status).toBe(200);
  expect((await call('/mcp')).status).toBe(401);
  const other = '/mcp/w/01920000-0000-7000-8000-00000000dead';
  const elsewhere = await call(other);
  expect(elsewhere.status).toBe(401);
  expect(elsewhere.headers.get('www-authenticate')).toContain(
    `resource_metadata="${server.url}/.well-known/oauth-protected-resource${other}"`,
  );
});

test('the bare address, with or without a slash, means the same as /mcp', async () => {
  const { client, pkce, code } = await requestCode({ resource: `${server.url}/` });
  const answer = await redeem(server, client, { code, verifier: pkce.verifier, resource: `${server.url}/mcp` });
  expect(answer.status).toBe(200);
});

test('a client cannot be allowed for another workspace than the signed-in one', async () => {
  const client = await register(server);
  const resource = `${server.url}/mcp/w/01920000-0000-7000-8000-00000000dead`;
  const visitor = createBrowser();
  const consent =
    (await visitor.get(authorizeUrl(server, client, createPkce(), { resource }))).headers.get('location') ?? '';
  const page = await visitor.get(consent);
  expect(page.status).toBe(409);
  expect(listFormFields(await page.text())).toEqual([]);
});

test('a client is allowed only for the workspace that the person saw, also when they switch meanwhile', async () => {
  const { workspace_id } = await owner.ok('create_workspace', { name: 'Other team' });
  const client = await register(server);
  const elsewhere = authorizeUrl(server, client, createPkce(), {
    resource: `${server.url}/mcp/w/${String(workspace_id)}`,
  });
  const visitor = createBrowser();
  const consent = (await visitor.get(elsewhere)).headers.get('location') ?? '';
  expect((await visitor.get(consent)).status).toBe(409);

  const here = (await visitor.get(authorizeUrl(server, client, createPkce()))).headers.get('location') ?? '';
  const fields = listFormFields(await (await visitor.get(here)).text());
  const { url } = await owner.ok('switch_workspace', { workspace_id });
  const token = new URL(String(url)).hash.slice(1);
  const headers = { 'content-type': 'application/json', origin: server.url };
  const switched = await server.request('/auth/sign-in', { method: 'POST', headers, body: JSON.stringify({ token }) });
  visitor.take(switched);
  const answer = await visitor.post(here, [...fields, ['answer', 'allow']]);
  const page = await answer.text();
  expect(page).not.toContain('http-equiv="refresh"');
  expect(page).toContain('<strong>Other team</strong>');
  expect(await database.rows('select id from oauth_grants where client_id = $1', [client.client_id])).toEqual([]);
});

test('a refresh token is served again until its successor was used, and a later use ends that grant only', async () => {
  const first = await connect(server, owner);
  const sibling = await connect(server, owner, { client: first.client });
  const next = async (token: string) => refresh(server, first.client, token);
  const [one, again] = [await next(first.refresh_token), await next(first.refresh_token)];
  expect([one.status, again.status]).toEqual([200, 200]);
  const successor = (await again.json()) as Tokens;
  const third = await next(successor.refresh_token);
  expect(third.status).toBe(200);
  const { access_token } = (await third.json()) as Tokens;
  expect(await readError(await next(first.refresh_token))).toBe('invalid_grant');
  expect(await readError(await next(successor.refresh_token))).toBe('invalid_grant');
  await expect.poll(() => readWhoAmIStatus(access_token), { timeout: 5_000 }).toBe(401);
  expect(await readWhoAmIStatus(sibling.access_token)).toBe(200);
  const endEvents = await database.rows(
    `select payload, person_id from events where name = 'connected_client.disconnected'`,
  );
  expect(endEvents).toMatchObject([{ payload: { reason: 'refresh_token_reused' }, person_id: owner.personId }]);
  const { clients } = await server.ok('list_connected_clients');
  expect(clients.at(-1)).toMatchObject({
    ended_at: expect.any(String),
    end_reason: expect.stringContaining('used twice'),
  });
});

test('a refresh token that was used more than a minute ago is not served again', async () => {
  const { client, refresh_token } = await connect(server, owner);
  expect((await refresh(server, client, refresh_token)).status).toBe(200);
  await database.rows(`update oauth_tokens set used_at = used_at - interval '61 seconds' where used_at is not null`);
  expect(await readError(await refresh(server, client, refresh_token))).toBe('invalid_grant');
});

test('a form of another page, or with a wrong secret, allows nothing', async () => {
  const client = await register(server);
  const visitor = createBrowser();
  const consent = (await visitor.get(authorizeUrl(server, client, createPkce()))).headers.get('location') ?? '';
  const fields = listFormFields(await (await visitor.get(consent)).text());
  const foreign = await visitor.post(consent, [...fields, ['answer', 'allow']], {
    'sec-fetch-site': 'cross-site',
    origin: 'https://evil.example',
  });
  expect(foreign.status).toBe(403);
  const guessed = fields.map(([name, value]): [string, string] => [name, name === 'csrf' ? 'f'.repeat(64) : value]);
  const refused = await visitor.post(consent, [...guessed, ['answer', 'allow']]);
  expect(await refused.text()).not.toContain('http-equiv="refresh"');
});

test('another browser cannot answer a request, and no page may frame the question', async () => {
  const client = await register(server);
  const consent = (await createBrowser().get(authorizeUrl(server, client, createPkce()))).headers.get('location') ?? '';
  expect((await createBrowser().get(consent)).status).toBe(404);
  const visitor = createBrowser();
  const own = (await visitor.get(authorizeUrl(server, client, createPkce()))).headers.get('location') ?? '';
  const page = await visitor.get(own);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(page.headers.get('x-frame-options')).toBe('DENY');
});

test('a session that was opened by a key cannot connect clients', async () => {
  await database.rows('update sessions set is_human_surface = false');
  const client = await register(server);
  try {
    const visitor = createBrowser();
    const consent = (await visitor.get(authorizeUrl(server, client, createPkce()))).headers.get('location') ?? '';
    await expect.poll(async () => (await visitor.get(consent)).status, { timeout: 5_000 }).toBe(403);
  } finally {
    await database.rows('update sessions set is_human_surface = true');
    const again = createBrowser();
    const consent = (await again.get(authorizeUrl(server, client, createPkce()))).headers.get('location') ?? '';
    await expect.poll(async () => (await again.get(consent)).status, { timeout: 5_000 }).toBe(200); // the other tests need it
  }
});

test('scopes that no client can have are never offered, and step-up scopes only on request', async () => {
  const client = await register(server);
  const offered = async (scope: string) => {
    const visitor = createBrowser();
    const consent =
      (await visitor.get(authorizeUrl(server, client, createPkce(), { scope }))).headers.get('location') ?? '';
    return (await visitor.get(consent)).text();
  };
  const plain = await offered('memory:read');
  expect(plain).not.toContain('value="brains:delete"');
  const asking = await offered('memory:read brains:delete actions:confirm keys:write openid');
  expect(asking).toContain('value="brains:delete"');
  expect(asking).not.toMatch(/value="brains:delete"\s+checked/);
  expect(plain).toContain('in the\n      workspace <strong>Workspace</strong>');
  const never = 'actions:confirm keys:read keys:write sign_in_links:create policy:write approvers:read approvers:write';
  const refused = await offered(never);
  for (const scope of never.split(' ')) expect(refused).not.toContain(`value="${scope}"`);
  for (const scope of ['brains:write', 'members:write', 'workspace:admin']) {
    expect(plain).not.toContain(`value="${scope}"`);
    expect(await offered(scope)).toMatch(new RegExp(`value="${scope}"\\s+/>`));
  }
  const forged = decide(createBrowser(), authorizeUrl(server, client, createPkce()), {
    change: (fields) => [...fields, ['scope', 'actions:confirm']],
  });
  await expect(forged).rejects.toThrow('This was not offered');
});

test('a call that needs more scopes gets the names of them all, over MCP and REST', async () => {
  const { access_token } = await connect(server, owner);
  const headers = {
    authorization: `Bearer ${access_token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const message = (name: string) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'manage', arguments: { action: name } },
    });
  const mcp = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: message('delete_brain') });
  expect(mcp.status).toBe(403);
  expect(mcp.headers.get('www-authenticate')).toMatch(/error="insufficient_scope".*brains:delete/);
  const never = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: message('list_keys') });
  expect(never.status).toBe(200);
  const rest = await fetch(`${server.url}/v1/tools/create_permission_set`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Support' }),
  });
  expect(rest.status).toBe(403);
  expect(rest.headers.get('www-authenticate')).toMatch(/error="insufficient_scope".*scope="permission_sets:write"/);
});

test('a client that is ended is refused within a second, and its refresh token with it', async () => {
  const { access_token, refresh_token, client } = await connect(server, owner);
  const { clients } = await server.ok('list_connected_clients');
  await server.ok('end_connected_client', { id: clients[0]?.id });
  await expect.poll(() => readWhoAmIStatus(access_token), { timeout: 1_500 }).toBe(401);
  expect(await readError(await refresh(server, client, refresh_token))).toBe('invalid_grant');
});

test('a paused client is refused on every face until it is resumed, and stays connected', async () => {
  const { access_token, refresh_token, client } = await connect(server, owner);
  const [{ id } = { id: '' }] = (await server.ok('list_connected_clients')).clients;
  expect((await server.ok('update_connected_client', { id, is_paused: true })).paused_at).toBeTruthy();
  await expect.poll(() => readWhoAmIStatus(access_token), { timeout: 5_000 }).toBe(403);
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  expect((await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: '{}' })).status).toBe(403);
  expect((await refresh(server, client, refresh_token)).status).toBe(200);
  await server.ok('update_connected_client', { id, is_paused: false });
  await expect.poll(() => readWhoAmIStatus(access_token), { timeout: 5_000 }).toBe(200);
});

test('of several answers to the code of a device one counts, and only its grant is made', async () => {
  const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
  const { client_id } = await register(server, { grant_types: [deviceGrant, 'refresh_token'] });
  const asked = await postForm(server, '/oauth/device_authorization', { client_id, scope: 'memory:read' });
  const { device_code, user_code } = (await asked.json()) as { device_code: string; user_code: string };
  const page = `${server.url}/oauth/device?user_code=${user_code}`;
  const visitors = Array.from({ length: 6 }, createBrowser);
  const forms = await Promise.all(visitors.map(async (each) => listFormFields(await (await each.get(page)).text())));
  const answers = await Promise.all(
    visitors.map(async (each, index) => {
      const fields: [string, string][] = [...(forms[index] ?? []), ['answer', index % 2 ? 'allow' : 'decline']];
      return (await each.post(`${server.url}/oauth/device`, fields)).status;
    }),
  );
  expect(answers.toSorted()).toEqual([200, 404, 404, 404, 404, 404]);
  const isAllowed = answers.indexOf(200) % 2 === 1;
  const redeemed = await postForm(server, '/oauth/token', { client_id, device_code, grant_type: deviceGrant });
  expect({ status: redeemed.status, text: await redeemed.text(), answers }).toMatchObject({
    status: isAllowed ? 200 : 400,
  });
  const grants = await database.rows('select id from oauth_grants where client_id = $1', [client_id]);
  expect(grants).toHaveLength(isAllowed ? 1 : 0);
});

test('a connected client can be limited, and never extended', async () => {
  const { access_token } = await connect(server, owner);
  const [{ id } = { id: '' }] = (await server.ok('list_connected_clients')).clients;
  await server.ok('update_connected_client', {
    id,
    scopes: ['memory:read'],
    toolsets: ['memory', 'accounts'],
    reach: 'brain',
  });
  const more = await server.call('update_connected_client', { id, scopes: ['memory:read', 'memory:write'] });
  expect(more).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  await expect
    .poll(async () => (await server.call('add_memory', { content: 'x' }, { key: access_token })).status, {
      timeout: 5_000,
    })
    .toBe(403);
  expect(await server.call('list_brains', {}, { key: access_token })).toMatchObject({ status: 403 });
  const mcp = await connectMcp(`${server.url}/mcp?toolsets=all`, access_token);
  const listed = (await mcp.listTools()).tools.map(({ name }) => name);
  const byName = await mcp.callTool({ name: 'list_documents', arguments: {} });
  await mcp.close();
  expect(listed).not.toContain('list_documents');
  expect(byName).toMatchObject({
    isError: true,
    structuredContent: { code: 'forbidden', details: { toolset: 'documents' } },
  });
});

test('a revoked refresh token ends its grant, and a removed client learns so', async () => {
  const { access_token, refresh_token, client } = await connect(server, owner);
  expect((await postForm(server, '/oauth/revoke', { client_id: client.client_id, token: refresh_token })).status).toBe(
    200,
  );
  await expect.poll(() => readWhoAmIStatus(access_token), { timeout: 5_000 }).toBe(401);
  const dropped = await refresh(server, { client_id: 'client_that_never_was' }, refresh_token);
  expect(dropped.status).toBe(401);
  expect(await readError(dropped)).toBe('invalid_client');
});
