import { listAxeProblems } from './axe.ts';
import { expect, test } from './fixture.ts';
import type { Thalamus } from './thalamus.ts';

async function createBrain({ call, ownerKey }: Thalamus, name: string, more: object = {}): Promise<string> {
  return String((await call(ownerKey, 'create_brain', { name, ...more }))['brain_id']);
}

test('a new brain appears in the tree and accepts memories', async ({ console: page }) => {
  await page.goto('/brains');
  await page.getByRole('button', { name: 'New brain' }).click();
  await page.getByLabel('Name').fill('Deal Support');
  await page.getByLabel('Description').fill('Call scripts and objections');
  await page.getByRole('button', { name: 'Create brain' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Deal Support/ })).toBeVisible();
  await expect(
    page.getByRole('navigation', { name: 'Brains' }).getByRole('link', { name: /Deal Support/ }),
  ).toHaveAttribute('aria-current', 'page');
  await page.getByRole('main').getByRole('link', { name: 'Memories', exact: true }).click();
  await expect(page).toHaveURL(/\/memory\?brain=/);
  await page.getByRole('button', { name: 'Add the first memory' }).click();
  await page.getByRole('textbox', { name: 'Memory' }).fill('Never promise a date');
  await page.getByRole('dialog').getByRole('button', { name: 'Add memory' }).click();
  await expect(page.getByRole('main').getByText('Never promise a date')).toBeVisible();
});

test('the overview shows new memories and contradictions', async ({ console: page, thalamus }) => {
  const parent = await createBrain(thalamus, 'Orchard');
  const child = await createBrain(thalamus, 'Cider press', { parent_brain_id: parent });
  const { call, ownerKey } = thalamus;
  await call(ownerKey, 'add_memory', { content: 'The press holds 40 litres', target_brain_id: child });
  await call(ownerKey, 'add_memory', { content: 'The press holds 60 litres', target_brain_id: child });
  await page.goto(`/brains/${parent}`);
  await expect(page.getByRole('heading', { name: 'Nothing new in this period' })).toBeVisible();
  await page.getByLabel('Include sub-brains').check();
  await expect(page.getByRole('heading', { name: 'Contradictions' })).toBeVisible();
  await expect(page).toHaveURL(/below=true/);
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'The press holds 40 litres' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Memory' }).getByText('contradicts')).toBeVisible();
});

test('a contradiction and a kind are hidden, and shown again later', async ({ console: page, thalamus }) => {
  const brain = await createBrain(thalamus, 'Water works');
  const { call, ownerKey } = thalamus;
  const add = (content: string) => call(ownerKey, 'add_memory', { content, target_brain_id: brain, type: 'fact' });
  await add('The tank of the mill holds 40 litres');
  await add('The tank of the mill holds 60 litres');
  await add('The gate of the weir is open');
  await add('The gate of the weir is closed');
  await page.goto(`/brains/${brain}`);
  const pair = page.getByRole('listitem').filter({ hasText: 'It says' });
  await pair.filter({ hasText: 'weir' }).getByRole('button', { name: 'Both are true' }).click();
  await expect(pair).toHaveCount(1);
  await page.getByRole('button', { name: 'Hide all other numbers' }).click();
  await expect(page.getByRole('heading', { name: 'Contradictions' })).toBeHidden();

  await page.goto(`/memory?brain=${brain}`);
  await page.getByRole('link', { name: 'Contradictions' }).click();
  await expect(page.getByRole('heading', { name: 'No contradictions' })).toBeVisible();
  await page.getByRole('link', { name: 'Hidden' }).click();
  await expect(page.getByText('Hidden with its kind: other numbers')).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show again: other numbers' }).click();
  await expect(page.getByRole('heading', { name: 'Hidden kinds' })).toBeHidden();
  await pair.filter({ hasText: 'litres' }).getByRole('button', { name: 'Show again' }).click();
  await expect(pair).toHaveCount(1);
  await pair.getByRole('button', { name: 'Show again' }).click();
  await expect(page.getByRole('heading', { name: 'No hidden pairs' })).toBeVisible();
  await page.getByRole('link', { name: 'Contradictions' }).click();
  await expect(pair).toHaveCount(2);
});

