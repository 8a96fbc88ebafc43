import { listAxeProblems } from './axe.ts';
import { expect, test } from './fixture.ts';

const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('a person finds a recipe, sees its plan, installs it, uninstalls and recovers it', async ({ console: page }) => {
  await page.goto('/installs');
  await expect(page.getByText('Nothing installed yet')).toBeVisible();
  await page.getByRole('link', { name: 'Open the codex' }).click();
  await page.getByLabel('Search recipes').fill('pull requests');
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'GitHub pulse' }).click();
  await expect(page.getByText('Creates the board')).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Install' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Repository').fill('octocat/hello-world');
  expect(await listAxeProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Install' }).click();
  await expect(page.getByRole('heading', { name: 'GitHub pulse: octocat/hello-world', exact: true })).toBeVisible();
  await page.goto('/installs');
  await expect(page.getByRole('list', { name: 'Installed', exact: true })).toContainText('GitHub pulse');
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'More actions for GitHub pulse: octocat/hello-world' }).click();
  await page.getByRole('menuitem', { name: 'Uninstall' }).click();
  await page.getByRole('button', { name: 'Uninstall', exact: true }).click();
  await expect(page.getByText('Nothing installed yet')).toBeVisible();
  await page.getByRole('button', { name: 'Recover GitHub pulse: octocat/hello-world' }).click();
  await expect(page.getByText('It is paused.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Installed', exact: true })).toContainText(
    'GitHub pulse: octocat/hello-world',
  );
});

test('a person adds the secret that a recipe needs, and publishes a recipe', async ({ console: page }) => {
  await page.goto('/codex/coinmarketcap-top10');
  await page.getByRole('button', { name: 'Add secret' }).click();
  await page.getByLabel('Value').fill('cmc-key-1');
  await page.getByRole('dialog').getByRole('button', { name: 'Add secret' }).click();
  await expect(page.getByRole('heading', { name: 'What it needs' })).toBeHidden();
  await page.goto('/codex');
  await page.getByRole('button', { name: 'Publish recipe' }).click();
  const recipe = {
    slug: 'meeting-notes',
    name: 'Meeting notes',
    kind: 'board',
    preview_image: picture,
    template: { name: 'Meetings' },
  };
  await page.getByLabel('Manifest').fill(JSON.stringify(recipe));
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('meeting-notes 1.0.0 published')).toBeVisible();
  await page.getByRole('link', { name: 'Meeting notes' }).click();
  await expect(page.locator('img')).toHaveJSProperty('naturalWidth', 1);
});

test('a person sees the difference of a new version, and takes it or drops their own changes', async ({
  console: page,
  thalamus,
}) => {
  const publish = (columns: string[]) => {
    const datasets = { people: { columns: columns.map((name) => ({ name })) } };
    const template = { name: 'Contacts', description: 'People we met.', datasets };
    return thalamus.call(thalamus.ownerKey, 'publish_recipe_version', {
      recipe: { slug: 'contacts', name: 'Contacts', description: 'People.', kind: 'board', template },
    });
  };
  await publish(['email']);
  const { board_id } = await thalamus.call(thalamus.ownerKey, 'apply_starter_recipe', { slug: 'contacts' });
  await thalamus.call(thalamus.ownerKey, 'update_board', { board_id, description: 'Ours' });
  await publish(['email', 'stage']);
  await page.goto('/installs');
  await page.getByRole('button', { name: 'More actions for Contacts' }).click();
  await page.getByRole('menuitem', { name: 'Update' }).click();
  const dialog = page.getByRole('dialog', { name: 'Update Contacts to 1.0.1' });
  await expect(dialog.getByText('Column stage of people')).toBeVisible();
  await dialog.getByLabel('Drop my changes').check();
  await expect(dialog.getByText('Description', { exact: true })).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Contacts updated to 1.0.1')).toBeVisible();
  await expect(page.getByText('Update to 1.0.1')).toBeHidden();
});
