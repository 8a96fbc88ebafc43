// An inbox of 5,000 drafts, decided in a real browser. How long that takes is measured in `bench/console`.
import { expect, test, type Page } from '@playwright/test';
import { createMailDraft, linkGmail } from './drafting.ts';
import { seedDrafts } from './seed-drafts.ts';
import { startThalamus, type Thalamus } from './thalamus.ts';

const howMany = 5_000;
let thalamus: Thalamus;

// A trace watches every change of the page, which is most of what happens here.
test.use({ trace: 'off' });

test.beforeAll(async () => {
  thalamus = await startThalamus({ THALAMUS_RATE_LIMIT: '1000000' });
});
test.afterAll(() => thalamus?.close());

test('5,000 drafts can be scrolled, stepped through and decided, and a batch with hidden content is not approved as one', async ({
  page,
}) => {
  test.setTimeout(240_000);
  await page.goto(thalamus.signInLink);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${thalamus.url}/`);
  await linkGmail(page, thalamus);
  await createMailDraft(thalamus, { subject: 'Subject 0' });
  await seedDrafts(thalamus.databaseUrl, howMany - 1);

  await page.goto(`${thalamus.url}/inbox`);
  const waiting = page.getByRole('region', { name: 'Waiting' });
  await expect(waiting.getByText('5000 waiting')).toBeAttached();
  await expect(page.getByRole('button', { name: 'Decline', exact: true })).toBeVisible();

  await waiting.hover();
  const approveAll = waiting
    .getByRole('listitem')
    .filter({ hasText: 'Batch of 6' })
    .getByRole('button', { name: 'Approve all' });
  await scrollUntil(page, () => expect(approveAll.first(), 'a part is not shown whole').toBeDisabled({ timeout: 100 }));
  await scrollUntil(page, () => expect(approveAll.last(), 'all is shown').toBeEnabled({ timeout: 100 }));

  await expect(async () => {
    for (let turn = 0; turn < 40; turn += 1) await page.mouse.wheel(0, 1_500);
    await expect(waiting.getByRole('link', { name: 'Subject 0' })).toBeVisible({ timeout: 50 });
  }).toPass({ timeout: 120_000, intervals: [10] });
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(2_000);
  await waiting.getByRole('link', { name: 'Subject 0' }).click();

  await press(page, 'k', 40, 0);
  await expect(page.getByRole('button', { name: 'Decline', exact: true })).toBeVisible();
  await press(page, 'd', 20, 500);
  await expect(waiting.getByText('4980 waiting')).toBeAttached();
  await expect(async () => {
    expect(await thalamus.call(thalamus.ownerKey, 'list_pending_actions')).toMatchObject({ total: howMany - 20 });
  }).toPass();

  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url().split('/').at(-1) ?? ''));
  await waitUntilQuiet(page, requests);
  requests.length = 0;
  await createMailDraft(thalamus, { subject: 'It has just come' });
  await expect(waiting.getByText('4981 waiting')).toBeAttached();
  await waiting.locator('.overflow-y-auto').evaluate((list) => list.scrollTo({ top: 0 }));
  await expect(waiting.getByRole('link', { name: /It has just come/ })).toBeVisible();
  const reads = requests.filter((operation) => operation === 'list_pending_actions').length;
  expect(reads, 'a new one is read without all the others').toBeLessThanOrEqual(2);
});

/** Waits until a second passes without a request: what the page reads after the last decision is read by then. */
async function waitUntilQuiet(page: Page, requests: string[]): Promise<void> {
  let before = -1;
  while (requests.length !== before) {
    before = requests.length;
    await page.waitForTimeout(1_000); // nothing tells that no request comes any more
  }
}

/** Scrolls on, a part of the list at a time, until it holds. */
async function scrollUntil(page: Page, holds: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.mouse.wheel(0, 400);
    await holds();
  }).toPass({ timeout: 60_000, intervals: [50] });
}

/** Presses a key again and again, and waits each time until another draft is shown. */
async function press(page: Page, key: string, times: number, pauseMs: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await page.waitForTimeout(pauseMs);
    const before = page.url();
    await page.keyboard.press(key);
    await page.waitForURL((url) => url.href !== before);
  }
}
