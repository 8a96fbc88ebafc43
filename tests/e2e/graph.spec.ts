import { listAxeProblems } from './axe.ts';
import { expect, test } from './fixture.ts';
import type { Thalamus } from './thalamus.ts';

async function createBrainWithMemories(
  { call, ownerKey }: Thalamus,
  name: string,
  contents: readonly string[],
): Promise<string> {
  const { brain_id } = await call(ownerKey, 'create_brain', { name });
  for (const content of contents) await call(ownerKey, 'add_memory', { content, target_brain_id: brain_id });
  return String(brain_id);
}

test('a memory in the graph shows its text and opens', async ({ console: page, thalamus }) => {
  const brain = await createBrainWithMemories(thalamus, 'Observatory', ['The dome opens at dusk']);
  await page.goto(`/memory?brain=${brain}`);
  await page.getByRole('link', { name: 'Graph' }).click();
  const picture = page.getByRole('img', { name: /^1 memories/ });
  await expect(picture).toBeVisible();
  // It moves until it has settled in the middle.
  await expect(async () => {
    await picture.hover();
    await expect(page.getByText('The dome opens at dusk')).toBeVisible({ timeout: 100 });
  }).toPass();
  expect(await listAxeProblems(page)).toEqual([]);
  await picture.click();
  await expect(page.getByRole('dialog', { name: 'Memory' })).toContainText('The dome opens at dusk');
  await expect(page).toHaveURL(/memory=/);
});

test('the list has the same memories as the picture, and works by keyboard', async ({ console: page, thalamus }) => {
  const brain = await createBrainWithMemories(thalamus, 'Planetarium', [
    'The projector lamp burns out after 400 hours',
    'The projector lamp is changed by two people',
    'Tickets are sold at the door',
  ]);
  await page.goto(`/memory/graph?brain=${brain}`);
  await page.getByRole('button', { name: 'Show list' }).press('Enter');
  const rows = page.getByRole('list', { name: 'Memories of the graph' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText('1 link');
  await expect(rows.last()).toContainText('Tickets');
  expect(await listAxeProblems(page)).toEqual([]);
  await rows.last().getByRole('button').press('Enter');
  await expect(page.getByRole('dialog', { name: 'Memory' })).toContainText('Tickets are sold');
});
