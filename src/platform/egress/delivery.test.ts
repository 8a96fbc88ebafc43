import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Egress, createEgress } from './egress.ts';
import { findClosedPort, startServer, startTcpServer } from './local-server.ts';

let egress: Egress;
beforeEach(() => {
  egress = createEgress({ allow: [] });
});
afterEach(() => egress.close());

const write = { method: 'POST', body: '{"send":"once"}' };

test('a refused connection means that the request was not sent', async () => {
  const url = `http://127.0.0.1:${await findClosedPort()}`;
  await expect(egress.request({ ...write, url, allow: [url] })).rejects.toMatchObject({
    code: 'upstream_failed',
    delivery: 'not_sent',
    diagnostics: { errorCategory: 'network', retryable: true },
  });
});

test.each([
  ['rejects', () => Promise.reject(new Error('SERVFAIL'))],
  [
    'rejects with a code that undici would retry',
    () => Promise.reject(Object.assign(new Error('x'), { code: 'UND_ERR_SOCKET' })),
  ],
  ['answers nothing', async () => []],
])('a look-up that %s refuses the request before it is sent', async (_what, resolve) => {
  const door = createEgress({ allow: [], resolve });
  await expect(door.request({ ...write, url: 'https://name.example/' })).rejects.toMatchObject({
    code: 'upstream_failed',
    delivery: 'not_sent',
    diagnostics: { errorCategory: 'network' },
  });
  await door.close();
});

test('a look-up that never ends is a timeout before sending', async () => {
  const door = createEgress({ allow: [], resolve: () => new Promise(() => undefined) });
  await expect(door.request({ ...write, url: 'https://name.example/', timeoutMs: 50 })).rejects.toMatchObject({
    delivery: 'not_sent',
    diagnostics: { errorCategory: 'timeout' },
  });
});

test('a call that is cancelled during the look-up is not sent when the look-up ends', async () => {
  const server = await startServer((_entry, response) => response.end());
  let answer: (addresses: string[]) => void = () => undefined;
  const url = `http://late.example:${server.port}`;
  const lookups = new Promise<string[]>((resolve) => {
    answer = resolve;
  });
  const door = createEgress({ allow: [url], resolve: () => lookups });
  await expect(door.request({ ...write, url, timeoutMs: 30 })).rejects.toMatchObject({ delivery: 'not_sent' });
  answer(['127.0.0.1']);
  await wait(100);
  expect(server.ledger).toEqual([]);
  await door.close();
  await server.close();
});

test('a connection that is cut after it was accepted may have sent the request', async () => {
  const server = await startTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
  await expect(egress.request({ ...write, url: server.origin, allow: [server.origin] })).rejects.toMatchObject({
    code: 'upstream_failed',
    delivery: 'maybe_sent',
    diagnostics: { errorCategory: 'network', retryable: true },
  });
  expect(server.connections()).toBe(1);
  await server.close();
});

test('an answer that is cut in the middle may have sent the request, and its status is reported', async () => {
  const server = await startTcpServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\nhalf'));
  });
  await expect(egress.request({ ...write, url: server.origin, allow: [server.origin] })).rejects.toMatchObject({
    delivery: 'maybe_sent',
    diagnostics: { status: 201 },
  });
  await server.close();
});

test('a write whose connection dies is never sent again automatically', async () => {
  let requests = 0;
  const server = await startTcpServer((socket) => {
    socket.on('data', () => {
      requests += 1;
      if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: keep-alive\r\n\r\n');
      else socket.destroy();
    });
  });
  const call = { ...write, url: server.origin, allow: [server.origin] };
  await egress.request(call);
  await expect(egress.request(call)).rejects.toMatchObject({ delivery: 'maybe_sent' });
  const { body: _none, ...read } = call;
  await expect(egress.request({ ...read, method: 'GET' })).rejects.toMatchObject({ delivery: 'maybe_sent' });
  await wait(50);
  expect(requests).toBe(3);
  await server.close();
});

test('a timeout while waiting for the answer may have sent the request', async () => {
  const server = await startServer(() => undefined);
  await expect(
    egress.request({ ...write, url: server.origin, allow: [server.origin], timeoutMs: 50 }),
  ).rejects.toMatchObject({ delivery: 'maybe_sent', diagnostics: { errorCategory: 'timeout', retryable: true } });
  expect(server.ledger).toHaveLength(1);
  await server.close();
});

test('a stop before the call sends nothing; a stop during the call may have sent the request', async () => {
  const stop = new AbortController();
  const server = await startServer(() => stop.abort());
  const call = { ...write, url: server.origin, allow: [server.origin] };
  await expect(egress.request({ ...call, signal: AbortSignal.abort() })).rejects.toMatchObject({
    delivery: 'not_sent',
  });
  expect(server.connections()).toBe(0);
  await expect(egress.request({ ...call, signal: stop.signal })).rejects.toMatchObject({
    code: 'unavailable',
    delivery: 'maybe_sent',
    diagnostics: { errorCategory: 'cancelled' },
  });
  await server.close();
});

test('a redirect that is refused after the first request may have sent that request', async () => {
  const server = await startServer((_entry, response) =>
    response.writeHead(302, { location: 'https://10.0.0.1/' }).end(),
  );
  await expect(egress.request({ ...write, url: server.origin, allow: [server.origin] })).rejects.toMatchObject({
    code: 'invalid_input',
    delivery: 'maybe_sent',
    details: { delivery: 'maybe_sent', errorCategory: 'blocked' },
  });
  await server.close();
});

test('an answer that is not HTTP is a bad response', async () => {
  const server = await startTcpServer((socket) => socket.once('data', () => socket.end('220 smtp.example ESMTP\r\n')));
  await expect(egress.request({ ...write, url: server.origin, allow: [server.origin] })).rejects.toMatchObject({
    delivery: 'maybe_sent',
    diagnostics: { errorCategory: 'bad_response' },
  });
  await server.close();
});
