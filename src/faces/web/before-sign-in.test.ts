import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRawRequest } from '../../../tests/support/raw-request.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

const metricsToken = 'a-token-for-the-metrics';
let server: TestServer;
let host: string;
beforeAll(async () => {
  server = await startTestServer({
    THALAMUS_PUBLIC_URL: 'http://localhost:4747',
    THALAMUS_METRICS_TOKEN: metricsToken,
  });
  ({ host } = new URL(server.url));
});
afterAll(() => server.close());

const ask = (path: string, raw: Parameters<typeof sendRawRequest>[1] = {}) => sendRawRequest(server.url + path, raw);
const createHeaders = (address: string) => ({
  'content-type': 'application/json',
  origin: server.url,
  'x-forwarded-for': address,
});

describe('a body before sign-in', () => {
  const paths = ['/auth/mail', '/auth/sign-in', '/auth/sign-out', '/auth/providers/google', '/oauth-playground', '/'];
  test.each(paths)('is refused at POST %s before it is read, when its length is too large', async (path) => {
    const answer = await ask(path, {
      method: 'POST',
      headers: { ...createHeaders('203.0.113.1'), 'content-length': '3400000000' },
    });
    expect(answer.body).toMatchObject({
      code: 'payload_too_large',
      detail: expect.stringMatching(/at most \d+ bytes/),
    });
  });

  test.each(['/auth/mail', '/auth/sign-in', '/auth/providers/google'])(
    'is read at POST %s no further than its limit, when it has no length',
    async (path) => {
      const answer = await ask(path, { method: 'POST', headers: createHeaders('203.0.113.2'), endless: 60_000_000 });
      expect(answer.body).toMatchObject({ code: 'payload_too_large', details: { max_bytes: 10_000 } });
      expect(answer.sentBytes).toBeLessThan(20_000_000);
    },
  );

  test('is not read at all where a key is required', async () => {
    const answer = await ask('/v1/tools/add_memory', { method: 'POST', endless: 60_000_000 });
    expect(answer.status).toBe(401);
    expect(answer.sentBytes).toBeLessThan(20_000_000);
  });
});

describe('host name', () => {
  const paths = [
    '/',
    '/auth/methods',
    '/metrics',
    '/v1/me',
    '/mcp',
    '/openapi.json',
    '/v1/events',
    '/api/oauth/callback',
  ];
  test.each(paths)('that points to this machine from outside is refused at %s', async (path) => {
    for (const name of [
      'evil.example',
      'evil.example:4747',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '0.0.0.0',
    ]) {
      expect((await ask(path, { headers: { host: name, accept: '*/*' } })).status, name).toBe(403);
    }
  });

  test('of this server or of its public URL is answered', async () => {
    const { port } = new URL(server.url);
    for (const name of [host, `localhost:${port}`, '127.0.0.1', `[::1]:${port}`, 'LOCALHOST']) {
      expect((await ask('/auth/methods', { headers: { host: name } })).status, name).toBe(200);
    }
  });

  test('does not matter to a health check', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect((await ask(path, { headers: { host: 'evil.example' } })).status).toBe(200);
  });
});

describe('the metrics', () => {
  test('are for programs on this machine', async () => {
    const answer = await ask('/metrics');
    expect(answer.status).toBe(200);
    expect(answer.body['text']).toContain('thalamus_calls_total');
  });

  test.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host'])(
    'are refused to a request with the proxy header %s, unless it has the token',
    async (name) => {
      const refused = await ask('/metrics', { headers: { [name]: '203.0.113.9' } });
      expect(refused.body).toMatchObject({
        code: 'forbidden',
        detail: expect.stringContaining('THALAMUS_METRICS_TOKEN'),
      });
      const wrong = { [name]: '203.0.113.9', authorization: `Bearer ${metricsToken}x` };
      expect((await ask('/metrics', { headers: wrong })).status).toBe(403);
      const right = { [name]: '203.0.113.9', authorization: `Bearer ${metricsToken}` };
      expect((await ask('/metrics', { headers: right })).status).toBe(200);
    },
  );
});

describe('the work before sign-in', () => {
  const statuses = async (count: number, path: string, address: string) => {
    const body = JSON.stringify({ email: 'eve@example.com' });
    const answers = Array.from({ length: count }, () =>
      ask(path, { method: 'POST', headers: createHeaders(address), body }),
    );
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  const countRefused = (all: readonly number[]) => all.filter((status) => status === 429).length;

  test.each(['/auth/mail', '/auth/providers/google'])('at %s has a share for each address', async (path) => {
    expect(countRefused(await statuses(30, path, '198.51.100.7'))).toBe(10);
    expect(countRefused(await statuses(1, path, '198.51.100.8'))).toBe(0);
    const late = await ask(path, { method: 'POST', headers: createHeaders('198.51.100.7'), body: '{}' });
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('counts an IPv6 network as one address, and trusts a proxy only about its direct client', async () => {
    const networks = Array.from({ length: 30 }, (_, at) => `2001:db8:0:1::${at.toString(16)}`);
    const body = JSON.stringify({ email: 'eve@example.com' });
    const post = (address: string) => ask('/auth/mail', { method: 'POST', headers: createHeaders(address), body });
    expect(countRefused((await Promise.all(networks.map(post))).map(({ status }) => status))).toBe(10);
    // Any number of networks of 64 bits out of the 56 or 48 bits that one customer gets.
    const of56 = Array.from({ length: 100 }, (_, at) => `2001:db8:1:${(0x1200 + at).toString(16)}::1`);
    expect(countRefused((await Promise.all(of56.map(post))).map(({ status }) => status))).toBe(20);
    const of48 = Array.from({ length: 350 }, (_, at) => `2001:db8:2:${((at % 50) * 0x100 + at).toString(16)}::1`);
    expect(countRefused((await Promise.all(of48.map(post))).map(({ status }) => status))).toBe(30);
    const invented = Array.from({ length: 30 }, (_, at) => `192.0.2.${at}, 198.51.100.9`);
    expect(countRefused((await Promise.all(invented.map(post))).map(({ status }) => status))).toBe(10);
  });
});
