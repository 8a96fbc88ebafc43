import { TOTP } from 'otpauth';
import type { Page } from '@playwright/test';
import { expect, test as base } from './fixture.ts';
import { startThalamus, type Thalamus } from './thalamus.ts';

/** On a server of its own: what is changed here asks for a sign-in of the last ten minutes. */
const test = base.extend<object, { thalamus: Thalamus }>({
  thalamus: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const thalamus = await startThalamus();
      await use(thalamus);
      await thalamus.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

/** Gives the browser an authenticator that verifies its person by itself. */
async function withAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { client, authenticatorId };
}

/** Where people see how they sign in. */
const securityPage = '/account';

/** Leaves the session as it is. */
async function openSignInPage(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/sign-in');
}
const expectOpenSession = (page: Page) => expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Good/);

test('a session of a key’s link shows how to sign in as a person, and adds no method', async ({ page, thalamus }) => {
  await page.goto(String((await thalamus.call(thalamus.ownerKey, 'create_sign_in_link'))['url']));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expectOpenSession(page);
  await page.goto(securityPage);
  await expect(page.getByText(/Only a person who signed in/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Set a password' })).toBeHidden();
});

test('a person at the console adds a passkey and a password with one-time codes, and signs in with each', async ({
  console: page,
}) => {
  const { client, authenticatorId } = await withAuthenticator(page);
  await page.goto(securityPage);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Laptop');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await expect(page.getByRole('button', { name: 'Remove Laptop' })).toBeVisible();
  await page.getByRole('button', { name: 'Set a password' }).click();
  await page.getByLabel('New password').fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByRole('button', { name: 'Remove Password' })).toBeVisible();
  await page.getByRole('button', { name: 'Turn on one-time codes' }).click();
  await page.getByRole('button', { name: 'Show the QR code' }).click();
  const secret = (await page.getByRole('group', { name: 'secret' }).textContent()) ?? '';
  const code = (steps: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
  await page.getByLabel('Code that the app shows').fill(code(-1));
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await page.getByRole('button', { name: 'I saved them' }).click();

  await openSignInPage(page);
  const sent = page.waitForRequest((request) => request.url().endsWith('/auth/passkey'));
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expectOpenSession(page);
  // The same answer to the same question signs nobody in again, also not in the browser that gave it.
  const { origin } = new URL(page.url());
  const replayed = { headers: { origin }, data: (await sent).postDataJSON() as object };
  expect((await page.request.post(`${origin}/auth/passkey`, replayed)).status()).toBe(401);
  await openSignInPage(page);
  await page.getByLabel('Mail address', { exact: true }).fill('owner@localhost');
  await page.getByLabel('Password').fill('correct horse battery staple');
  await page.getByRole('button', { name: 'Sign in with password' }).click();
  await page.getByLabel('Code').fill(code(1));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expectOpenSession(page);

  // A passkey that was removed here is refused, though the browser still has it.
  await page.goto(securityPage);
  await page.getByRole('button', { name: 'Remove Laptop' }).click();
  await expect(page.getByRole('button', { name: 'Remove Laptop' })).toBeHidden();
  for (const way of ['Remove Authenticator app', 'Remove Password']) {
    await page.getByRole('button', { name: way }).click();
    await expect(page.getByRole('button', { name: way })).toBeHidden();
  }
  await openSignInPage(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText('was not accepted');
  await client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
});
