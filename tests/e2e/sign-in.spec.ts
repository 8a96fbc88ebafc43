import { expect, test } from './fixture.ts';
import type { Thalamus } from './thalamus.ts';

test('a link signs in once, by a click, and leaves the address bar', async ({ page, thalamus }) => {
  const link = await createSignInLink(thalamus);
  await page.goto(link);
  await page.goto('about:blank'); // opening it alone does not use it up
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Good/);
  expect(page.url()).toBe(`${thalamus.url}/`);

  await page.context().clearCookies();
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('used or has expired');
  expect(page.url()).not.toContain('tl_');
});

test('a signed-out person returns to the page they wanted', async ({ page, thalamus }) => {
  await page.goto('/memory?q=postgres');
  await expect(page.getByRole('heading', { name: 'Sign in to Thalamus' })).toBeVisible();
  const token = new URL(await createSignInLink(thalamus)).hash;
  await page.evaluate(`location.hash = ${JSON.stringify(token)}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/memory\?q=postgres$/);
});

test('a forged return address does not leave the console', async ({ page, thalamus }) => {
  const token = new URL(await createSignInLink(thalamus)).hash;
  await page.goto(`/sign-in?back=//evil.example${token}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(`${thalamus.url}/`);
});

test('signing out ends the session', async ({ page, thalamus }) => {
  await page.goto(await createSignInLink(thalamus));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Thalamus' })).toBeVisible();
  await page.goto('/agents');
  await expect(page.getByRole('heading', { name: 'Sign in to Thalamus' })).toBeVisible();
});

test('with an OAuth client of Discord, people of the workspace sign in by it, and nobody else', async ({
  page,
  thalamus,
}) => {
  const { discord, ownerKey } = thalamus;
  const { id: client_id, secret: client_secret } = discord.client;
  await thalamus.call(ownerKey, 'configure_oauth_provider', { provider: 'discord', client_id, client_secret });
  const { person } = (await thalamus.call(ownerKey, 'who_am_i')) as { person: { email: string } };
  discord.addUser({ username: 'owner', email: person.email });
  discord.addUser({ username: 'stranger' });

  await page.goto('/memory?q=discord');
  await page.getByRole('button', { name: 'Sign in with Discord' }).click();
  await page.getByLabel('stranger').check();
  await page.locator('#allow').click();
  await expect(page.getByRole('alert')).toContainText('isn’t linked to anyone');

  await page.goto('/memory?q=discord');
  await page.getByRole('button', { name: 'Sign in with Discord' }).click();
  await page.getByLabel('owner').check();
  await page.locator('#allow').click();
  await expect(page).toHaveURL(/\/memory\?q=discord$/);
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
});

async function createSignInLink(thalamus: Thalamus): Promise<string> {
  const { url } = await thalamus.call(thalamus.ownerKey, 'create_sign_in_link');
  return String(url);
}
