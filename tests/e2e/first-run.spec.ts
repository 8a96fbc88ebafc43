import { expect, test } from '@playwright/test';
import { startThalamus, type Thalamus } from './thalamus.ts';

let thalamus: Thalamus;

test.beforeAll(async () => {
  thalamus = await startThalamus({ DATABASE_URL: '' }); // with the database that it brings along
});
test.afterAll(() => thalamus.close());

test('a new server leads from the link on the terminal to its first memory', async ({ page }) => {
  await page.goto(thalamus.signInLink);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Get started in three steps' })).toBeVisible();
  await expect(page.getByText('0 of 3 done')).toBeVisible();

  await page.goto(`${thalamus.url}/inbox`);
  await expect(page.getByRole('heading', { name: 'No drafts to review' })).toBeVisible();
  await page.goto(`${thalamus.url}/library`);
  await expect(page.getByRole('heading', { name: 'Nothing synced yet' })).toBeVisible();

  await page.goto(thalamus.url);
  await page.getByRole('main').getByRole('link', { name: 'Add a first memory' }).click();
  await page.getByRole('button', { name: 'Add the first memory' }).click();
  await page.getByRole('textbox', { name: 'Memory' }).fill('The first thing worth keeping');
  await page.getByRole('dialog').getByRole('button', { name: 'Add memory' }).click();
  await expect(page.getByRole('main').getByText('The first thing worth keeping')).toBeVisible();
  await page.goto(thalamus.url);
  await expect(page.getByText('1 of 3 done')).toBeVisible();
});
