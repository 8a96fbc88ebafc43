import { expect, test as base, type BrowserContextOptions, type Page } from '@playwright/test';
import { listCredentials } from '../support/list-credentials.ts';
import { createSecretWatch } from '../support/secret-watch.ts';
import { botToken, startThalamus, type Thalamus } from './thalamus.ts';

export { expect };

type SessionState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

/** What journeys type in as the value of a variable. */
export const typedSecret = 'sk_live_of-a-journey';

/**
 * `thalamus` is a running server, one for each worker. `console` is a page of its owner, who signed in with the link
 * from the terminal; `context` and `page` alone are nobody's. Whatever the server sends to any page of a journey is searched
 * for what providers issued and for what was typed in: no secret comes back to a browser.
 */
export const test = base.extend<{ console: Page; watched: void }, { thalamus: Thalamus; session: SessionState }>({
  thalamus: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const thalamus = await startThalamus();
      await use(thalamus);
      await thalamus.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  session: [
    async ({ thalamus, browser }, use) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(thalamus.signInLink);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(`${thalamus.url}/`);
      const session = await context.storageState();
      await context.close();
      await use(session);
    },
    { scope: 'worker' },
  ],
  watched: [
    async ({ context, thalamus }, use) => {
      const watch = createSecretWatch();
      const reading: Promise<void>[] = [];
      context.on('response', (response) => {
        if (!response.url().startsWith(thalamus.url)) return;
        const { pathname } = new URL(response.url());
        const type = response.headers()['content-type'] ?? '';
        watch.say(`the headers of ${pathname}`, JSON.stringify(response.headers()));
        if (/event-stream|javascript|css|font/.test(type)) return;
        const body = response.body().catch(() => Buffer.alloc(0)); // a redirect has none
        reading.push(body.then((bytes) => watch.say(`the answer of ${pathname}`, bytes.toString())));
      });
      await use();
      await Promise.all(reading);
      watch.secret('the bot’s token', botToken);
      watch.secret('what was typed', typedSecret);
      watch.secret('Google’s client secret', thalamus.google.client.secret);
      for (const entry of thalamus.google.ledger.ever())
        for (const value of listCredentials(entry)) watch.secret(`what ${entry.path} saw`, value);
      expect(watch.leaks('')).toEqual([]);
    },
    { auto: true },
  ],
  console: async ({ session, context, thalamus, page }, use) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (said) => {
      if (said.text().includes('Content Security Policy')) errors.push(said.text());
    });
    await context.addCookies(session.cookies);
    await storeSessionProof(session, page, thalamus);
    await page.goto(thalamus.url);
    // Until the page is there it hears no key; a person does not press one before, either.
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Good/);
    await use(page);
    expect(errors, 'what the page itself got wrong').toEqual([]);
  },
  baseURL: async ({ thalamus }, use) => use(thalamus.url),
});

/** Puts the second secret of the session where the console keeps it: the cookie alone is not a caller. */
async function storeSessionProof({ origins }: SessionState, page: Page, { url }: Thalamus): Promise<void> {
  const stored = origins.find(({ origin }) => origin === url)?.localStorage ?? [];
  await page.goto(`${url}/healthz`);
  for (const { name, value } of stored)
    await page.evaluate(`localStorage.setItem(${JSON.stringify(name)}, ${JSON.stringify(value)})`);
}
