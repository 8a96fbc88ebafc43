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
