import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Egress, createEgress } from './egress.ts';
import { type LocalServer, startServer } from './local-server.ts';
import { parseBodyJson, decodeBodyText } from './response.ts';

let server: LocalServer;
let egress: Egress;
beforeEach(async () => {
  server = await startServer((entry, response) => {
    response.statusCode = Number(entry.url.slice(1)) || 200;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ method: entry.method }));
  });
  egress = createEgress({ allow: [server.origin], userAgent: 'Thalamus/test' });
});
afterEach(async () => {
  await egress.close();
  await server.close();
});

test('a request reaches an excepted server with its method, headers and body', async () => {
  const answer = await egress.request({
    method: 'post',
    url: `${server.origin}/a?b=c#d`,
    headers: { 'X-Api-Key': 'k', Accept: 'application/json' },
    body: 'grüße',
  });
  expect(answer).toMatchObject({ status: 200, url: `${server.origin}/a?b=c` });
  expect(parseBodyJson(answer)).toEqual({ method: 'POST' });
  expect(server.ledger).toMatchObject([
    {
      method: 'POST',
      url: '/a?b=c',
      body: 'grüße',
      headers: { 'x-api-key': 'k', accept: 'application/json', 'user-agent': 'Thalamus/test', 'content-length': '7' },
    },
  ]);
});

test('bytes are sent unchanged', async () => {
  const received: string[] = [];
  const raw = await startServer((entry, response) => {
    received.push(entry.headers['content-length'] ?? '');
    response.end();
  });
  await egress.request({ method: 'PUT', url: raw.origin, allow: [raw.origin], body: new Uint8Array([0, 255, 13, 10]) });
  expect(received).toEqual(['4']);
  await raw.close();
});

test('every HTTP status is an answer, not an error', async () => {
  for (const status of [204, 304, 400, 401, 404, 429, 500, 503]) {
    expect(await egress.request({ method: 'GET', url: `${server.origin}/${status}` })).toMatchObject({ status });
  }
});

test('Host, Content-Length and Transfer-Encoding cannot be set by a caller', async () => {
  await egress.request({
    method: 'POST',
    url: server.origin,
    headers: { Host: 'evil.example', 'Content-Length': '1', 'Transfer-Encoding': 'chunked', Connection: 'close' },
    body: 'four',
  });
  expect(server.ledger[0]).toMatchObject({ body: 'four', headers: { host: `127.0.0.1:${server.port}` } });
  expect(server.ledger[0]?.headers['transfer-encoding']).toBeUndefined();
});

test.each([
  ['a line break in a value', { 'x-a': 'a\r\nx-b: b' }],
  ['NUL in a value', { 'x-a': 'a\u0000b' }],
  ['a line break in a name', { 'x-a\r\nx-b': 'b' }],
  ['a blank in a name', { 'x a': 'b' }],
  ['letters HTTP cannot carry', { 'x-a': '日本' }],
])('a header with %s is refused, and the error does not repeat its value', async (_what, headers) => {
  const call = egress.request({ method: 'GET', url: server.origin, headers });
  await expect(call).rejects.toMatchObject({
    code: 'invalid_input',
    delivery: 'not_sent',
    message: expect.not.stringMatching(/x-b|日本|a.b/s),
  });
  const hasName = expect.stringMatching('x-a' in headers ? /^The header x-a / : /^A header /);
  await expect(call).rejects.toMatchObject({ message: hasName });
  expect(server.connections()).toBe(0);
});

test.each(['CONNECT', 'TRACE', 'GET / HTTP/1.1\r\nX: y', ''])('the method %j is refused', async (method) => {
  const call = egress.request({ method, url: server.origin });
  await expect(call).rejects.toMatchObject({ code: 'invalid_input', delivery: 'not_sent' });
  expect(server.connections()).toBe(0);
});

test('sequential requests use one connection', async () => {
  for (let i = 0; i < 20; i += 1) await egress.request({ method: 'POST', url: server.origin, body: '{}' });
  expect(server.ledger).toHaveLength(20);
  expect(server.connections()).toBe(1);
});

test('an exception for one call lets no other call use its connection', async () => {
  const strict = createEgress({ allow: [] });
  const allowed = await strict.request({ method: 'GET', url: server.origin, allow: [`${server.origin}/base/path`] });
  expect(allowed.status).toBe(200);
  const refused = strict.request({ method: 'GET', url: server.origin });
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input', diagnostics: { errorCategory: 'blocked' } });
  expect(server.ledger).toHaveLength(1);
  await strict.close();
});

test('an exception for a name does not include its address', async () => {
  const url = `https://inside.example:${server.port}/`;
  const strict = createEgress({ allow: [], resolve: async () => ['127.0.0.1'] });
  // The server does not use TLS: a TLS error proves that the socket was opened.
  const excepted = strict.request({ method: 'GET', url, allow: [url] });
  await expect(excepted).rejects.toMatchObject({ diagnostics: { errorCategory: 'tls' }, delivery: 'not_sent' });
  const refused = strict.request({ method: 'GET', url });
  await expect(refused).rejects.toMatchObject({ diagnostics: { errorCategory: 'blocked' } });
  expect(server.connections()).toBe(1);
  await strict.close();
});

test.each([
  ['another port', (port: number) => `http://127.0.0.1:${port === 65_535 ? 1 : port + 1}/`],
  ['another scheme', (port: number) => `https://127.0.0.1:${port}/`],
  ['another spelling that is another host', (port: number) => `http://localhost:${port}/`],
  ['another loopback address', (port: number) => `http://127.0.0.2:${port}/`],
])('an exception does not include %s', async (_what, url) => {
  const call = egress.request({ method: 'GET', url: url(server.port) });
  await expect(call).rejects.toMatchObject({ code: 'invalid_input', delivery: 'not_sent' });
  expect(server.connections()).toBe(0);
});

