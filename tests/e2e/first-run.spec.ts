import { expect, test } from '@playwright/test';
import { startThalamus, type Thalamus } from './thalamus.ts';

let thalamus: Thalamus;

test.beforeAll(async () => {
  thalamus = await startThalamus();
});
test.afterAll(() => thalamus.close());

test('a new server leads from the link on the terminal to its first memory', async ({ page }) => {
  await page.goto(thalamus.signInLink);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Three steps and it works for you' })).toBeVisible();
  await expect(page.getByText('0 of 3 done')).toBeVisible();

  await page.goto(`${thalamus.url}/inbox`);
  await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();
  await page.goto(`${thalamus.url}/pages`);
  await expect(page.getByRole('heading', { name: 'Nothing was pulled yet' })).toBeVisible();

  await page.goto(thalamus.url);
  await page.getByRole('main').getByRole('link', { name: 'Keep a first memory' }).click();
  await page.getByRole('button', { name: 'Add the first by hand' }).click();
  await page.getByLabel('What should be remembered?').fill('The first thing worth keeping');
  await page.getByRole('button', { name: 'Remember it' }).click();
  await expect(page.getByRole('main').getByText('The first thing worth keeping')).toBeVisible();
  await page.goto(thalamus.url);
  await expect(page.getByText('1 of 3 done')).toBeVisible();
});
