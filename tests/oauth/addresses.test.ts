// One server has several addresses: what programs and browsers find at each of them.
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createResources } from '#modules/oauth-server';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer; // its public address is http://localhost, and it is asked at 127.0.0.1
let port: string;
beforeAll(async () => {
  server = await startTestServer();
  ({ port } = new URL(server.url));
});
afterAll(() => server.close());

/** `fetch` says of itself that it opens no page. */
async function readHead(url: string, headers: Record<string, string>) {
  const asked = request(url, { headers, agent: false }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return { status: answer.statusCode, location: answer.headers.location };
}

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const headers = { 'content-type': 'application/json' };
const ask = (url: string, key?: string) =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...headers, ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(list),
  });

test('a last slash means the same at every address, without a redirect', async () => {
  const { workspace } = await server.ok('who_am_i');
  for (const path of ['/mcp/', '/sse/', `/mcp/w/${workspace.id}/`, '/mcp/?toolsets=all'])
    expect({ path, status: (await ask(`${server.url}${path}`, server.key)).status }).toEqual({ path, status: 200 });
  const stream = await server.request('/sse/', {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${server.key}` },
    signal: AbortSignal.timeout(5_000),
  });
  expect(stream.headers.get('content-type')).toMatch(/event-stream/);
  await stream.body?.cancel();
  const get = { headers: { authorization: `Bearer ${server.key}` } };
  expect((await server.request('/v1/memory/list/', get)).status).toBe(200);
});

test('a client by another name of this machine finds a description of the address it uses, and one place to sign in', async () => {
  for (const name of ['127.0.0.1', 'localhost'])
    for (const path of ['/mcp', '/mcp/']) {
      const refused = await ask(`http://${name}:${port}${path}`);
      const found = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? '';
      expect(found).toBe(`http://${name}:${port}/.well-known/oauth-protected-resource/mcp`);
      const described = await (await fetch(found)).json();
      const authorization_servers = [`http://localhost:${port}`];
      expect(described).toMatchObject({ resource: `http://${name}:${port}/mcp`, authorization_servers });
    }
});

test('a browser that opens a page by another name is sent to the public one, and a program is not', async () => {
  const open = (headers: Record<string, string>, path = '/inbox/7?a=b', name = '127.0.0.1') =>
    readHead(`http://${name}:${port}${path}`, headers);
  const visits: Record<string, string>[] = [{ 'sec-fetch-mode': 'navigate' }, { accept: 'text/html,*/*' }];
  for (const visit of visits)
    expect(await open(visit)).toEqual({ status: 307, location: `http://localhost:${port}/inbox/7?a=b` });
  const fetches: Record<string, string>[] = [{}, { accept: '*/*' }, { accept: 'text/html', 'sec-fetch-mode': 'cors' }];
  for (const fetched of fetches) expect((await open(fetched)).location).toBeUndefined();
  expect((await open({ accept: 'text/html' }, '/inbox/7', 'localhost')).location).toBeUndefined();
  const away = await open({ accept: 'text/html' }, '//evil.example/x');
  expect(away.location).toMatch(/^http:\/\/localhost:/);
});

test('names of this machine are one server only where the public address is of this machine, with its port', () => {
  const local = createResources('http://localhost:4747');
  const same = [
    'http://127.0.0.1:4747/mcp',
    'http://[::1]:4747/mcp/',
    'http://LOCALHOST:4747/mcp?toolsets=all',
    'http://127.0.0.2:4747',
  ];
  for (const resource of same) expect(local.canonical(resource)).toBe('http://localhost:4747/mcp');
  const others = [
    'http://127.0.0.1:4748/mcp',
    'https://127.0.0.1:4747/mcp',
    'http://127.0.0.1.evil.example:4747/mcp',
    'http://127.evil.example:4747/mcp',
    'http://x@localhost:4747/mcp',
    'http://localhost:4747/mcp#a',
    'http://localhost:4747/other?x=/mcp',
  ];
  for (const resource of others) expect(local.canonical(resource), resource).toBeNull();
  expect(local.metadataUrl('/mcp', 'evil.example:4747')).toBe(
    'http://localhost:4747/.well-known/oauth-protected-resource/mcp',
  );

  const shared = createResources('https://brain.example.com');
  expect(shared.canonical('HTTPS://Brain.Example.com/mcp?utm_source=plugin')).toBe('https://brain.example.com/mcp');
  for (const resource of ['http://127.0.0.1:4747/mcp', 'http://brain.example.com/mcp', 'https://localhost/mcp'])
    expect(shared.canonical(resource), resource).toBeNull();
  for (const host of ['127.0.0.1:4747', 'api:4000', 'localhost', 'brain.example.com@evil.example'])
    expect(shared.at('/mcp', host)).toBe('https://brain.example.com/mcp');
});
