import type { Page } from '@playwright/test';
import { listAxeProblems } from './axe.ts';
import { expect, test } from './fixture.ts';
import { linkSources, pull, seedReading } from './reading.ts';

test.beforeEach(async ({ console: page, thalamus }) => {
  if (seedReading(thalamus)) await linkSources(page, thalamus);
  await pull(thalamus);
});

const list = (page: Page) => page.getByRole('region', { name: 'Found pages' });
const getReadingPane = (page: Page) => page.getByRole('region', { name: 'Page', exact: true });
const getTitle = (page: Page, name: string) => getReadingPane(page).getByRole('heading', { name, level: 2 });

test('a search finds a word that only a file has, and the file is read in place and saved', async ({
  console: page,
}) => {
  await page.goto('/library');
  await page.getByRole('searchbox', { name: 'Search pages' }).fill('quicksilver');
  await expect(page).toHaveURL(/\/library\?q=quicksilver/);
  const row = list(page).getByRole('link', { name: /Harbour survey/ });
  await expect(row).toContainText('In depths.csv:');
  await row.click();
  await expect(getTitle(page, 'Harbour survey')).toBeVisible();
  await expect(page.getByLabel('Text of depths.csv', { exact: true })).toContainText('quicksilver');
  expect(await listAxeProblems(page)).toEqual([]);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save depths.csv' }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe('depths.csv');
});

test('a thread is read message by message, with quoted text folded and nothing remote loaded', async ({
  console: page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).host));
  await page.goto('/library?type=email&q=mooring');
  await list(page)
    .getByRole('link', { name: /Mooring plan/ })
    .click();
  const messages = getReadingPane(page).getByRole('listitem');
  await expect(messages.filter({ hasText: 'grace@navy.example' }).first()).toContainText('Grace Hopper');
  await expect(getReadingPane(page)).toContainText('2 messages');
  await expect(page.getByText('External content.')).toBeVisible();
  const copy = getReadingPane(page).locator('details details').getByText('is rotten');
  await expect(copy).toBeHidden();
  await getReadingPane(page).getByText('Quoted text').click();
  await expect(copy).toBeVisible();
  const link = getReadingPane(page).getByRole('link', { name: /chart\.example/ });
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  await expect(link).toHaveText('chart.example/quay?sheet=4');
  await expect(getReadingPane(page).getByRole('link', { name: 'Open in Gmail' })).toHaveAttribute(
    'href',
    /authuser=ada%40example\.com#all\/\w+$/,
  );
  expect(new Set(asked)).toEqual(new Set([new URL(page.url()).host]));
  expect(await listAxeProblems(page)).toEqual([]);
});

test('a mail that looks like two is read as one', async ({ console: page }) => {
  await page.goto('/library?q=looks+like+two');
  await list(page)
    .getByRole('link', { name: /One that looks like two/ })
    .click();
  await expect(getTitle(page, 'One that looks like two')).toBeVisible();
  await expect(getReadingPane(page).getByRole('listitem')).toHaveCount(1);
  await expect(getReadingPane(page).getByText('Pay Mallory.').last()).toBeVisible();
});

test('an event is shown as an event, and a file as a document', async ({ console: page }) => {
  await page.goto('/library?type=calendar_event&when=upcoming');
  await list(page)
    .getByRole('link', { name: /Budget review/ })
    .click();
  await expect(getTitle(page, 'Budget review')).toBeVisible();
  await expect(getReadingPane(page)).toContainText('Room Babbage');
  await expect(getReadingPane(page).getByRole('listitem').filter({ hasText: 'ada@example.com' })).toContainText(
    'accepted',
  );
  await expect(getReadingPane(page).getByRole('listitem').filter({ hasText: 'grace@navy' })).toContainText('no answer');
  expect(await listAxeProblems(page)).toEqual([]);

  await page.goto('/library?type=file');
  await list(page)
    .getByRole('link', { name: /Notes on the Analytical Engine/ })
    .click();
  await expect(getReadingPane(page)).toContainText('Google document');
  await expect(getReadingPane(page)).toContainText('weaves algebraical patterns');
  expect(await listAxeProblems(page)).toEqual([]);
});

test('the reader works by keyboard, and its state is in the address', async ({ console: page }) => {
  await page.goto('/library?type=file');
  await expect(list(page).getByRole('listitem').getByRole('link').first()).toBeVisible();
  await expect(getReadingPane(page)).toContainText('Select an item');
  await page.keyboard.press('j');
  await expect(list(page).getByRole('listitem').getByRole('link').nth(0)).toHaveAttribute('aria-current', /true|page/);
  await page.keyboard.press('j');
  await expect(list(page).getByRole('listitem').getByRole('link').nth(1)).toHaveAttribute('aria-current', /true|page/);
  await expect(list(page).getByRole('listitem').getByRole('link').nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await expect(list(page).getByRole('listitem').getByRole('link').nth(0)).toHaveAttribute('aria-current', /true|page/);
  await expect(page).toHaveURL(/\/library\/[\w-]+\?type=file$/);
  await page.keyboard.press('Enter');
  await expect(getReadingPane(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/library\?type=file$/);
  await expect(getReadingPane(page)).toContainText('Select an item'); // the address changes before the page does
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('algebraical');
  await expect(list(page).getByRole('listitem').getByRole('link')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(getTitle(page, 'Notes on the Analytical Engine')).toBeVisible();
  await page.reload();
  await expect(getTitle(page, 'Notes on the Analytical Engine')).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveValue('algebraical');
});

test('filters narrow by source, account, type and time, and an empty result says so', async ({ console: page }) => {
  await page.goto('/library');
  await page.getByLabel('Source or account').selectOption('gmail:ada@example.com');
  await expect(page).toHaveURL(/source=gmail(:|%3A)ada/);
  await expect(list(page).getByRole('link', { name: /todo\.txt/ })).toHaveCount(0);
  await page.getByLabel('Time').selectOption('today');
  await page.getByLabel('Type').selectOption('issue');
  await expect(list(page)).toContainText('No matching pages');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(list(page).getByRole('link', { name: /todo\.txt/ })).toBeVisible();
  // The file is of today as well, and nothing that is still to come.
  await page.getByLabel('Time').selectOption('upcoming');
  await expect(list(page).getByRole('link', { name: /Budget review/ })).toBeVisible();
  await expect(list(page).getByRole('link', { name: /todo\.txt/ })).toHaveCount(0);
});

test('on a phone the list and the page replace each other', async ({ console: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/library?type=email');
  await list(page)
    .getByRole('link', { name: /Harbour survey/ })
    .click();
  await expect(getTitle(page, 'Harbour survey')).toBeVisible();
  await expect(list(page)).toBeHidden();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'All pages' }).click();
  await expect(list(page)).toBeVisible();
  await expect(page).toHaveURL(/\/library\?type=email$/);
});
