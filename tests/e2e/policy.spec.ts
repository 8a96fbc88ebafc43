import { faults } from './axe.ts';
import { expect, test } from './fixture.ts';

test('a rule is written, tried before it holds, saved, put in order and removed', async ({ console: page }) => {
  await page.goto('/policy');
  const rules = page.getByRole('list', { name: 'Rules' });
  await expect(page.getByText('None yet: the defaults below answer.')).toBeVisible();
  const verdict = page.getByRole('status').filter({ hasText: 'Rule' });
  await page.getByLabel('Recipients', { exact: true }).fill('ana@example.com');
  await expect(verdict).toContainText('Needs a yes');
  await expect(verdict).toContainText('Rule 4 of the defaults');

  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('What happens').selectOption('allow');
  await expect(page.getByText(/^With spaces between: .*gmail, /)).toBeVisible();
  const offered = page.locator('xpath=//datalist[@id = //input[@name = "actions"]/@list]');
  await page.getByLabel('Actions').fill('label_thread sen');
  await expect(offered.locator('option[value="label_thread send_email"]')).toHaveCount(1);
  expect(await faults(page)).toEqual([]);
  await page.getByLabel('Actions').fill('send_email');
  await page.getByLabel('All recipients fit').fill('*@example.com');
  await page.getByLabel('Why').fill('Among ourselves.');
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await expect(rules.getByRole('listitem')).toHaveText(/Allowed.*Send email when all recipients fit \*@example.com/);
  await expect(verdict).toContainText("Rule 1 of the workspace's rules: Among ourselves.");
  await page.getByLabel('Recipients', { exact: true }).fill('ana@example.com, eve@elsewhere.example');
  await expect(verdict).toContainText('Needs a yes');
  expect(await faults(page)).toEqual([]);

  await page.getByRole('button', { name: 'Save the policy' }).click();
  await page.getByRole('button', { name: 'Allow without asking' }).click();
  await expect(page.getByText('These rules are not saved yet.')).toBeHidden();
  await page.reload();
  await expect(rules.getByRole('listitem')).toHaveCount(1);

  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('What happens').selectOption('block');
  await page.getByLabel('A recipient fits').fill('*@rival.example');
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('What happens').selectOption('allow');
  await page.getByLabel('Kind').selectOption('safe');
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await expect(rules.getByRole('listitem').last()).toHaveText(/Allowed.*What is safe/);
  await page.getByRole('button', { name: 'Remove rule 3' }).click();
  await page.getByRole('button', { name: 'Move rule 2 up' }).click();
  await expect(rules.getByRole('listitem').first()).toContainText('Refused');
  await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.getByRole('button', { name: 'Save the policy' }).click();
  await expect(page.getByText('These rules are not saved yet.')).toBeHidden();
  await page.reload();
  await expect(page.getByText('None yet: the defaults below answer.')).toBeVisible();

  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('What happens').selectOption('block');
  await page.getByLabel('What it touches').fill('thread *');
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await expect(verdict).toContainText('Needs a yes');
  await page.getByLabel('Target', { exact: true }).fill('thread 18f2c4');
  await expect(verdict).toContainText('Refused');
});

