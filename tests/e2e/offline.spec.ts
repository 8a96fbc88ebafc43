// A console whose server is on another machine, while the network fails and returns.
import { randomBytes } from 'node:crypto';
import { expect, test, type Page } from '@playwright/test';
import { createMailDraft, linkGmail } from './drafting.ts';
import { startThalamus, type Thalamus } from './thalamus.ts';

let thalamus: Thalamus;

test.beforeAll(async () => {
  const THALAMUS_MASTER_KEY = randomBytes(32).toString('base64');
  thalamus = await startThalamus({ THALAMUS_MASTER_KEY }, 'away.localhost');
});
test.afterAll(() => thalamus?.close());

test.beforeEach(async ({ page }) => {
  await page.goto(thalamus.signInLink);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${thalamus.url}/`);
  await linkGmail(page, thalamus);
});

const getLiveBadge = (page: Page) => page.getByText('Live', { exact: true });

test('without a network nothing is live and nothing is approved; the draft stays, and is sent with the network back', async ({
  page,
  context,
}) => {
  const id = await createMailDraft(thalamus, { subject: 'On the train' });
  await page.goto(`${thalamus.url}/inbox/${id}`);
  const waiting = page.getByRole('region', { name: 'Waiting' });
  await expect(getLiveBadge(page)).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('Offline')).toBeVisible();
  await page.getByRole('button', { name: 'Approve & send' }).click();
  const notifications = page.getByRole('region', { name: 'Notifications' });
  await expect(
    notifications.or(page.locator('footer')).getByText('You are offline, so nothing was sent.'),
  ).toBeVisible();
  await expect(waiting.getByRole('listitem')).toContainText('On the train');
  expect(thalamus.google.ledger.sent()).toEqual([]);

  await context.setOffline(false);
  await expect(getLiveBadge(page)).toBeVisible();
  await createMailDraft(thalamus, { subject: 'While it was offline' });
  await expect(waiting.getByRole('link', { name: /While it was offline/ })).toBeVisible();
  await waiting.getByRole('link', { name: /On the train/ }).click();
  await page.getByRole('button', { name: 'Approve & send' }).click();
  await expect(page.getByText('Sent “On the train”').first()).toBeVisible();
  expect(thalamus.google.ledger.sent().map(({ subject }) => subject)).toEqual(['On the train']);
});
