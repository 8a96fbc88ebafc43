import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Egress, createEgress } from './egress.ts';
import { type LocalServer, startServer } from './local-server.ts';
import { decodeBodyText } from './response.ts';

let first: LocalServer;
let second: LocalServer;
let egress: Egress;

/** `/302?https://…` answers with that status and location; `/302,302?…` first redirects to itself. */
async function startRedirecting(): Promise<LocalServer> {
  return startServer((entry, response) => {
    const [path = '', location = ''] = entry.url.split('?');
    const [status, ...rest] = path.slice(1).split(',');
    if (!status) response.end('arrived');
    else {
      const next = rest.length > 0 ? `/${rest.join(',')}?${location}` : decodeURIComponent(location);
      response.writeHead(Number(status), { location: next }).end('moved');
    }
  });
}

beforeEach(async () => {
  first = await startRedirecting();
  second = await startRedirecting();
  egress = createEgress({ allow: [first.origin, second.origin] });
});
afterEach(async () => {
  await egress.close();
  await first.close();
  await second.close();
});

const credentials = {
  authorization: 'Bearer secret',
  cookie: 'session=secret',
  'proxy-authorization': 'Basic secret',
  'x-api-key': 'secret',
  'private-token': 'secret',
};

test('five redirects are followed, and a sixth is refused', async () => {
  const five = await egress.request({ method: 'GET', url: `${first.origin}/302,302,302,302,302?/` });
  expect(decodeBodyText(five)).toBe('arrived');
  expect(five.url).toBe(`${first.origin}/`);
  const six = egress.request({ method: 'GET', url: `${first.origin}/302,302,302,302,302,302?/` });
  await expect(six).rejects.toMatchObject({ diagnostics: { errorCategory: 'blocked', status: 302 } });
});

test('a redirect loop ends', async () => {
  const loop = await startServer((_entry, response) => response.writeHead(302, { location: '/' }).end());
  const around = egress.request({ method: 'GET', url: loop.origin, allow: [loop.origin] });
  await expect(around).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('redirects') });
  expect(loop.ledger).toHaveLength(6);
  await loop.close();
});

test('a call that refuses redirects follows none', async () => {
  const call = egress.request({ method: 'GET', url: `${first.origin}/307?/`, redirects: 'refuse' });
  await expect(call).rejects.toMatchObject({ delivery: 'maybe_sent', diagnostics: { status: 307 } });
  expect(first.ledger).toHaveLength(1);
});

test('credentials stay on their origin, in any header', async () => {
  await egress.request({
    method: 'GET',
    url: `${first.origin}/302?${second.origin}/`,
    headers: { ...credentials, accept: 'text/plain' },
  });
  expect(first.ledger[0]?.headers).toMatchObject(credentials);
  expect(second.ledger[0]?.headers).toMatchObject({ accept: 'text/plain', 'user-agent': 'Thalamus' });
  expect(JSON.stringify(second.ledger)).not.toContain('secret');
});

test('credentials that a redirect dropped do not come back', async () => {
  const back = encodeURIComponent(`${second.origin}/302?${first.origin}/`);
  await egress.request({ method: 'GET', url: `${first.origin}/302?${back}`, headers: credentials });
  expect(first.ledger).toHaveLength(2);
  expect(JSON.stringify(first.ledger[1])).not.toContain('secret');
});

test('credentials stay on the same origin', async () => {
  await egress.request({ method: 'GET', url: `${first.origin}/302?/`, headers: credentials });
  expect(first.ledger[1]?.headers).toMatchObject(credentials);
});

test.each([
  [301, 'POST', 'GET', ''],
  [302, 'POST', 'GET', ''],
  [303, 'POST', 'GET', ''],
  [303, 'DELETE', 'GET', ''],
  [301, 'PUT', 'PUT', 'body'],
  [307, 'POST', 'POST', 'body'],
  [308, 'PATCH', 'PATCH', 'body'],
])('a redirect with %i after %s continues as %s with the body "%s"', async (status, method, nextMethod, nextBody) => {
  await egress.request({ method, url: `${first.origin}/${status}?/`, body: 'body' });
  expect(first.ledger[1]).toMatchObject({ method: nextMethod, body: nextBody });
});

test.each([307, 308])('a redirect with %i takes no body to another origin', async (status) => {
  const call = egress.request({ method: 'POST', url: `${first.origin}/${status}?${second.origin}/`, body: 'body' });
  await expect(call).rejects.toMatchObject({
    delivery: 'maybe_sent',
    diagnostics: { errorCategory: 'blocked', status },
  });
  expect(second.connections()).toBe(0);
});

test.each([
  ['an address that is not excepted', () => 'http://127.0.0.1:1/'],
  ['a private address', () => 'https://10.0.0.1/'],
  ['our own metadata', () => 'http://169.254.169.254/latest'],
  ['a file', () => 'file:///etc/passwd'],
  ['a user name', () => `http://user:password@127.0.0.1:${second.port}/`],
])('an excepted host may not redirect to %s', async (_what, location) => {
  const call = egress.request({ method: 'GET', url: `${first.origin}/302?${encodeURIComponent(location())}` });
  await expect(call).rejects.toMatchObject({ diagnostics: { errorCategory: 'blocked' } });
  expect(second.connections()).toBe(0);
});

test('an exception for one call covers redirects of that call only to the same origin', async () => {
  const door = createEgress({ allow: [] });
  const url = `${first.origin}/302?${second.origin}/`;
  const call = door.request({ method: 'GET', url, allow: [first.origin] });
  await expect(call).rejects.toMatchObject({ diagnostics: { errorCategory: 'blocked' } });
  expect(second.connections()).toBe(0);
  await door.close();
});

test('a redirect to a name that resolves to a private address is refused', async () => {
  const door = createEgress({ allow: [first.origin], resolve: async () => ['93.184.216.34', '127.0.0.1'] });
  const call = door.request({ method: 'GET', url: `${first.origin}/302?https://name.example:${second.port}/` });
  await expect(call).rejects.toMatchObject({ diagnostics: { errorCategory: 'blocked' } });
  expect(second.connections()).toBe(0);
  await door.close();
});

test('the domain lock applies to every step', async () => {
  const inside = `http://api.locked.example:${first.port}`;
  const outside = `http://other.example:${second.port}`;
  const door = createEgress({ allow: [inside, outside], resolve: async () => ['127.0.0.1'] });
  const url = `${inside}/302?${encodeURIComponent(`${outside}/`)}`;
  expect(decodeBodyText(await door.request({ method: 'GET', url }))).toBe('arrived');
  const locked = door.request({ method: 'GET', url, domain: 'locked.example' });
  await expect(locked).rejects.toMatchObject({ diagnostics: { errorCategory: 'blocked' } });
  expect(second.ledger).toHaveLength(1);
  await door.close();
});

test('a redirect status without a location is an answer', async () => {
  const bare = await startServer((_entry, response) => response.writeHead(302).end('no way'));
  const answer = await egress.request({ method: 'GET', url: bare.origin, allow: [bare.origin] });
  expect([answer.status, decodeBodyText(answer)]).toEqual([302, 'no way']);
  await bare.close();
});
