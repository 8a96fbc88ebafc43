import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser, decide, listFormFields } from '../tests/support/oauth.ts';
import { startOauthServer } from '../tests/oauth/support.ts';
import { callOperation } from './client.ts';
import { getCurrentKey, logInThroughBrowser, logInThroughDevice } from './oauth.ts';
import type { Profile } from './profile.ts';
import { walkPublic } from './public-checks.ts';

type OauthServer = Awaited<ReturnType<typeof startOauthServer>>;
let server: OauthServer['server'];
let owner: OauthServer['owner'];
let close: () => Promise<void>;

beforeAll(async () => {
  ({ server, owner, close } = await startOauthServer());
});
afterAll(() => close());

test('a browser login gives a key that works, and the command renews it before it expires', async () => {
  const profile = await logInThroughBrowser(server.url, async (address) => {
    await fetch(await decide(new Browser(server, owner), address));
  });
  expect(await callOperation(profile, 'who_am_i', {})).toMatchObject({ caller: { label: 'Thalamus command line' } });
  if (!profile.renewal) throw new Error('the login cannot be renewed');
  const ending = { ...profile, renewal: { ...profile.renewal, expiresAt: Date.now() } };
  const kept: Profile[] = [];
  const key = await getCurrentKey(ending, (renewed) => kept.push(renewed));
  expect(key).not.toBe(profile.key);
  expect(kept).toMatchObject([{ url: server.url, key, renewal: { clientId: profile.renewal.clientId } }]);
  expect(await callOperation({ url: server.url, key }, 'who_am_i', {})).toMatchObject({ caller: { kind: 'oauth' } });
});

test('a login with a code is approved in another browser', async () => {
  const browser = new Browser(server, owner);
  const profile = await logInThroughDevice(
    server.url,
    async ({ address, code }) => {
      const page = await (await browser.get(address)).text();
      expect(page).toContain(code);
      const sent = await browser.post('/oauth/device', [...listFormFields(page), ['answer', 'allow']]);
      expect(await sent.text()).toContain('Connected');
    },
    async () => {},
  );
  expect(await callOperation(profile, 'who_am_i', {})).toMatchObject({ caller: { kind: 'oauth' } });
});

test.each(['127.0.0.1', 'localhost'])('the check follows a server at %s up to its tokens', async (name) => {
  const checks = await walkPublic(server.url.replace('127.0.0.1', name));
  expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
    ['address', true],
    ['mcp', true],
    ['resource', true],
    ['server', true],
    ['sign-in', true],
    ['token', true],
  ]);
});

describe('behind a proxy', () => {
  let url: string;
  let target: OauthServer;
  let spoil: (path: string, answer: ServerResponse) => boolean = () => false;
  const proxy = createServer((request, response) => {
    void (async () => {
      if (spoil(request.url ?? '', response)) return;
      const body = await text(request);
      const { host: _host, connection: _connection, ...headers } = request.headers as Record<string, string>;
      const init = { method: request.method ?? 'GET', headers, redirect: 'manual' as const, ...(body && { body }) };
      const answer = await fetch(`${target.server.url}${request.url}`, init);
      const kept = [...answer.headers].filter(([name]) => !/^(content-encoding|content-length|transfer-)/.test(name));
      response.writeHead(answer.status, Object.fromEntries(kept)).end(await answer.text());
    })();
  });
  beforeAll(async () => {
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    target = await startOauthServer({ THALAMUS_PUBLIC_URL: url });
  });
  afterAll(async () => {
    proxy.close();
    await target.close();
  });

  test('the check names a server that states another address as the broken link', async () => {
    const checks = await walkPublic(target.server.url);
    const message = expect.stringContaining('THALAMUS_PUBLIC_URL');
    expect(checks.at(-1)).toMatchObject({ name: 'mcp', ok: false, message });
  });

  test('a login with a code asks as often as the server says, and more rarely each time it asks to slow down', async () => {
    const answers = ['authorization_pending', 'slow_down', 'slow_down', 'authorization_pending'];
    spoil = (path, response) => {
      const error = path === '/oauth/token' ? answers.shift() : undefined;
      if (error) response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      return error !== undefined;
    };
    const browser = new Browser(target.server, target.owner);
    const pauses: number[] = [];
    const profile = await logInThroughDevice(
      url,
      async ({ address }) => {
        const shown = await (await browser.get(address)).text();
        await browser.post('/oauth/device', [...listFormFields(shown), ['answer', 'allow']]);
      },
      async (ms) => void pauses.push(ms),
    );
    expect(profile).toMatchObject({ url, renewal: { tokenEndpoint: `${url}/oauth/token` } });
    expect(pauses).toEqual([5_000, 5_000, 10_000, 15_000, 15_000]);
  });

  test('a login with a code that the person declines ends with the reason', async () => {
    spoil = (path, response) => {
      if (path !== '/oauth/token') return false;
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: 'access_denied' }));
      return true;
    };
    const login = logInThroughDevice(
      url,
      () => {},
      async () => {},
    );
    await expect(login).rejects.toThrow('The server refused the login: access_denied.');
  });

  const page = (response: ServerResponse, status = 200) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Log in to the proxy</h1>');
    return true;
  };
  test.each([
    ['nothing', 'token', /can be requested/, () => false],
    [
      'the MCP address',
      'mcp',
      /instead of 401/,
      (path: string, response: ServerResponse) => path === '/mcp' && page(response),
    ],
    [
      'the description of the resource',
      'resource',
      /may not pass \/\.well-known on/,
      (path: string, response: ServerResponse) => path.includes('protected-resource') && page(response),
    ],
    [
      'the description of the server',
      'server',
      /answered 404/,
      (path: string, response: ServerResponse) => path.includes('authorization-server') && page(response, 404),
    ],
    [
      'the page for signing in',
      'sign-in',
      /A proxy may block it/,
      (path: string, response: ServerResponse) => path.startsWith('/oauth/authorize') && page(response, 403),
    ],
    [
      'the token address',
      'token',
      /unknown client is to be refused/,
      (path: string, response: ServerResponse) => path === '/oauth/token' && page(response, 502),
    ],
  ] as const)('when a proxy answers %s itself, the check names the link %s', async (what, name, message, spoils) => {
    spoil = spoils;
    const checks = await walkPublic(url);
    expect(checks.at(-1)).toMatchObject({ name, ok: what === 'nothing', message: expect.stringMatching(message) });
  });
});