test('a person is invited with a link to pass on, gets another role, and the invitation is withdrawn', async ({
  console: page,
  thalamus,
}) => {
  const brain = await createBrain(thalamus, 'Bee yard');
  await page.goto(`/brains/${brain}?tab=members`);
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Mail address').fill('mona@bees.example');
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(dialog.getByRole('group', { name: 'invitation link' })).toContainText('/sign-in#');
  expect(await listAxeProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'mona@bees.example' });
  await expect(row).toContainText(/editor/i);
  await row.getByRole('button', { name: /Change/ }).click();
  await dialog.getByLabel('Role').selectOption('admin');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText(/admin/i);
  await row.getByRole('button', { name: /Withdraw/ }).click();
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await expect(row).toBeHidden();
});

test('core knowledge is added, replaced and kept in the history, and inherited below', async ({
  console: page,
  thalamus,
}) => {
  const parent = await createBrain(thalamus, 'Press house');
  const child = await createBrain(thalamus, 'Bottling', { parent_brain_id: parent });
  await page.goto(`/brains/${parent}?tab=knowledge`);
  await page.getByRole('button', { name: 'Add core knowledge' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Topic').fill('writing_style');
  await dialog.getByLabel('Text').fill('Write long sentences');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Writing style' })).toBeVisible();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog.getByLabel('Text').fill('Write short sentences');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Text')).toBeHidden();
  await expect(page.getByText('Write long sentences')).toBeHidden();
  await page.getByRole('button', { name: 'Show history' }).click();
  await expect(page.getByText('Write long sentences')).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await page.goto(`/brains/${child}?tab=knowledge`);
  await expect(page.getByText('Write short sentences')).toBeVisible();
  await expect(page.getByText(/^From Press house/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeHidden();
});

test('an agent’s suggestion for core knowledge and skills applies once a person accepts it, and not when they decline', async ({
  console: page,
  thalamus,
}) => {
  const { call, ownerKey } = thalamus;
  const brain = await createBrain(thalamus, 'Mill');
  await call(ownerKey, 'add_core_knowledge', { brain_id: brain, section: 'hours', content: 'Open from ten' });
  const agent = String((await call(ownerKey, 'create_key', { label: 'Miller' }))['key']);
  await call(agent, 'add_core_knowledge', { brain_id: brain, section: 'hours', content: 'Open from nine' });
  await call(agent, 'add_core_knowledge', { brain_id: brain, section: 'rule', content: 'Obey the miller' });
  await call(agent, 'create_skill', { name: 'grind', content: 'Grinds slowly' });
  await page.goto('/');
  await expect(page.getByText('3 suggestions wait')).toBeVisible();
  await page.goto(`/brains/${brain}?tab=knowledge`);
  await expect(page.getByText('Open from nine')).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Decline: Core knowledge about rule' }).click();
  await expect(page.getByText('Obey the miller')).toBeHidden();
  await page.getByRole('button', { name: 'Accept: Core knowledge about hours' }).click();
  await expect(page.getByRole('heading', { name: 'Suggestions' })).toBeHidden();
  await expect(page.getByText('Open from nine')).toBeVisible();
  await expect(page.getByText('Open from ten')).toBeHidden();
  await page.getByRole('link', { name: 'Skills' }).click();
  await page.getByRole('button', { name: 'Accept: New skill grind' }).click();
  await expect(page.getByRole('button', { name: 'Add grind' })).toBeVisible();
});

test('a skill is written, read in each version, and turned off', async ({ console: page, thalamus }) => {
  const brain = await createBrain(thalamus, 'Cellar');
  await page.goto(`/brains/${brain}?tab=skills`);
  await page.getByRole('button', { name: 'New skill' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('taste-notes');
  await dialog.getByLabel('Instructions').fill('Writes notes on a tasting\n\nName the barrel.');
  await dialog.getByRole('button', { name: 'Create skill' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'taste-notes' });
  await expect(row.getByText('On', { exact: true })).toBeVisible();
  await row.getByRole('button', { name: /Writes notes/ }).click();
  await dialog.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Instructions').fill('Writes notes on a tasting\n\nName the barrel and the year.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('and the year')).toBeVisible();
  await dialog.getByLabel('Version').selectOption('1');
  await expect(dialog.getByText('and the year')).toBeHidden();
  expect(await listAxeProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Turn off' }).click();
  await expect(row.getByText('Off', { exact: true })).toBeVisible();
});

test('analytics show figures, charts and a table', async ({ console: page, thalamus }) => {
  const brain = await createBrain(thalamus, 'Weather hut');
  const { call, ownerKey } = thalamus;
  await call(ownerKey, 'add_memory', { content: 'The barometer is checked at dawn', target_brain_id: brain });
  await call(ownerKey, 'search_memory', { q: 'barometer', brain_id: brain });
  await page.goto(`/brains/${brain}?tab=analytics`);
  await expect(page.getByRole('img', { name: /^30 days: 1 memories stored/ })).toBeVisible();
  await page.getByText('As a table').click();
  await expect(page.getByRole('row')).toHaveCount(31);
  await expect(page.getByText('recalled 1 time', { exact: true })).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
});

test('a brain is renamed, exported, and deleted by typing its name', async ({ console: page, thalamus }) => {
  const brain = await createBrain(thalamus, 'Old mill');
  const { call, ownerKey } = thalamus;
  await call(ownerKey, 'add_memory', { content: 'The wheel turns left', target_brain_id: brain });
  await page.goto(`/brains/${brain}?tab=settings`);
  await page.getByRole('textbox', { name: 'Name' }).fill('New mill');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^New mill/);
  expect(await listAxeProblems(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^new-mill.*\.jsonl$/);
  const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await page.getByRole('button', { name: 'Delete brain' }).click();
  await expect(page.getByRole('button', { name: 'Delete brain' })).toBeDisabled();
  await page.getByLabel(/^Type .* to confirm$/).fill(name);
  await page.getByRole('button', { name: 'Delete brain' }).click();
  await expect(page).toHaveURL(/\/brains$/);
  await expect(page.getByRole('navigation', { name: 'Brains' }).getByText('New mill')).toBeHidden();
});

test('a viewer reads, and sees no control that a viewer may not use', async ({ browser, thalamus }) => {
  const brain = await createBrain(thalamus, 'Gallery');
  const { call, ownerKey } = thalamus;
  const { id } = await call(ownerKey, 'add_memory', { content: 'The frames are gilded', target_brain_id: brain });
  await call(ownerKey, 'add_core_knowledge', { brain_id: brain, section: 'hours', content: 'Open from ten' });
  const invited = await call(ownerKey, 'invite_member', {
    brain_id: brain,
    email: 'vera@gallery.example',
    access_level: 'viewer',
  });
  const page = await browser.newPage({ baseURL: thalamus.url });
  await page.goto((invited['join_link'] as { url: string }).url); // only an invitation without a mail has one
  await page.getByRole('button', { name: 'Join with a new account' }).click();
  await page.waitForURL(`${thalamus.url}/`);
  await page.goto(`/brains/${brain}?tab=knowledge`);
  await expect(page.getByText('Open from ten')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add core knowledge' })).toBeHidden();
  await expect(page.getByRole('link', { name: 'Settings' })).toBeHidden();
  await page.goto(`/brains/${brain}?tab=members`);
  await expect(page.getByText('Your role: viewer')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Leave' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Invite' })).toBeHidden();
  await page.goto(`/memory?memory=${String(id)}`);
  await expect(page.getByRole('dialog', { name: 'Memory' }).getByText('Stored by').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Archive' })).toBeHidden();
  await page.close();
});
