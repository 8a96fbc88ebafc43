import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { getClientAddress, setTrustedProxies } from './client-address.ts';

/** The address that counts for a request from this peer, through these proxies. */
async function readClientAddress(peer: string, forwarded: string, proxies: readonly string[]): Promise<string> {
  const app = new Hono();
  app.use(setTrustedProxies(proxies));
  app.get('/', (c) => c.text(getClientAddress(c)));
  const incoming = { socket: { remoteAddress: peer, remotePort: 1, remoteFamily: 'IPv4' } };
  return (await app.request('/', { headers: { 'x-forwarded-for': forwarded } }, { incoming })).text();
}

test('a client in a private network cannot choose its own address', async () => {
  expect(await readClientAddress('10.0.0.5', '203.0.113.1', ['127.0.0.0/8', '::1'])).toBe('10.0.0.5');
  expect(await readClientAddress('::ffff:192.168.1.7', '203.0.113.1', ['127.0.0.0/8', '::1'])).toBe('192.168.1.7');
  expect(await readClientAddress('127.0.0.1', '203.0.113.1', [])).toBe('127.0.0.1');
});

test("a configured proxy is trusted about its client's address", async () => {
  expect(await readClientAddress('10.0.0.5', '192.0.2.1, 203.0.113.1', ['10.0.0.0/8'])).toBe('203.0.113.1');
  expect(await readClientAddress('::ffff:10.0.0.5', '203.0.113.1', ['10.0.0.5'])).toBe('203.0.113.1');
  expect(await readClientAddress('fd00::5', '2001:db8:0:1::9', ['fd00::/8'])).toBe('2001:db8:0:1::/64');
  expect(await readClientAddress('10.0.0.5', 'no address', ['10.0.0.5'])).toBe('10.0.0.5');
});
