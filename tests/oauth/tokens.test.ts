import { connect as openSocket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
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

const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

/** The status of a call with this token at each face. */
async function askEachFace(token: string, mcpPath = '/mcp'): Promise<Record<string, number>> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = (path: string, body: object) =>
    server.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const events = async () => {
    const left = new AbortController();
    const { status } = await server.request('/v1/events', { headers, signal: left.signal });
    left.abort();
    return status;
  };
  const answers = {
    rest: (await post('/v1/tools/who_am_i', {})).status,
    route: (await server.request('/v1/me', { headers })).status,
    mcp: (await post(mcpPath, rpc)).status,
    files: (await server.request('/v1/attachments/01920000-0000-7000-8000-00000000dead/content', { headers })).status,
    training: (await server.request('/v1/training/download/memories', { headers })).status,
    events: await events(),
  };
  return answers;
}

test('a token for one workspace is valid at its MCP address and every other face, in that workspace alone', async () => {
  const { id } = (await server.ok('who_am_i')).workspace;
  const resource = `${server.url}/mcp/w/${id}`;
  const { access_token } = await connect(server, owner, { params: { resource } });
  const open = { rest: 200, route: 200, mcp: 200, files: 404, events: 200 };
  expect(await askEachFace(access_token, `/mcp/w/${id}`)).toMatchObject(open);
  for (const path of ['/mcp', '/', '/sse'])
    expect(await askEachFace(access_token, path)).toMatchObject({ ...open, mcp: 401 });
  expect((await askEachFace(access_token, '/mcp/w/01920000-0000-7000-8000-00000000dead'))['mcp']).toBe(401);
});

test('one token serves MCP, and brains, members and analytics of every brain that its person reaches over REST', async () => {
  const { access_token } = await connect(server, owner, {
    params: { scope: 'brains:read brains:write members:write memory:read' },
    change: (fields) => [...fields, ['scope', 'brains:write'], ['scope', 'members:write']],
  });
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const answer = await server.request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    expect(answer.status, `${method} ${path}`).toBe(200);
    return (await answer.json()) as Record<string, unknown>;
  };
  const { brain_id: earlier } = await server.ok('create_brain', { name: 'Made by a person' });
  const { brain_id: own } = await ask('POST', '/v1/brains', { name: 'Made by a client' });
  expect(JSON.stringify(await ask('GET', '/v1/brains'))).toContain(String(earlier));
  for (const id of [earlier, own]) {
    await ask('PATCH', `/v1/brains/${id}`, { description: 'Described over REST' });
    expect(await ask('GET', `/v1/brains/${id}/members`)).toHaveProperty('members');
    expect(await ask('GET', `/v1/brains/${id}/analytics`)).toBeTypeOf('object');
  }
  const client = await connectMcp(`${server.url}/mcp`, access_token);
  const listed = await client.callTool({ name: 'list_brains', arguments: {} });
  expect(JSON.stringify(listed)).toContain('Made by a client');
  await client.close();
});

test('a token for another workspace or another server is refused at every face', async () => {
  for (const resource of [
    `${server.url}/mcp/w/01920000-0000-7000-8000-00000000dead`,
    'https://other.example/mcp',
    `${server.url}/v1`,
    '',
  ]) {
    const { access_token } = await connect(server, owner);
    await database.rows(
      `update oauth_grants set resource = $1 where id = (select grant_id from oauth_tokens
      where kind = 'access' order by created_at desc limit 1)`,
      [resource],
    );
    const refused = await askEachFace(access_token);
    expect(new Set(Object.values(refused)), `${resource}: ${JSON.stringify(refused)}`).toEqual(new Set([401]));
  }
});

test('a token that was refreshed with a narrower scope has no more than that scope', async () => {
  const { client, refresh_token } = await connect(server, owner);
  const answer = await refresh(server, client, refresh_token, { scope: 'memory:read' });
  const narrow = (await answer.json()) as Tokens;
  expect(narrow.scope).toBe('memory:read');
  const call = (operation: string, key: string, input: object = {}) => server.call(operation, input, { key });
  expect((await call('list_memories', narrow.access_token)).status).toBe(200);
  expect(await call('add_memory', narrow.access_token, { content: 'More than it asked for' })).toMatchObject({
    status: 403,
    body: { details: { scopes: ['memory:write'] } },
  });
  const whole = (await (await refresh(server, client, narrow.refresh_token)).json()) as Tokens;
  expect((await call('add_memory', whole.access_token, { content: 'What its person allowed' })).status).toBe(200);
});

test('a code whose client broke the connection off is not left for another process to serve again', async () => {
  const [client, pkce] = [await register(server), createPkce()];
  const back = await decide(new Browser(server, owner), authorizeUrl(server, client, pkce));
  const fields = {
    grant_type: 'authorization_code',
    client_id: client.client_id,
    code: back.searchParams.get('code') ?? '',
    code_verifier: pkce.verifier,
    redirect_uri: 'http://127.0.0.1:3334/callback',
  };
  const body = `${new URLSearchParams(fields)}`;
  const { hostname, port, host } = new URL(server.url);
  const socket = openSocket(Number(port), hostname);
  const head = `POST /oauth/token HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/x-www-form-urlencoded`;
  socket.write(`${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`, () => socket.destroy());
  const code = async () =>
    (
      await database.rows(
        `select used_at is not null as used, answered_at is not null as answered from oauth_tokens
          where kind = 'code' order by created_at desc limit 1`,
      )
    )[0];
  await expect.poll(code, { timeout: 5_000 }).toEqual({ used: true, answered: true });
});
