import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
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

async function send(text: string, signature = createHmac('sha256', secret).update(text).digest('hex')) {
  const headers = {
    'content-type': 'application/json',
    'x-signature': signature,
    authorization: 'Bearer of-the-sender',
  };
  return (await server.request(`/v1/webhook/${connector.webhook_slug}`, { method: 'POST', body: text, headers }))
    .status;
}

test('the command forwards events unchanged to an address of this machine, without credentials and unsigned ones', async () => {
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
});

test('the command refuses to forward events to another machine', async () => {
  const { code, stderr } = await run('listen', connector.connector_id, '--to', 'https://example.com/hook');
  expect(code).not.toBe(0);
  expect(stderr).toContain('this machine');
});
