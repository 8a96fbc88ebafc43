import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser, decide, fieldsOf } from '../tests/support/oauth.ts';
import { startOauthServer } from '../tests/oauth/support.ts';
import { callOperation } from './client.ts';
import { keyInForce, loginByBrowser, loginByDevice } from './oauth.ts';
import type { Profile } from './profile.ts';
import { walkPublic } from './public-checks.ts';

type Started = Awaited<ReturnType<typeof startOauthServer>>;
let server: Started['server'];
let owner: Started['owner'];
let close: () => Promise<void>;

beforeAll(async () => {
  ({ server, owner, close } = await startOauthServer());
});
afterAll(() => close());

test('a browser login gives a key that works, and the command renews it before it expires', async () => {
  const profile = await loginByBrowser(server.url, async (address) => {
    await fetch(await decide(new Browser(server, owner.cookie), address));
  });
  expect(await callOperation(profile, 'who_am_i', {})).toMatchObject({ caller: { label: 'Thalamus command line' } });
  if (!profile.renewal) throw new Error('the login cannot be renewed');
  const ending = { ...profile, renewal: { ...profile.renewal, expiresAt: Date.now() } };
  const kept: Profile[] = [];
  const key = await keyInForce(ending, (renewed) => kept.push(renewed));
  expect(key).not.toBe(profile.key);
  expect(kept).toMatchObject([{ url: server.url, key, renewal: { clientId: profile.renewal.clientId } }]);
  expect(await callOperation({ url: server.url, key }, 'who_am_i', {})).toMatchObject({ caller: { kind: 'oauth' } });
});

test('a login with a code is approved in another browser', async () => {
  const browser = new Browser(server, owner.cookie);
  const profile = await loginByDevice(
    server.url,
    async ({ address, code }) => {
      const page = await (await browser.get(address)).text();
      expect(page).toContain(code);
      const sent = await browser.post('/oauth/device', [...fieldsOf(page), ['answer', 'allow']]);
      expect(await sent.text()).toContain('Connected');
    },
    50,
  );
  expect(await callOperation(profile, 'who_am_i', {})).toMatchObject({ caller: { kind: 'oauth' } });
});

test('the check follows the public address of a server up to its tokens', async () => {
  const checks = await walkPublic(server.url);
  expect(checks.map(({ name, ok }) => [name, ok])).toEqual([
    ['address', true],
    ['mcp', true],
    ['resource', true],
    ['server', true],
    ['sign-in', true],
    ['token', true],
  ]);
});

test('the check names a server that states another address as the broken link', async () => {
  const checks = await walkPublic(server.url.replace('127.0.0.1', 'localhost'));
  expect(checks.at(-1)).toMatchObject({
    name: 'mcp',
    ok: false,
    message: expect.stringContaining('THALAMUS_PUBLIC_URL'),
  });
});
