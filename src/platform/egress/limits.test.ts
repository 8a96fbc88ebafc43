import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { getEventListeners, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Egress, createEgress } from './egress.ts';
import { startServer, startTcpServer } from './local-server.ts';
import { decodeBodyText } from './response.ts';

let egress: Egress;
beforeEach(() => {
  egress = createEgress({ allow: [] });
});
afterEach(() => egress.close());

const tooLarge = { code: 'payload_too_large', delivery: 'maybe_sent', diagnostics: { errorCategory: 'too_large' } };

test('an endless answer is stopped while it is read', async () => {
  let sent = 0;
  let closed: Promise<unknown> = Promise.resolve();
  const server = await startServer(async (_entry, response) => {
    closed = once(response, 'close');
    while (!response.destroyed) {
      sent += 16_384;
      if (!response.write(Buffer.alloc(16_384))) await Promise.race([once(response, 'drain'), closed]);
    }
  });
  const call = egress.request({ method: 'GET', url: server.origin, allow: [server.origin], maxBytes: 100_000 });
  await expect(call).rejects.toMatchObject({ ...tooLarge, diagnostics: { status: 200 } });
  await closed;
  expect(sent).toBeLessThan(20_000_000);
  await server.close();
});

test('an answer with too large a Content-Length is not read', async () => {
  const server = await startServer((_entry, response) => {
    response.writeHead(200, { 'content-length': 1_000_001 }).flushHeaders();
  });
  const call = egress.request({ method: 'GET', url: server.origin, allow: [server.origin], timeoutMs: 5_000 });
  await expect(call).rejects.toMatchObject(tooLarge);
  await server.close();
});

test('an answer of exactly the limit is accepted, and one byte more is refused', async () => {
  const server = await startServer((entry, response) => response.end('x'.repeat(Number(entry.url.slice(1)))));
  const call = { method: 'GET', allow: [server.origin], maxBytes: 1_000 };
  expect((await egress.request({ ...call, url: `${server.origin}/1000` })).body).toHaveLength(1_000);
  await expect(egress.request({ ...call, url: `${server.origin}/1001` })).rejects.toMatchObject(tooLarge);
  await server.close();
});

test('the Content-Length of a HEAD answer is not limited', async () => {
  const server = await startServer((_entry, response) =>
    response.writeHead(200, { 'content-length': 5_000_000 }).end(),
  );
  const answer = await egress.request({ method: 'HEAD', url: server.origin, allow: [server.origin] });
  expect(answer).toMatchObject({ status: 200, headers: { 'content-length': '5000000' } });
  await server.close();
});

test.each([
  ['gzip', gzipSync(Buffer.alloc(100_000_000))],
  ['br', brotliCompressSync(Buffer.alloc(50_000_000))],
  ['deflate', deflateSync(Buffer.alloc(50_000_000))],
])('a %s bomb is refused, and memory stays small', async (coding, bomb) => {
  expect(bomb.length).toBeLessThan(1_000_000);
  const server = await startServer((_entry, response) => response.setHeader('content-encoding', coding).end(bomb));
  const before = process.memoryUsage().arrayBuffers;
  await expect(egress.request({ method: 'GET', url: server.origin, allow: [server.origin] })).rejects.toMatchObject(
    tooLarge,
  );
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  await server.close();
});

test.each([
  ['gzip', gzipSync('plain text')],
  ['br', brotliCompressSync('plain text')],
  ['deflate', deflateSync('plain text')],
  ['identity', Buffer.from('plain text')],
])('an answer in the encoding %s is decompressed', async (coding, body) => {
  const server = await startServer((_entry, response) => response.setHeader('content-encoding', coding).end(body));
  const answer = await egress.request({ method: 'GET', url: server.origin, allow: [server.origin] });
  expect(decodeBodyText(answer)).toBe('plain text');
  if (coding !== 'identity') expect(answer.headers).not.toHaveProperty('content-encoding');
  await server.close();
});

test.each([
  ['coded twice', 'gzip, gzip', gzipSync(gzipSync('x'))],
  ['coded in a way not asked for', 'compress', Buffer.from('x')],
  ['named like a property of every object', 'constructor', Buffer.from('x')],
  ['damaged', 'gzip', gzipSync('plain text').subarray(0, -12)],
])('an answer %s is refused', async (_what, coding, body) => {
  const server = await startServer((_entry, response) => response.setHeader('content-encoding', coding).end(body));
  const call = egress.request({ method: 'GET', url: server.origin, allow: [server.origin] });
  await expect(call).rejects.toMatchObject({ diagnostics: { errorCategory: 'bad_response', status: 200 } });
  await server.close();
});

test('requests ask for compressed answers, except for a range', async () => {
  const server = await startServer((_entry, response) => response.end());
  const call = { method: 'GET', url: server.origin, allow: [server.origin] };
  await egress.request(call);
  await egress.request({ ...call, headers: { Range: 'bytes=0-9' } });
  expect(server.ledger.map(({ headers }) => headers['accept-encoding'])).toEqual(['gzip, br', 'identity']);
  await server.close();
});

test.each<[string, string]>([
  ['headers', 'HTTP/1.1 200 OK\r\nx-slow: '],
  ['a body', 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n'],
  ['a chunked body', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3e8\r\n'],
])('a server that sends %s byte by byte is cut off at the time limit', async (_what, begin) => {
  const server = await startTcpServer((socket) => {
    socket.once('data', () => socket.write(begin));
    const drip = setInterval(() => socket.write('a'), 10);
    socket.on('close', () => clearInterval(drip));
  });
  const started = performance.now();
  const call = egress.request({ method: 'GET', url: server.origin, allow: [server.origin], timeoutMs: 150 });
  await expect(call).rejects.toMatchObject({ delivery: 'maybe_sent', diagnostics: { errorCategory: 'timeout' } });
  expect(performance.now() - started).toBeLessThan(2_000);
  await server.close();
});

test('a call leaves no timer and no listener', async () => {
  const server = await startServer((_entry, response) => response.end());
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const { signal } = new AbortController();
  const call = { method: 'GET', url: server.origin, allow: [server.origin], signal };
  await egress.request(call);
  const before = timers();
  for (let i = 0; i < 20; i += 1) await egress.request(call);
  await expect(egress.request({ ...call, allow: [] })).rejects.toBeDefined();
  expect(timers() - before).toBeLessThan(10);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await server.close();
});

test('the time limit covers all redirects together', async () => {
  const server = await startServer(async (_entry, response) => {
    await wait(60);
    response.writeHead(302, { location: '/again' }).end();
  });
  const call = egress.request({ method: 'GET', url: server.origin, allow: [server.origin], timeoutMs: 150 });
  await expect(call).rejects.toMatchObject({ diagnostics: { errorCategory: 'timeout' } });
  expect(server.ledger.length).toBeLessThan(5);
  await server.close();
});

test('endless headers are refused', async () => {
  const server = await startTcpServer((socket) => {
    socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(100_000)}`));
  });
  const call = egress.request({ method: 'GET', url: server.origin, allow: [server.origin], timeoutMs: 5_000 });
  await expect(call).rejects.toMatchObject(tooLarge);
  await server.close();
});
