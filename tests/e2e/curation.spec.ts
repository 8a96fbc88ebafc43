import type { Page } from '@playwright/test';
import { listAxeProblems } from './axe.ts';
import { expect, test } from './fixture.ts';
import type { Thalamus } from './thalamus.ts';

/** Stores a memory in a brain of its own world; answers its id. */
async function addMemory({ call, ownerKey }: Thalamus, content: string, more: object = {}): Promise<string> {
  return String((await call(ownerKey, 'add_memory', { content, ...more }))['id']);
}

async function createBrain({ call, ownerKey }: Thalamus, name: string): Promise<string> {
  return String((await call(ownerKey, 'create_brain', { name }))['brain_id']);
}

const getDrawer = (page: Page) => page.getByRole('dialog', { name: 'Memory' });

test('a link reproduces a filtered search, and each hit shows why it was found', async ({
  console: page,
  thalamus,
}) => {
  const brain = await createBrain(thalamus, 'Harbour');
  const about = { target_brain_id: brain, thread_id: 'crane', author: 'Grace' };
  await addMemory(thalamus, 'Shall we repaint the gantry crane?', { ...about, occurred_at: '2024-03-04T10:00:00Z' });
  await addMemory(thalamus, 'Yes, in yellow, before the rain', { ...about, occurred_at: '2024-03-04T10:01:00Z' });
  await addMemory(thalamus, 'The gantry is inspected yearly', { target_brain_id: brain, author: 'Linus' });
  await page.goto('/memory');
  await page.getByRole('searchbox', { name: 'Search memories' }).fill('gantry');
  await expect(page).toHaveURL(/q=gantry/);
  await page.getByLabel('Brain', { exact: true }).selectOption(brain);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Author').fill('Grace');
  await page.getByLabel('Until').fill('2024-12');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/brain=.*author=Grace.*until=2024-12/);
  await page.goto(page.url());
  const hits = page.getByRole('main').getByRole('listitem');
  await expect(hits).toHaveCount(2);
  await expect(page.getByLabel('Brain', { exact: true })).toHaveValue(brain);
  await expect(hits.filter({ hasText: 'repaint' })).toContainText('“gantry” in the text');
  await expect(hits.filter({ hasText: 'in yellow' })).toContainText('from the conversation around it');
  await expect(page.getByRole('button', { name: /^Filters\s*2 set$/ })).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
});

test('a search with poor hits says so', async ({ console: page, thalamus }) => {
  await addMemory(thalamus, 'The lighthouse keeper feeds the gulls');
  await page.goto('/memory?q=quarterly gulls revenue forecast dashboard');
  await expect(page.getByText('Probably not relevant')).toBeVisible();
});

test('a memory by trigger is distinguished from the hits', async ({ console: page, thalamus }) => {
  await addMemory(thalamus, 'Ask the harbour master before nine', {
    triggers: [{ condition: 'booking a submarine berth', reason: 'The berths are gone by ten' }],
  });
  await page.goto('/memory?q=submarine berth booking');
  await expect(page.getByRole('heading', { name: 'Triggered memories' })).toBeVisible();
  await expect(page.getByText('The berths are gone by ten')).toBeVisible();
});

test('a memory is corrected, linked and moved, and shows its history', async ({ console: page, thalamus }) => {
  const target = await createBrain(thalamus, 'Shipyard');
  const id = await addMemory(thalamus, 'The dry dock holds two vesels');
  await addMemory(thalamus, 'Barnacles are scraped in the basin');
  await page.goto(`/memory?memory=${id}`);
  const drawer = getDrawer(page);
  await drawer.getByRole('button', { name: 'Edit' }).click();
  await drawer.getByRole('textbox', { name: 'Memory' }).fill('The dry dock holds two vessels');
  await drawer.getByLabel('Reason').fill('a typing error');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await expect(drawer.getByText(/Corrected by .* a typing error/)).toBeVisible();

  await drawer.getByRole('button', { name: 'Link', exact: true }).click();
  await drawer.getByLabel('This memory').selectOption('depends_on');
  await drawer.getByRole('searchbox').fill('barnacles');
  await drawer.getByRole('radio', { name: /Barnacles are scraped/ }).check();
  await drawer.getByRole('button', { name: 'Link' }).click();
  await expect(drawer.getByText('depends on')).toBeVisible();

  await drawer.getByRole('button', { name: 'Move', exact: true }).click();
  await drawer.getByLabel('Move to').selectOption(target);
  await drawer.getByRole('button', { name: 'Move', exact: true }).last().click();
  await expect(drawer.getByRole('definition').filter({ hasText: 'Shipyard' })).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await drawer.getByRole('button', { name: /Barnacles are scraped/ }).click();
  await expect(drawer.getByText('is needed by')).toBeVisible();
});

test('one press undoes an archiving', async ({ console: page, thalamus }) => {
  const id = await addMemory(thalamus, 'The foghorn sounds at six');
  await page.goto(`/memory?q=foghorn&memory=${id}`);
  await getDrawer(page).getByRole('button', { name: 'Archive' }).click();
  await getDrawer(page).getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByRole('heading', { name: 'No memories found' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'foghorn' })).toBeVisible();
});

test('of two duplicate memories one is kept, and both again after an undo', async ({ console: page, thalamus }) => {
  const brain = await createBrain(thalamus, 'Rope loft');
  await addMemory(thalamus, 'Hemp ropes are tarred each autumn', { target_brain_id: brain });
  await addMemory(thalamus, 'Hemp ropes are tarred, each autumn!', { target_brain_id: brain });
  await page.goto(`/memory?brain=${brain}`);
  await page.getByRole('link', { name: 'Duplicates' }).click();
  await expect(page.getByText('Same text')).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Keep the earlier' }).click();
  await expect(page.getByRole('heading', { name: 'No duplicates' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Same text')).toBeVisible();
  await page.getByRole('button', { name: 'Keep both' }).click();
  await expect(page.getByRole('heading', { name: 'No duplicates' })).toBeVisible();
  await page.getByRole('dialog', { name: 'Both kept' }).getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Same text')).toBeVisible();
  await page.getByRole('button', { name: 'Keep both' }).click();
  await expect(page.getByRole('heading', { name: 'No duplicates' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No duplicates' })).toBeVisible();
});
