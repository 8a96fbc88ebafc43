// Ctrl-C, and the end of a container, reach every process of the group at once; each that starts another passes the signal on besides.
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findServerProcess } from '../support/embedded-postgres-process.ts';
import { launchServer, waitUntilReady, type LaunchedServer } from '../support/launched-server.ts';

const signals = ['SIGTERM', 'SIGINT'] as const;
const seven = Array.from({ length: 7 }, (_, round) => round + 1);
const rounds = signals.flatMap((signal) => seven.map((round) => ({ signal, round })));

/** A call of which the server has had only the beginning; `finish` sends the rest and returns the outcome. */
async function beginCall({ url, key }: LaunchedServer) {
  const body = JSON.stringify({ content: 'Stored while the server was stopping.' });
  const call = request(`${url}/v1/tools/add_memory`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length },
  });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => {});
  call.write(body.slice(0, 10));
  await once(call, 'socket');
  await sleep(150); // the server has seen its head by then
  return async () => {
    call.end(body.slice(10));
    const [response] = await answered;
    return { status: response.statusCode, body: await text(response) };
  };
}

/** The messages about the stop, in order. */
function listStopMessages({ lines }: LaunchedServer): string[] {
  const said = ['stopping', 'received fast shutdown request', 'database system is shut down'];
  return lines().flatMap((line) => said.filter((each) => line.includes(each)));
}

test.each(rounds)(
  'a server whose whole process group gets $signal finishes its calls, stops PostgreSQL, and leaves nothing ($round)',
  async ({ signal }) => {
    const server = await launchServer();
    await waitUntilReady(server);
    const finish = await beginCall(server);
    server.signal(signal);
    await sleep(100); // every process has had it, and passed it on
    expect(await finish()).toMatchObject({ status: 200 });
    await server.ended;
    expect(listStopMessages(server)).toEqual([
      'stopping',
      'received fast shutdown request',
      'database system is shut down',
    ]);
    expect(findServerProcess(server.dataDir)).toBeUndefined();
    await expect.poll(server.isRunning).toBe(false);
  },
);

test.each([0, 100, 300, 600, 1_000, 1_500, 2_500])(
  'a server that is stopped %d ms into the start of PostgreSQL leaves nothing running',
  async (afterMs) => {
    const server = await launchServer();
    await expect.poll(() => server.lines().join('\n')).toContain('starting PostgreSQL');
    await sleep(afterMs); // at different points of its start
    server.signal('SIGTERM');
    await server.ended;
    await expect.poll(() => findServerProcess(server.dataDir)).toBeUndefined();
    await expect.poll(server.isRunning).toBe(false);
  },
);

test('a second signal, some time after the first, ends a server that waits for a call', async () => {
  const server = await launchServer();
  await waitUntilReady(server);
  await beginCall(server);
  server.signal('SIGINT');
  await sleep(2_200); // a person who waits that long means it
  server.signal('SIGINT');
  await server.ended;
  await expect.poll(() => findServerProcess(server.dataDir)).toBeUndefined();
  await expect.poll(server.isRunning).toBe(false);
});
