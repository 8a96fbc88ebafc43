import { listAxeProblems } from './axe.ts';
import { createAgentKey } from './drafting.ts';
import { expect, test, typedSecret } from './fixture.ts';

test('a person sets a variable on its page, sees it listed without its value, and deletes it', async ({
  console: page,
  thalamus,
}) => {
  await page.goto('/secrets');
  await page.getByRole('button', { name: 'New secret' }).click();
  await page.getByLabel('Name').fill('STRIPE_SECRET_KEY');
  await page.getByLabel('Description').fill('Invoices');
  await page.getByLabel('Allowed hosts').fill('api.stripe.com');
  await page.getByRole('button', { name: 'Create' }).click();
  const [paste] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open it here' }).click(),
  ]);
  await expect(paste.getByRole('heading', { name: 'Set STRIPE_SECRET_KEY' })).toBeVisible();
  expect(await listAxeProblems(paste)).toEqual([]);
  await paste.getByLabel('STRIPE_SECRET_KEY').fill(typedSecret);
  await expect(paste.getByLabel('Allowed hosts')).toHaveValue('api.stripe.com');
  await paste.getByRole('button', { name: 'Save' }).click();
  await expect(paste.getByRole('heading', { name: 'Saved' })).toBeVisible();
  await paste.close();

  const row = page.getByRole('listitem').filter({ hasText: 'STRIPE_SECRET_KEY' });
  await expect(row).toContainText('To api.stripe.com');
  await expect(row).toContainText(/sec_[A-Za-z0-9]{24}/);
  expect(await page.content()).not.toContain(typedSecret);
  const { agent_variables } = await thalamus.call(thalamus.ownerKey, 'load_brain');
  expect(agent_variables).toContainEqual({ name: 'STRIPE_SECRET_KEY', description: 'Invoices' });

  await page.getByRole('button', { name: 'Delete STRIPE_SECRET_KEY' }).click();
  await page.getByRole('button', { name: 'Delete secret' }).click();
  await expect(page.getByText('Secret deleted', { exact: true })).toBeVisible();
  await expect(row).toHaveCount(0);
});

test('a person sets the hosts of a variable, and its value and handle stay', async ({ console: page, thalamus }) => {
  const { call, ownerKey } = thalamus;
  const set = { var_scope: 'person', var_name: 'ACME_TOKEN', value: typedSecret };
  const { handle } = await call(ownerKey, 'set_variable', set);
  await page.goto('/secrets');
  const row = page.getByRole('listitem').filter({ hasText: 'ACME_TOKEN' });
  await expect(row).toContainText('No host allowed');
  await page.getByRole('button', { name: 'Hosts of ACME_TOKEN' }).click();
  await page.getByLabel('Allowed hosts').fill('https://acme.example/v1');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toContainText('must be api.example.com');
  await page.getByLabel('Allowed hosts').fill('api.acme.example, *.acme.example');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('To api.acme.example, *.acme.example');
  await expect(row).toContainText(String(handle));
});

test('a permission set is created, assigned to an agent and removed', async ({ console: page, thalamus }) => {
  await thalamus.call(thalamus.ownerKey, 'create_key', { label: 'Sales agent' });
  await page.goto('/agents');
  await page.getByRole('link', { name: 'Permission sets' }).click();
  await page.getByRole('button', { name: 'New permission set' }).click();
  await page.getByLabel('Name').fill('Sales, reading');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByLabel('Assign Sales, reading to').selectOption('Sales agent');
  const take = page.getByRole('button', { name: 'Unassign Sales, reading from Sales agent' });
  await expect(take).toBeVisible();
  await take.click();
  await expect(take).toHaveCount(0);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });
    test(`the playground fills in its address’s values and passes axe in ${colorScheme}`, async ({ console: page }) => {
      const scopes = 'https://www.googleapis.com/auth/gmail.send';
      await page.goto(`/oauth-playground?provider=google&label=Invoices&scopes=${encodeURIComponent(scopes)}`);
      await expect(page.getByText('Pre-filled by your AI.')).toBeVisible();
      await expect(page.getByRole('checkbox', { name: /^Send mail/ })).toBeChecked();
      expect(await listAxeProblems(page)).toEqual([]);
      await page.getByLabel('Provider').selectOption('HubSpot');
      await page.getByRole('button', { name: 'Choose' }).click();
      await expect(page.getByRole('checkbox', { name: /^Read contacts/ })).toBeVisible();
      await expect(page.getByLabel('Further scopes')).toHaveValue(scopes);
    });
  });
}

test('a person accepts the description that an agent wrote, on a desktop and on a phone', async ({
  console: page,
  thalamus,
}) => {
  const key = await createAgentKey(thalamus);
  const own = { var_scope: 'agent', var_name: 'BILLING_TOKEN_OF_THE_AGENT', value: typedSecret };
  const description = 'Reads the invoices of the last month, and nothing else; ask me before you raise it.';
  const more = { description, hosts: ['api.acme.example'], placements: ['header:X-Key', 'query:key', 'json:auth.key'] };
  await thalamus.call(key, 'set_variable', { ...own, ...more });
  await page.goto('/secrets');
  const row = page.getByRole('listitem').filter({ hasText: 'BILLING_TOKEN_OF_THE_AGENT' });
  await expect(row).toContainText('Used in: header X-Key, query parameter key, JSON field auth.key.');
  const accept = row.getByRole('button', { name: /^Accept description/ });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect.soft(await listAxeProblems(page), colorScheme).toEqual([]);
    await row.screenshot({ path: `.tmp/accept-1280-${colorScheme}.png` });
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(accept).toBeInViewport();
    await row.screenshot({ path: `.tmp/accept-390-${colorScheme}.png` });
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  await accept.click();
  await expect(accept).toHaveCount(0);
  await expect(row).toContainText(description);
});
