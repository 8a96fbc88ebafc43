import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import { authorizeUrl, createPkce, postForm, redeem, register, type Tokens } from '../support/oauth.ts';
import { listAxeProblems } from './axe.ts';
import { joinInBrowser } from './joining.ts';
import { startThalamus, type Thalamus } from './thalamus.ts';
import { readConsoleHeaders } from './own-headers.ts';

const password = 'correct horse battery staple';

// A server of its own: how long ago people proved who they are is changed here.
let thalamus: Thalamus;
let owner: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  thalamus = await startThalamus();
  owner = await browser.newContext();
  page = await owner.newPage();
  await page.goto(thalamus.signInLink);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Good/);
  const headers = await readConsoleHeaders(page);
  const set = await page.request.post(`${thalamus.url}/v1/tools/set_password`, { headers, data: { password } });
  expect(set.status()).toBe(200);
});
test.afterAll(async () => {
  await owner.close();
  await thalamus.close();
});

test('a person allows a client in the browser, finds it among the agents, allows it less, and disconnects it', async () => {
  const { access_token } = await connectClient('Harbour assistant', 'memory:read brains:move', async () => {
    await expectAccessible();
    await page.getByLabel('Move brains, which changes who can read them').check();
    await page.getByLabel('It may draft').selectOption('Always ask a person');
  });
  expect(await thalamus.call(access_token, 'who_am_i')).toMatchObject({ caller: { kind: 'oauth' } });
  await page.goto(`${thalamus.url}/agents`);
  const row = page.getByRole('button', { name: /^Harbour assistant.*1 extra permission/ });
  await expect(row).toContainText('Program on a computer');
  await expect(page.getByRole('link', { name: 'Add to Cursor' })).toHaveAttribute('href', /^cursor:/);
  await expect(page.getByRole('link', { name: 'Add to VS Code' })).toHaveAttribute('href', /^vscode:mcp\/install\?/);
  // These come from the internet, where a server on this computer is not reached: they show the steps.
  for (const [name, id] of [
    ['Claude', 'claude'],
    ['ChatGPT', 'chatgpt'],
  ])
    await expect(page.getByRole('link', { name: `Add to ${name}` })).toHaveAttribute(
      'href',
      new RegExp(`client=${id}`),
    );
  expect(await listAxeProblems(page)).toEqual([]);
  await row.click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Reduce to default' }).click();
  await expect(drawer.getByRole('list', { name: 'Extra permissions' })).toHaveCount(0);
  await expect(drawer.getByRole('list', { name: 'Own rules' })).toContainText('Needs a person');
  await drawer.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Harbour assistant' });
  await edit.getByLabel('Write and change memories').uncheck();
  await edit.getByLabel('Can read').selectOption('brain');
  expect(await listAxeProblems(page)).toEqual([]);
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toBeHidden();
  await expect(async () => {
    const { scopes, reach } = await thalamus.call(access_token, 'who_am_i');
    expect(scopes).not.toEqual(expect.arrayContaining(['memory:write']));
    expect(scopes).not.toEqual(expect.arrayContaining(['brains:move']));
    expect(reach).toBe('brain');
  }).toPass();
  await drawer.getByRole('button', { name: 'Pause' }).click();
  await expect(async () => {
    await expect(thalamus.call(access_token, 'who_am_i')).rejects.toThrow('403');
  }).toPass();
  await drawer.getByRole('button', { name: 'Resume' }).click();
  await expect(async () => {
    expect(await thalamus.call(access_token, 'who_am_i')).toMatchObject({ reach: 'brain' });
  }).toPass();
  await drawer.getByRole('button', { name: 'Disconnect' }).click();
  await page
    .getByRole('dialog', { name: /^Disconnect Harbour/ })
    .getByRole('button', { name: 'Disconnect' })
    .click();
  await expect(row).toHaveCount(0);
  await expect(async () => {
    await expect(thalamus.call(access_token, 'who_am_i')).rejects.toThrow('401');
  }).toPass();
});

test('a person types the code of a device and allows its client, on pages that pass axe in light and in dark', async () => {
  const [deviceGrant, client_name] = ['urn:ietf:params:oauth:grant-type:device_code', 'Lighthouse'];
  const { client_id } = await register(thalamus, { client_name, grant_types: [deviceGrant, 'refresh_token'] });
  const asked = await postForm(thalamus, '/oauth/device_authorization', { client_id, scope: 'memory:read' });
  const { device_code, user_code } = (await asked.json()) as { device_code: string; user_code: string };
  await page.goto(`${thalamus.url}/oauth/device`);
  await expectAccessible();
  await page.getByLabel('Code').fill(user_code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Connect Lighthouse?' })).toBeVisible();
  await expectAccessible();
  await pressByKeyboard('Allow');
  await expect(page.getByText('Go back to your other device.')).toBeVisible();
  await expectAccessible();
  const redeemed = await postForm(thalamus, '/oauth/token', { client_id, device_code, grant_type: deviceGrant });
  const { access_token } = (await redeemed.json()) as Tokens;
  expect(await thalamus.call(access_token, 'who_am_i')).toMatchObject({ caller: { kind: 'oauth' } });
});

/** Reaches a button with the Tab key, and presses it. */
async function pressByKeyboard(name: string): Promise<void> {
  const button = page.getByRole('button', { name });
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(button).toBeFocused({ timeout: 1 });
  }).toPass({ intervals: [0] });
  await page.keyboard.press('Enter');
}

