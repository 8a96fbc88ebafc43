import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHttpRecorder, type HttpRecorder } from '../../tests/support/http-recorder.ts';
import { startTestServer, type TestServer } from '../../tests/support/server.ts';

const main = join(import.meta.dirname, '../main.ts');
const secret = 'a-long-random-text-for-tests';
let server: TestServer;
let here: HttpRecorder;
let connector: { connector_id: string; webhook_slug: string };

beforeAll(async () => {
  server = await startTestServer();
  here = await startHttpRecorder();
  const { brain_id } = await server.ok('create_brain', { name: 'Lighthouse' });
  const given = { name: 'Builds', brain_id, signature_scheme: 'hmac_sha256', webhook_secret: secret } as const;
  connector = await server.ok('create_webhook_connector', given);
});
afterAll(async () => {
  await here.close();
  await server.close();
});

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', THALAMUS_URL: server.url, THALAMUS_KEY: server.key };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, 'webhooks', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

async function send(text: string, signature = createHmac('sha256', secret).update(text).digest('hex'), query = '') {
  const headers = {
    'content-type': 'application/json',
    'x-signature': signature,
    authorization: 'Bearer of-the-sender',
  };
  return (
    await server.request(`/v1/webhook/${connector.webhook_slug}${query}`, { method: 'POST', body: text, headers })
  ).status;
}

test('the command forwards events unchanged to an address of this machine, without credentials, and skips unsigned events', async () => {
  const bodies = ['{"type":"build.done","n":1}', '{"type":"build.done","n":2}'];
  expect(await send('{"n":0}', '0'.repeat(64))).toBe(401);
  for (const body of bodies) expect(await send(body)).toBe(202);
  const listening = ['listen', connector.connector_id, '--since', '2020-01-01T00:00:00Z', '--count', '2'];
  const { code, stdout } = await run(...listening, '--to', here.url);
  expect({ code, lines: stdout.match(/^200 {2}build\.done /gm)?.length }).toEqual({ code: 0, lines: 2 });
  expect(here.requests.map(({ body }) => body)).toEqual(bodies);
  expect(here.requests[0]?.headers).toMatchObject({ 'content-type': 'application/json', authorization: '[blanked]' });
  expect((await run('events', connector.connector_id, '--json')).stdout).toContain('"event_type":"build.done"');
  expect((await run('list')).stdout).toContain('Builds');
  const metrics = await (await server.request('/metrics')).text();
  const of = (outcome: string) =>
    `thalamus_webhook_events_total{connector="${connector.connector_id}",outcome="${outcome}"}`;
  expect(metrics).toContain(`${of('draft')} 2`);
  expect(metrics).toContain(`${of('signature_failed')} 1`);
});

/** The server behind a proxy that can be cut off. */
async function startProxy() {
  const proxy = { isCut: false, url: '', close: () => {} };
  const http = createServer(async (request, response) => {
    const body = await textOf(request);
    if (proxy.isCut) return void request.socket.destroy();
    const headers = { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' };
    const answer = await server.request(request.url ?? '', { method: 'POST', headers, body });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  proxy.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`; // it listens on a port
  proxy.close = () => void http.close().closeAllConnections();
  return proxy;
}

test('the command survives a restart of the server and a stopped local program, and Ctrl-C ends it', async () => {
  const proxy = await startProxy();
  const local = await startHttpRecorder();
  const args = [main, 'webhooks', 'listen', connector.connector_id, '--to', `${local.url}/hook?own=1`];
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', THALAMUS_URL: proxy.url, THALAMUS_KEY: server.key };
  const child = spawn(process.execPath, args, { env });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const prints = (words: RegExp) => expect.poll(() => printed, { timeout: 20_000 }).toMatch(words);

  await prints(/Forwarding events to http:.*Press Ctrl-C to stop\./);
  expect(await send('{"type":"tide","n":1}', undefined, '?from=buoy')).toBe(202);
  await prints(/^200 {2}tide /m);
  const [first] = local.requests;
  expect(first?.url).toBe('/hook?own=1&from=buoy');
  expect(first?.headers['x-signature']).toBe(
    createHmac('sha256', secret)
      .update(first?.body ?? '')
      .digest('hex'),
  );

  proxy.isCut = true;
  await prints(/The server does not answer\. Retrying…/);
  expect(await send('{"type":"storm","n":2}')).toBe(202);
  proxy.isCut = false;
  await prints(/The server answers again\.\n[^]*200 {2}storm /);
  await local.close();
  expect(await send('{"type":"fog","n":3}')).toBe(202);
  await prints(/not delivered {2}fog \S+: no program listens at 127\.0\.0\.1:\d+/);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(printed).toMatch(/Stopped after 3 events\.\n$/);
  expect(printed).not.toContain('build.done'); // events from before are not forwarded
  proxy.close();
});

test('the command refuses to forward events to another machine', async () => {
  const { code, stderr } = await run('listen', connector.connector_id, '--to', 'https://example.com/hook');
  expect(code).not.toBe(0);
  expect(stderr).toContain('this machine');
});
