import { listAxeProblems } from './axe.ts';
import { expect, test } from './fixture.ts';

// What the test before saved last may arrive in between.
test.beforeEach(async ({ thalamus }) => {
  await expect(async () => {
    const { version } = await thalamus.call(thalamus.ownerKey, 'get_policy');
    await thalamus.call(thalamus.ownerKey, 'set_policy', { version, rules: [] });
  }).toPass();
});

test('a rule is written, tried before it applies, saved, moved and removed', async ({ console: page }) => {
  await page.goto('/rules');
  const rules = page.getByRole('list', { name: 'Rules' });
  await expect(page.getByText('No rules yet. The defaults below apply.')).toBeVisible();
  const verdict = page.getByRole('status').filter({ hasText: 'Rule' });
  await page.getByLabel('Recipients', { exact: true }).fill('ana@example.com');
  await expect(verdict).toContainText('Needs approval');
  await expect(verdict).toContainText('Rule 4 of the defaults');

  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Effect').selectOption('allow');
  await expect(page.getByText(/^Separate with spaces: .*gmail, /)).toBeVisible();
  const offered = page.locator('xpath=//datalist[@id = //input[@name = "actions"]/@list]');
  await page.getByLabel('Actions').fill('label_thread sen');
  await expect(offered.locator('option[value="label_thread send_email"]')).toHaveCount(1);
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByLabel('Actions').fill('send_email');
  await page.getByLabel('All recipients match').fill('*@example.com');
  await page.getByLabel('Note').fill('Among ourselves.');
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await expect(rules.getByRole('listitem')).toHaveText(/Allowed.*Send email when all recipients match \*@example.com/);
  await expect(verdict).toContainText("Rule 1 of the workspace's rules: Among ourselves.");
  await page.getByLabel('Recipients', { exact: true }).fill('ana@example.com, eve@elsewhere.example');
  await expect(verdict).toContainText('Needs approval');
  expect(await listAxeProblems(page)).toEqual([]);

  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Allow without approval' }).click();
  await expect(page.getByText('You have unsaved changes.')).toBeHidden();
  await page.reload();
  await expect(rules.getByRole('listitem')).toHaveCount(1);

  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Effect').selectOption('block');
  await page.getByLabel('Any recipient matches').fill('*@rival.example');
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Effect').selectOption('allow');
  await page.getByLabel('Kind').selectOption('safe');
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await expect(rules.getByRole('listitem').last()).toHaveText(/Allowed.*What is safe/);
  await page.getByRole('button', { name: 'Remove rule 3' }).click();
  await page.getByRole('button', { name: 'Move rule 2 up' }).click();
  await expect(rules.getByRole('listitem').first()).toContainText('Blocked');
  await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('You have unsaved changes.')).toBeHidden();
  await page.reload();
  await expect(page.getByText('No rules yet. The defaults below apply.')).toBeVisible();

  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Effect').selectOption('block');
  await page.getByRole('dialog').getByLabel('Target').fill('thread *');
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await expect(verdict).toContainText('Needs approval');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByLabel('Target', { exact: true }).fill('thread 18f2c4');
  await expect(verdict).toContainText('Blocked');
});

test('a rule that lets agents act without approval needs a confirmation, and every page then says that it applies', async ({
  console: page,
}) => {
  const home = page.getByRole('main');
  await expect(home.getByText('Actions need your approval')).toBeVisible();
  await expect(home.getByText('Drafts of your agents wait here for your approval.')).toBeVisible();
  const allow = async (fill: () => Promise<void>) => {
    await page.goto('/rules');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByLabel('Effect').selectOption('allow');
    await fill();
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
  };
  await allow(async () => {});
  const dialog = page.getByRole('dialog', { name: /without approval\?/ });
  await expect(dialog).toContainText('Allow all actions without approval?');
  await expect(dialog).toContainText('Nothing waits in your inbox.');
  await expect(dialog).toContainText(/\d+ of them delete something or change who has access\./);
  expect(await listAxeProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('You have unsaved changes.')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Allow without approval' }).click();
  await expect(page.getByText('You have unsaved changes.')).toBeHidden();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(home.getByText('Actions run without approval')).toBeVisible();
  await expect(home.getByText('Your rules allow all actions without approval.')).toBeVisible();
  await expect(page.getByText(/your approval/)).toHaveCount(0);
  await page.goto('/inbox');
  await expect(page.getByText('so no drafts wait here')).toBeVisible();
  await page.goto('/integrations');
  await expect(page.getByText(/write without approval/).first()).toBeVisible();
  await page.goto('/integrations/gmail');
  await expect(page.getByText('Your rules allow all actions without approval.')).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);

  await page.goto('/rules');
  await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('You have unsaved changes.')).toBeHidden();
  await allow(async () => {
    await page.getByLabel('Actions').fill('send_email');
    await page.getByLabel('All recipients match').fill('*@example.com');
  });
  await expect(dialog.getByRole('list', { name: 'Without approval' })).toContainText(
    'send email at gmail, if the rule matches',
  );
  await dialog.getByRole('button', { name: 'Allow without approval' }).click();
  await expect(page.getByText('You have unsaved changes.')).toBeHidden();
  await page.getByRole('button', { name: 'Edit rule 1' }).click();
  await page.getByLabel('All recipients match').fill('*');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(dialog, 'of wider rules, too').toContainText('Send email when all recipients match *');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(home.getByText('Some actions run without approval')).toBeVisible();
  await page.goto('/integrations/calendar');
  await expect(page.getByText('Sends, changes and deletes only with your approval.')).toBeVisible();
  await page.goto('/rules');
  await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('No rules yet. The defaults below apply.')).toBeVisible();
  await expect(page.getByText('You have unsaved changes.')).toBeHidden();
});

test('unsaved rules cause a question before a person leaves, and stay when another person saves', async ({
  console: page,
  thalamus,
}) => {
  await page.goto('/rules');
  const rules = page.getByRole('list', { name: 'Rules' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByLabel('Effect').selectOption('block');
  await page.getByLabel('Sources').fill('gmail');
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await page.getByRole('link', { name: 'Memory' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(dialog).toContainText('These rules are not saved.');
  expect(await listAxeProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await expect(page).toHaveURL(/\/rules$/);
  await expect(rules).toHaveText([/Blocked.*Everything at gmail/]);

  const { version } = await thalamus.call(thalamus.ownerKey, 'get_policy');
  await thalamus.call(thalamus.ownerKey, 'set_policy', { version, rules: [{ effect: 'block', sources: ['slack'] }] });
  await expect(page.getByText('Somebody else saved rules meanwhile.')).toBeVisible();
  await expect(rules).toHaveText([/Blocked.*Everything at gmail/]);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(rules).toHaveText([/Blocked.*Everything at slack/]);

  await page.getByRole('button', { name: 'Edit rule 1' }).click();
  await page.getByLabel('Sources').fill('gmial');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/sources: there is no gmial\. Known: calendar, discord/).first()).toBeVisible();
  await page.getByRole('link', { name: 'Memory' }).first().click();
  await dialog.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/\/memory/);
  await thalamus.call(thalamus.ownerKey, 'set_policy', { version: Number(version) + 1, rules: [] });
});
