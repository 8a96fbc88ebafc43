import { expect, test } from './fixture.ts';

test('a memory that a person adds is found by its text, and the hit shows why', async ({ console: page }) => {
  await page.goto('/memory');
  await expect(page.getByRole('heading', { name: 'Memory' })).toBeVisible();
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Memory' }).fill('We settled on blue whales for the mascot');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Memory added', { exact: true })).toBeVisible();

  await page.keyboard.press('/');
  await page.getByRole('searchbox', { name: 'Search memories' }).fill('mascot');
  const hit = page.getByRole('main').getByRole('listitem').filter({ hasText: 'blue whales' });
  await expect(hit.locator('mark')).toHaveText('mascot');
  await expect(hit).toContainText('“mascot” in');
  await expect(page).toHaveURL(/\?q=mascot$/);
});

test('a memory that an agent stores appears without a reload', async ({ console: page, thalamus }) => {
  await page.goto('/memory');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await thalamus.call(thalamus.ownerKey, 'add_memory', { content: 'The build machine has two cores' });
  await expect(page.getByText('The build machine has two cores')).toBeVisible();
});

test('an archived memory no longer appears', async ({ console: page, thalamus }) => {
  await thalamus.call(thalamus.ownerKey, 'add_memory', { content: 'The office cat is called Plato' });
  await page.goto('/memory?q=Plato');
  await page.getByRole('button', { name: /office cat/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Memory' });
  await drawer.getByRole('button', { name: 'Archive' }).click();
  await drawer.getByLabel('Reason').fill('It moved away');
  await drawer.getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByRole('heading', { name: 'No memories found' })).toBeVisible();
});

test('Control+K goes to any page and finds a memory', async ({ console: page, thalamus }) => {
  await thalamus.call(thalamus.ownerKey, 'add_memory', { content: 'The palette knows about zeppelins' });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('agen');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Agents' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('zeppelins');
  await page.getByRole('option', { name: /palette knows/ }).click();
  await expect(page).toHaveURL(/\/memory\?q=zeppelins$/);
});