test('what lets agents act without asking is asked about first, and every page says what holds then', async ({
  console: page,
}) => {
  const home = page.getByRole('main');
  await expect(home.getByText('Nothing leaves without your yes')).toBeVisible();
  await expect(home.getByText('it waits here for your yes')).toBeVisible();
  const allow = async (fill: () => Promise<void>) => {
    await page.goto('/policy');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByLabel('What happens').selectOption('allow');
    await fill();
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByRole('button', { name: 'Save the policy' }).click();
  };
  await allow(async () => {});
  const dialog = page.getByRole('dialog', { name: /without asking\?/ });
  await expect(dialog).toContainText('Let agents do everything without asking?');
  await expect(dialog).toContainText('Nothing waits in your inbox.');
  await expect(dialog).toContainText(/\d+ of them delete something or change who has access\./);
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('These rules are not saved yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Save the policy' }).click();
  await dialog.getByRole('button', { name: 'Allow without asking' }).click();
  await expect(page.getByText('These rules are not saved yet.')).toBeHidden();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(home.getByText('Everything leaves without asking')).toBeVisible();
  await expect(home.getByText('so nothing waits here')).toBeVisible();
  await expect(page.getByText(/your yes/)).toHaveCount(0);
  await page.goto('/inbox');
  await expect(page.getByText('so nothing stops here')).toBeVisible();
  await page.goto('/integrations');
  await expect(page.getByText(/writes without asking/).first()).toBeVisible();
  await page.goto('/integrations/gmail');
  await expect(
    page.getByText('The policy lets agents send, change and delete there without asking you.'),
  ).toBeVisible();
  expect(await faults(page)).toEqual([]);

  await page.goto('/policy');
  await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.getByRole('button', { name: 'Save the policy' }).click();
  await expect(page.getByText('These rules are not saved yet.')).toBeHidden();
  await allow(async () => {
    await page.getByLabel('Actions').fill('send_email');
    await page.getByLabel('All recipients fit').fill('*@example.com');
  });
  await expect(dialog.getByRole('list', { name: 'Without asking' })).toContainText(
    'send email at gmail, where the rule fits',
  );
  await dialog.getByRole('button', { name: 'Allow without asking' }).click();
  await expect(page.getByText('These rules are not saved yet.')).toBeHidden();
  await page.getByRole('button', { name: 'Edit rule 1' }).click();
  await page.getByLabel('All recipients fit').fill('*');
  await page.getByRole('dialog').getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('button', { name: 'Save the policy' }).click();
  await expect(dialog, 'of wider rules, too').toContainText('Send email when all recipients fit *');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Drop the changes' }).click();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(home.getByText('Some actions leave without asking')).toBeVisible();
  await page.goto('/integrations/calendar');
  await expect(page.getByText('Nothing is sent, changed or deleted there before you approve it.')).toBeVisible();
  await page.goto('/policy');
  await page.getByRole('button', { name: 'Remove rule 1' }).click();
  await page.getByRole('button', { name: 'Save the policy' }).click();
  await expect(page.getByText('None yet: the defaults below answer.')).toBeVisible();
});

test('rules that are not saved are asked about before a person leaves, and stay when somebody else saves', async ({
  console: page,
  thalamus,
}) => {
  await page.goto('/policy');
  const rules = page.getByRole('list', { name: 'Rules' }).getByRole('listitem');
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('What happens').selectOption('block');
  await page.getByLabel('Sources').fill('gmail');
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  await page.getByRole('link', { name: 'Memory' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(dialog).toContainText('These rules are not saved.');
  expect(await faults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Stay' }).click();
  await expect(page).toHaveURL(/\/policy$/);
  await expect(rules).toHaveText([/Refused.*Everything at gmail/]);

  const { version } = await thalamus.call(thalamus.ownerKey, 'get_policy');
  await thalamus.call(thalamus.ownerKey, 'set_policy', { version, rules: [{ effect: 'block', sources: ['slack'] }] });
  await expect(page.getByText('Somebody saved other rules meanwhile.')).toBeVisible();
  await expect(rules).toHaveText([/Refused.*Everything at gmail/]);
  await page.getByRole('button', { name: 'Drop the changes' }).click();
  await expect(rules).toHaveText([/Refused.*Everything at slack/]);

  await page.getByRole('button', { name: 'Edit rule 1' }).click();
  await page.getByLabel('Sources').fill('gmial');
  await page.getByRole('dialog').getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('button', { name: 'Save the policy' }).click();
  await expect(page.getByText(/sources: there is no gmial\. Known: calendar, discord/).first()).toBeVisible();
  await page.getByRole('link', { name: 'Memory' }).first().click();
  await dialog.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/\/memory/);
  await thalamus.call(thalamus.ownerKey, 'set_policy', { version: Number(version) + 1, rules: [] });
});
