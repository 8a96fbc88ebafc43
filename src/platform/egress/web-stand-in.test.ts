import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEgress, type Egress } from './egress.ts';
import { type LocalServer, startServer } from './local-server.ts';
import { decodeBodyText } from './response.ts';

const handle = `sec_${'a'.repeat(24)}`;
let standIn: LocalServer;
let egress: Egress;

beforeEach(async () => {
  standIn = await startServer(({ url }, response) => {
    const location = /^\/web\/to\?(.*)$/.exec(url)?.[1];
    if (location === undefined) response.end(url);
    else response.writeHead(302, { location: decodeURIComponent(location) }).end('moved');
  });
  egress = createEgress({ allow: [], webBaseUrl: `${standIn.origin}/web` });
});
afterEach(async () => {
  await egress.close();
  await standIn.close();
});

const get = (url: string, more: object = {}) => egress.request({ method: 'GET', url, isWeb: true, ...more });
const listAsked = () => standIn.ledger.map(({ url, headers }) => [headers['x-forwarded-host'], url]);

test('the stand-in answers for every host of the web, and learns the real one', async () => {
  const answer = await get('https://api.example.com:8443/v1/items?limit=10');
  expect([answer.url, decodeBodyText(answer)]).toEqual([
    'https://api.example.com:8443/v1/items?limit=10',
    '/web/v1/items?limit=10',
  ]);
  expect(listAsked()).toEqual([['api.example.com:8443', '/web/v1/items?limit=10']]);
});

test('rules, host limits and secrets see the real host', async () => {
  const reached: string[] = [];
  const secret = { handle, value: 'canary', placements: ['header'], hosts: ['api.example.com'] };
  const more = { headers: { 'x-key': handle }, handles: [secret], mayReach: (url: URL) => void reached.push(url.host) };
  await get('https://api.example.com/', { ...more, hosts: ['api.example.com'] });
  expect(reached).toEqual(['api.example.com']);
  expect(standIn.ledger[0]?.headers['x-key']).toBe('canary');
  await expect(get('https://other.example.com/', more)).rejects.toThrow('may not be sent to other.example.com');
  await expect(get('https://other.example.com/', { hosts: ['api.example.com'] })).rejects.toThrow('allowed hosts');
  expect(standIn.ledger).toHaveLength(1);
});

test('a redirect is followed at the stand-in, and an address that may not be reached is refused there, too', async () => {
  await get('https://a.example.com/to?https%3A%2F%2Fb.example.com%2Fx');
  await get(`https://a.example.com/to?${encodeURIComponent(`${standIn.origin}/web/y`)}`);
  expect(listAsked().filter(([, url]) => !String(url).startsWith('/web/to'))).toEqual([
    ['b.example.com', '/web/x'],
    ['a.example.com', '/web/y'],
  ]);
  for (const url of ['http://a.example.com/', 'https://10.0.0.1/', 'https://localhost/'])
    await expect(get(url), url).rejects.toMatchObject({ diagnostics: { errorCategory: 'blocked' } });
});

test('a caller cannot name another host, and a call to a known provider goes there', async () => {
  const headers = { 'x-forwarded-host': 'evil.example.com' };
  await expect(get('https://a.example.com/', { headers })).rejects.toThrow('x-forwarded-host');
  const provider = await startServer((_entry, response) => response.end('provider'));
  expect(decodeBodyText(await get(provider.origin, { allow: [provider.origin] }))).toBe('provider');
  await expect(egress.request({ method: 'GET', url: 'https://10.0.0.1/' })).rejects.toThrow();
  expect(standIn.ledger).toHaveLength(0);
  await provider.close();
});
