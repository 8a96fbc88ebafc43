// The headers of answers: what is private is kept by nobody, and a route's own choice stays.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeProduct } from '../../src/server.ts';
import { findFreePort } from '../support/free-port.ts';
import { signIn, type Browser } from '../support/google.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  server = await startTestServer();
  browser = await signIn(server);
});
afterAll(() => server.close());

const readHeaders = async (path: string, headers: Record<string, string> = {}, at = server) => {
  const answer = await at.request(path, { headers, redirect: 'manual' });
  await answer.body?.cancel();
  return answer.headers;
};

test('no GET of an operation, no event and no answer to a form is kept by a browser or a proxy', async () => {
  const operations = [...(await describeProduct()).values()];
  const reads = operations.flatMap(({ rest = [] }) => rest.filter(({ method }) => method === 'GET'));
  const id = '01920000-0000-7000-8000-00000000dead';
  const paths = reads.map(({ path }) => path.replaceAll(/\{\w+\}/g, id));
  for (const path of [...paths, '/v1/events', `/v1/documents/${id}/content`, '/auth/methods', '/sse', '/metrics'])
    for (const as of [browser.headers, {}])
      expect((await readHeaders(path, { ...as, accept: '*/*' })).get('cache-control'), path).toBe('private, no-store');
});

test('a page of the server is not cached, and the console and the reference are revalidated', async () => {
  expect((await readHeaders('/oauth/device')).get('cache-control')).toBe('no-store');
  for (const path of ['/docs', '/openapi.json', '/llms.txt', '/docs/assets/swagger-ui.css', '/fill-session-proof.js'])
    expect((await readHeaders(path)).get('cache-control'), path).toBe('no-cache');
});

test('the page of the reference loads only from this server, which serves nothing else of its library', async () => {
  const policy = (await readHeaders('/docs')).get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  for (const file of [
    'index.html',
    'oauth2-redirect.html',
    'swagger-initializer.js',
    'package.json',
    'swagger-ui.js.map',
  ])
    expect((await server.request(`/docs/assets/${file}`)).status, file).toBe(404);
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css'])
    expect((await server.request(`/docs/assets/${file}`)).status, file).toBe(200);
});

test('pages of other origins read the answers that are made for them, and no others', async () => {
  for (const path of [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource',
    '/oauth/keys',
  ])
    expect((await readHeaders(path)).get('cross-origin-resource-policy'), path).toBe('cross-origin');
  for (const path of ['/', '/auth/methods', '/openapi.json', '/v1/me'])
    expect((await readHeaders(path)).get('cross-origin-resource-policy'), path).toBe('same-origin');
});

test('only a server that people reach by https binds browsers to https', async () => {
  expect((await readHeaders('/auth/methods')).has('strict-transport-security')).toBe(false);
  const port = String(await findFreePort());
  const secure = await startTestServer({ PORT: port, THALAMUS_PUBLIC_URL: 'https://brain.example.com' });
  try {
    expect((await readHeaders('/auth/methods', {}, secure)).get('strict-transport-security')).toMatch(/max-age=\d{8}/);
  } finally {
    await secure.close();
  }
});
