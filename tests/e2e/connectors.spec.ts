import { listAxeProblems } from './axe.ts';
import { expect, test } from './fixture.ts';

test('a connector is created with a token that is shown once, and an unclear text that it sends is moved with one click', async ({
  console: page,
  thalamus,
}) => {
  const createBrain = async (name: string, more: object) =>
    String((await thalamus.call(thalamus.ownerKey, 'create_brain', { name, ...more }))['brain_id']);
  const company = await createBrain('Company', { description: 'Everything of the company' });
  const ships = await createBrain('Ships', { description: 'Ships, ferries and pilots', parent_brain_id: company });

  await page.goto('/connectors'); // the former address
  await expect(page).toHaveURL(/\/sources$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sources');
  await page.getByRole('button', { name: 'New source' }).click();
  const dialog = page.getByRole('dialog');
  expect(await listAxeProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: /^Connector/ }).click();
  await dialog.getByLabel('Name').fill('Company Gmail');
  await dialog.getByLabel('Platform').fill('make');
  await dialog.getByLabel('Brain').selectOption(company);
  await dialog.getByRole('button', { name: 'Create connector' }).click();
  const token =
    ((await dialog.getByRole('group', { name: 'token' }).textContent()) ?? '').match(/zwh_[\w-]+/)?.[0] ?? '';
  expect(token).not.toBe('');
  expect(await listAxeProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.reload();
  await page.getByRole('button', { name: /Company Gmail/ }).click();
  await expect(page.getByRole('dialog', { name: 'Company Gmail' })).toBeVisible();
  expect(await page.content(), 'the token is shown once').not.toContain(token);
  await page.keyboard.press('Escape');

  await page.goto('/inbox');
  await page.getByRole('link', { name: 'To sort' }).click();
  await expect(page.getByText('Nothing to sort')).toBeVisible();
  const sent = await page.request.post(`${thalamus.url}/v1/ingest`, {
    headers: { authorization: `Bearer ${token}` },
    data: { content: 'Lunch is at noon on Friday.', source_channel: 'gmail', source_id: 'lunch' },
  });
  expect(sent.status()).toBe(200);
  const stored = (await sent.json()) as { id: string; brain_id: string };
  expect(stored.brain_id).toBe(company);
  await page.reload();
  const review = page.getByRole('listitem').filter({ hasText: 'Lunch is at noon on Friday.' });
  await expect(review.getByRole('button', { name: 'Keep in Company' })).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await review.getByRole('combobox').selectOption(ships);
  await expect(page.getByText('Moved', { exact: true })).toBeVisible();
  await expect(review).toBeHidden();
  const { memory } = await thalamus.call(thalamus.ownerKey, 'get_memory', { id: stored.id });
  expect(memory).toMatchObject({ brain_id: ships });
});
