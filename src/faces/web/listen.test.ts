import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, type Listener } from './listen.ts';

const readMs = 50;
const ended: unknown[] = [];
let listener: Listener;
beforeAll(async () => {
  const fetch = async (request: Request) => {
    const text = await request.text().catch((error: Error) => void ended.push(error.message));
    await sleep(3 * readMs);
    return new Response(text ?? '');
  };
  listener = await listen(fetch, { host: '127.0.0.1', port: 0, readMs });
});
afterAll(() => listener.close());

/** The server's answer to bytes, until it ends the connection. */
function readServerAnswer(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => (answer += String(chunk))).on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

test.for(['content-length: 100\r\n\r\n{"half":', 'transfer-encoding: chunked\r\n\r\n8\r\n{"half":\r\n'])(
  'a request with half a body is ended: %j',
  async (half) => {
    const answer = await readServerAnswer(`POST /v1/tools/add_memory HTTP/1.1\r\nhost: 127.0.0.1\r\n${half}`);
    expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*"The body did not arrive in time/);
    expect(ended.splice(0)).toEqual([expect.stringContaining('aborted')]);
  },
);

test('an answer to a whole body may take longer', async () => {
  const answer = await fetch(listener.url, { method: 'POST', body: 'whole' });
  expect([answer.status, await answer.text()]).toEqual([200, 'whole']);
});
