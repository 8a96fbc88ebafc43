import { afterEach, beforeEach, expect, test } from 'vitest';
import { request } from 'undici';
import { openPools } from './connector.ts';
import { type LocalServer, startServer } from './local-server.ts';

let server: LocalServer;
beforeEach(async () => {
  server = await startServer((_entry, response) => response.end('reached'));
});
afterEach(() => server.close());

/** Uses the pools directly, without the checks of egress. */
async function attempt(route: 'guarded' | 'excepted', host: string, answers: readonly string[]) {
  const resolve = async () => answers;
  const pools = openPools({ byNetwork: resolve, bySystem: resolve });
  try {
    const { body } = await request(`http://${host}:${server.port}/`, { dispatcher: pools[route] });
    return await body.text();
  } finally {
    await Promise.all([pools.guarded.close(), pools.excepted.close()]);
  }
}

test.each([
  ['127.0.0.1', []],
  ['[::1]', []],
  ['[::ffff:127.0.0.1]', []],
  ['name.example', ['127.0.0.1']],
  ['name.example', ['93.184.216.34', '127.0.0.1']],
  ['localhost', ['127.0.0.1']],
])('the guarded pool opens no socket to %s resolved to %j, for any caller', async (host, answers) => {
  await expect(attempt('guarded', host, answers)).rejects.toMatchObject({ category: 'blocked' });
  expect(server.connections()).toBe(0);
});

test('a name that does not resolve gives no socket in either pool', async () => {
  for (const route of ['guarded', 'excepted'] as const) {
    await expect(attempt(route, 'name.example', [])).rejects.toMatchObject({ category: 'network' });
  }
});

test('the excepted pool connects to the address from the resolver, not to the system’s', async () => {
  expect(await attempt('excepted', 'localhost', ['127.0.0.1'])).toBe('reached');
  await expect(attempt('excepted', 'localhost', ['127.0.0.77'])).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