/** The page passes axe, its colours do so in dark too, and it fits a phone. */
async function expectAccessible(): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  if (size) await page.setViewportSize(size);
  expect(await listAxeProblems(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await listAxeProblems(page, 'color-contrast')).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

test('a person who signed in long ago has to prove who they are before they allow more, and before owners change', async ({
  browser,
}) => {
  await joinInBrowser(page, browser, thalamus, 'heir@example.com');
  await thalamus.forgetProofs();
  const { scope } = await connectClient('Mover', 'memory:read brains:move', async () => {
    const tick = page.getByLabel('Move brains, which changes who can read them');
    await expect(tick).toBeDisabled();
    expect(await listAxeProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Confirm' }).click();
    expect(await listAxeProblems(page)).toEqual([]);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await tick.check();
  });
  expect(scope.split(' ')).toContain('brains:move');

  await thalamus.forgetProofs();
  await page.goto(`${thalamus.url}/settings`);
  await page.getByLabel('New owner').selectOption({ label: 'Heir (heir@example.com)' });
  await page.getByRole('button', { name: 'Hand over' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('Not handed over').first()).toBeVisible();
  await page.getByRole('button', { name: 'Hand over' }).click();
  await proof.getByLabel('Password').fill(password);
  expect(await listAxeProblems(page)).toEqual([]);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('You are an admin now.')).toBeVisible();

  // From within another dialog, which stays as it was.
  await thalamus.forgetProofs();
  await page.goto(`${thalamus.url}/account`);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('New password').fill(`${password} again`);
  await page.getByRole('button', { name: 'Save password' }).click();
  await proof.getByLabel('Password').fill(password);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Password saved')).toBeVisible();
});

test('a person who is signed out connects a client by signing in with Google on the way', async ({ browser }) => {
  thalamus.google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  await page.goto(`${thalamus.url}/account`);
  await page.getByRole('button', { name: 'Link Google' }).click();
  await page.getByLabel(/ada@example.com/).check();
  await page.locator('#allow').click();
  await expect(page).toHaveURL(/\/account/);

  const stranger = await browser.newContext();
  const { access_token } = await connectClient(
    'Signal box',
    'memory:read',
    async (visited) => {
      await visited.getByRole('link', { name: 'Sign in' }).click();
      await visited.getByRole('button', { name: 'Sign in with Google' }).click();
      await visited.getByLabel(/ada@example.com/).check();
      await visited.locator('#allow').click();
    },
    await stranger.newPage(),
  );
  const { person } = await thalamus.call(String(access_token), 'who_am_i');
  expect(person).toEqual((await thalamus.call(thalamus.ownerKey, 'who_am_i'))['person']);
  await stranger.close();
});

/** A program on this computer that waits for its code; `choose` is what the person does before they press Allow. */
async function connectClient(
  client_name: string,
  scope: string,
  choose: (visited: Page) => Promise<void>,
  visited = page,
): Promise<Tokens> {
  const waiting = createServer((_request, response) => response.end('You can close this page.')).listen(0, '127.0.0.1');
  await once(waiting, 'listening');
  const redirect_uri = `http://127.0.0.1:${(waiting.address() as AddressInfo).port}/callback`;
  const called = once(waiting, 'request');
  const [client, pkce] = [await register(thalamus, { client_name, redirect_uris: [redirect_uri] }), createPkce()];
  await visited.goto(authorizeUrl(thalamus, client, pkce, { redirect_uri, scope }));
  await choose(visited);
  await expect(visited.getByRole('heading', { name: `Connect ${client_name}?` })).toBeVisible();
  await visited.getByRole('button', { name: 'Allow' }).click();
  await expect(visited.getByText('You can close this page.')).toBeVisible();
  const [{ url = '' }] = (await called) as [{ url?: string }];
  const code = new URL(url, redirect_uri).searchParams.get('code') ?? '';
  const answer = await redeem(thalamus, client, { code, verifier: pkce.verifier, redirect_uri });
  waiting.closeAllConnections();
  waiting.close();
  return (await answer.json()) as Tokens;
}
