import { expect, test as base, type BrowserContextOptions, type Page } from '@playwright/test';
import { startThalamus, type Thalamus } from './thalamus.ts';

export { expect };

type Cookies = Exclude<BrowserContextOptions['storageState'], string | undefined>;

/**
 * `thalamus` is a running server, one for each worker. `console` is a page of its owner, who signed in with the link
 * from the terminal; `context` and `page` alone are nobody's.
 */
export const test = base.extend<{ console: Page }, { thalamus: Thalamus; session: Cookies }>({
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
  console: async ({ session, context, thalamus, page }, use) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (said) => {
      if (said.text().includes('Content Security Policy')) faults.push(said.text());
    });
    await context.addCookies(session.cookies);
    await page.goto(thalamus.url);
    // Until the page is there it hears no key; a person does not press one before, either.
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Good/);
    await use(page);
    expect(faults, 'what the page itself got wrong').toEqual([]);
  },
  baseURL: async ({ thalamus }, use) => use(thalamus.url),
});
