import { expect, type Browser, type Page } from '@playwright/test';
import { createMailDraft, linkGmail } from '../../tests/e2e/drafting.ts';
import { seedDrafts } from '../../tests/e2e/seed-drafts.ts';
import { startThalamus } from '../../tests/e2e/thalamus.ts';
import { watchPage, type PageActivity, type PageWatch } from './watch-page.ts';

/** A page that is pressed and watched. */
export type OpenedPage = {
  name: string;
  page: Page;
  watched: PageWatch;
  /** Until the first draft could be decided, in milliseconds. */
  openedIn: number;
  close(): Promise<void>;
};

const viewport = { width: 1280, height: 800 };

/** A separate server with this many drafts, and its open inbox. */
export async function openInbox(browser: Browser, databaseUrl: string, howMany: number): Promise<OpenedPage> {
  const thalamus = await startThalamus({ DATABASE_URL: databaseUrl, THALAMUS_RATE_LIMIT: '1000000' });
  const page = await browser.newPage({ viewport });
  await page.goto(thalamus.signInLink);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${thalamus.url}/`);
  await linkGmail(page, thalamus);
  await createMailDraft(thalamus, { subject: 'Subject 0' });
  await seedDrafts(databaseUrl, howMany - 1);
  const watched = await watchPage(page);
  const began = performance.now();
  await page.goto(`${thalamus.url}/inbox`);
  await expect(page.getByRole('button', { name: 'Decline', exact: true })).toBeVisible();
  const openedIn = performance.now() - began;
  return {
    name: `${howMany.toLocaleString('en')} drafts`,
    page,
    watched,
    openedIn,
    async close() {
      await page.close();
      await thalamus.close();
    },
  };
}

/** A page that changes only one word at a key or click. It measures the overhead of machine and browser. */
export async function openBlank(browser: Browser, url: string): Promise<OpenedPage> {
  const page = await browser.newPage({ viewport });
  const watched = await watchPage(page);
  const began = performance.now();
  await page.goto(url);
  await page.evaluate(`{
    let count = 0;
    document.body.innerHTML = '<section aria-label=Draft><h3>0</h3></section><section aria-label=Waiting></section>';
    document.querySelector('[aria-label=Waiting]').innerHTML = '<p><a href=#>Subject</a></p>'.repeat(12);
    const change = (event) => {
      event.preventDefault();
      document.querySelector('h3').textContent = ++count;
      history.replaceState(null, '', '#' + count);
    };
    for (const name of ['keydown', 'click']) addEventListener(name, change);
  }`);
  return { name: 'a blank page', page, watched, openedIn: performance.now() - began, close: () => page.close() };
}

/** Scrolls to the last draft, so that all are loaded, and selects it. Returns the measurements. */
export async function scrollDown({ page, watched }: OpenedPage): Promise<PageActivity> {
  const waiting = page.getByRole('region', { name: 'Waiting' });
  const last = waiting.getByRole('link', { name: /Subject 0\b/ });
  await waiting.hover();
  await watched.begin('frames');
  await expect(async () => {
    for (let turn = 0; turn < 40; turn += 1) await page.mouse.wheel(0, 1_500);
    await expect(last).toBeVisible({ timeout: 50 });
  }).toPass({ timeout: 120_000, intervals: [10] });
  const seen = await watched.end();
  await last.click();
  return seen;
}
