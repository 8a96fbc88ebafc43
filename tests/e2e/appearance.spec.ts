import type { Page } from '@playwright/test';
import { listAxeProblems } from './axe.ts';
import { expect, test } from './fixture.ts';

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 800 };
const pages = [
  '/',
  '/inbox',
  '/inbox/to-sort',
  '/inbox/history',
  '/memory',
  '/memory/clean-up',
  '/memory/clean-up/contradictions',
  '/memory/graph',
  '/library',
  '/brains',
  '/integrations',
  '/integrations/gmail',
  '/agents/connect',
  '/agents',
  '/usage',
  '/secrets',
  '/account',
  '/account/notifications',
  '/boards',
  '/codex',
  '/codex/github-pulse',
  '/installs',
  '/library/documents',
  '/library/conversations',
  '/sources',
  '/destinations',
  '/rules',
  '/rules/approvers',
  '/agents/permission-sets',
  '/integrations/add',
  '/automations',
  '/people',
  '/settings',
];

test('every page passes axe in light and in dark, and never scrolls sideways on a phone', async ({
  console: page,
  thalamus,
}) => {
  test.slow(); // axe looks twice at every page
  await thalamus.call(thalamus.ownerKey, 'add_memory', { content: 'Never look at one theme alone' });
  for (const path of pages) await expectGoodLooks(page, path);
});

test('so does every page of those who are not signed in', async ({ page }) => {
  for (const path of ['/sign-in', '/sign-up', '/oauth/device']) await expectGoodLooks(page, path);
});

async function expectGoodLooks(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitUntilLoaded(page);
  expect.soft(await listAxeProblems(page), `${path} in light`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect.soft(await listAxeProblems(page, 'color-contrast'), `${path} in dark`).toEqual([]); // all else is the same
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(phone);
  expect.soft(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBeLessThanOrEqual(0);
  await page.setViewportSize(desktop);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test(`every dialog passes axe in ${colorScheme}`, async ({ console: page, thalamus }) => {
      await thalamus.call(thalamus.ownerKey, 'add_memory', { content: `Drawers open ${colorScheme}` });
      await page.goto('/memory?q=drawers');
      await page.getByRole('button', { name: new RegExp(`^Drawers open ${colorScheme}`) }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      expect.soft(await listAxeProblems(page), 'memory').toEqual([]);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
      await page.getByRole('button', { name: 'Add memory' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      expect.soft(await listAxeProblems(page), 'add').toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('drawers');
      await expect(page.getByRole('option', { name: /Drawers open/ }).first()).toBeVisible();
      expect.soft(await listAxeProblems(page), 'palette').toEqual([]);
    });
  });
}

test('a chosen theme stays', async ({ console: page }) => {
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('button', { name: 'Dark' })).toHaveAttribute('aria-pressed', 'true');
});

test.describe('on a phone', () => {
  test.use({ viewport: phone });

  test('the bottom navigation reaches every page', async ({ console: page }) => {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Agents' }).click();
    await expect(page.getByRole('heading', { name: 'Agents' })).toBeVisible();
    await expect(page.getByRole('dialog')).toBeHidden();
  });
});

async function waitUntilLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
}