test('an exception applies to every spelling of the same host', async () => {
  for (const host of ['2130706433', '0x7f.1', '127.1', '127.0.0.1.']) {
    expect(await egress.request({ method: 'GET', url: `http://${host}:${server.port}/` })).toMatchObject({
      status: 200,
    });
  }
});

test.each([
  '127.0.0.1:80',
  'http://127.0.0.1/path',
  'http://127.0.0.1:80/',
  'http://user@127.0.0.1',
  'http://127.0.0.1?x',
  'ftp://127.0.0.1',
  'http://*',
  'http://*.example.com',
  'http://',
  'http://a b',
  '',
])('the malformed exception %j stops the start, and the error names it', (entry) => {
  expect(() => createEgress({ allow: ['https://ok.example', entry] })).toThrow(`"${entry}"`);
});

test('an exception is for http and https only', async () => {
  const call = egress.request({
    method: 'GET',
    url: 'ws://127.0.0.1/',
    allow: ['file:///run/x.sock', 'ws://127.0.0.1'],
  });
  await expect(call).rejects.toMatchObject({ delivery: 'not_sent', diagnostics: { errorCategory: 'blocked' } });
});

test('a refusal does not reveal the private address behind a name', async () => {
  const door = createEgress({ allow: [], resolve: async () => ['10.11.12.13'] });
  const error = await door.request({ method: 'GET', url: 'https://inside.example/' }).catch((error: unknown) => error);
  expect(error).toMatchObject({ message: expect.stringContaining('inside.example') });
  expect(JSON.stringify([String(error), error])).not.toContain('10.11.12.13');
  await door.close();
});

test('the default port of an exception may be omitted', async () => {
  for (const entry of ['https://127.0.0.1', 'https://127.0.0.1:443', 'HTTPS://127.0.0.1:443']) {
    const door = createEgress({ allow: [entry] });
    const call = door.request({ method: 'GET', url: 'https://127.0.0.1:443/' });
    // No server listens there: the connection is attempted, not blocked.
    await expect(call).rejects.toMatchObject({ diagnostics: { errorCategory: 'network' }, delivery: 'not_sent' });
    await door.close();
  }
});

test('a connection goes to the address that was looked up for it, and a new connection looks it up again', async () => {
  const first = await startServer((_entry, response) => response.end('first'));
  const second = await startServer((_entry, response) => response.end('second'), {
    host: '127.0.0.2',
    port: first.port,
  });
  const answers = ['127.0.0.1', '127.0.0.2'];
  const asked: string[] = [];
  const url = `http://moving.example:${first.port}`;
  const door = createEgress({
    allow: [url],
    async resolve(hostname) {
      asked.push(hostname);
      return [answers[asked.length - 1] ?? ''];
    },
  });

  expect(decodeBodyText(await door.request({ method: 'GET', url }))).toBe('first');
  expect(decodeBodyText(await door.request({ method: 'GET', url }))).toBe('first');
  expect(asked).toEqual(['moving.example']);
  await first.close();
  expect(decodeBodyText(await door.request({ method: 'GET', url }))).toBe('second');
  expect(asked).toEqual(['moving.example', 'moving.example']);
  await door.close();
  await second.close();
});

test('when the first of several addresses does not listen, the next is used', async () => {
  const url = `http://two.example:${server.port}`;
  const door = createEgress({ allow: [url], resolve: async () => ['127.0.0.9', '127.0.0.1'] });
  expect(await door.request({ method: 'GET', url })).toMatchObject({ status: 200 });
  await door.close();
});

test.each([
  ['the host itself', 'api.example', 'api.example', true],
  ['a subdomain', 'eu.api.example', 'api.example', true],
  ['capitals and a trailing dot', 'EU.Api.Example.', 'api.example.', true],
  ['a parent', 'example.com', 'api.example.com', false],
  ['a name that only ends alike', 'evilapi.example', 'api.example', false],
  ['a name that only begins alike', 'api.example.evil.example', 'api.example', false],
  ['a lock that is not a domain', 'api.example', 'api.example/x?', false],
  ['an empty lock', 'api.example', '', false],
])('the domain lock is checked, %s: %s under %s', async (_what, host, domain, isAllowed) => {
  const url = `http://${host}:${server.port}`;
  const door = createEgress({ allow: [], resolve: async () => ['127.0.0.1'] });
  const call = door.request({ method: 'GET', url, domain, allow: [url.replace(/\.(:\d+)$/, '$1')] });
  if (isAllowed) expect((await call).status).toBe(200);
  else await expect(call).rejects.toMatchObject({ diagnostics: { errorCategory: 'blocked' }, delivery: 'not_sent' });
  await door.close();
});

test('after close no request is sent', async () => {
  const door = createEgress({ allow: [server.origin] });
  await door.close();
  const call = door.request({ method: 'POST', url: server.origin, body: 'x' });
  await expect(call).rejects.toMatchObject({ code: 'unavailable', delivery: 'not_sent' });
  expect(server.connections()).toBe(0);
});

test('an answer that is not JSON is an error when read as JSON', async () => {
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<html>') };
  expect(() => parseBodyJson(page)).toThrow('not JSON');
  expect(
    decodeBodyText({ headers: { 'content-type': 'text/plain; charset=iso-8859-1' }, body: Buffer.from([0xfc]) }),
  ).toBe('ü');
  expect(decodeBodyText({ headers: { 'content-type': 'text/plain; charset=nonsense' }, body: Buffer.from('ü') })).toBe(
    'ü',
  );
});
