import { expect, test } from './fixture.ts';

test('the connect page makes a key that works and cannot approve', async ({ console: page, thalamus }) => {
  await page.goto('/agents/connect?client=cursor&with=key');
  await expect(page.getByText('Always store important information to my brain.')).toBeVisible();
  await page.getByRole('button', { name: 'Create a key for Cursor' }).click();

  await expect(page.getByText('is shown once')).toBeVisible();
  const config = JSON.parse((await page.getByLabel('config for Cursor', { exact: true }).textContent()) ?? '{}');
  const { url, headers } = config.mcpServers.thalamus as { url: string; headers: { Authorization: string } };
  expect(url).toBe(`${thalamus.url}/mcp`);
  const key = headers.Authorization.replace('Bearer ', '');
  const { caller, scopes } = await thalamus.call(key, 'who_am_i');
  expect(caller).toMatchObject({ kind: 'key', label: 'Cursor', is_human_surface: false });
  expect(scopes).not.toContain('actions:confirm');
  await expect(page.getByText('Cursor is connected.')).toBeVisible();
});

test('a key that was just made stays visible after the person looks at another client or page', async ({
  console: page,
}) => {
  await page.goto('/agents/connect?client=cursor&with=key');
  await page.getByRole('button', { name: 'Create a key for Cursor' }).click();
  const config = page.getByLabel('config for Cursor', { exact: true });
  await expect(config).toContainText(/Bearer cm_[\w-]{20}/);
  const made = await config.textContent();
  const agents = page.getByRole('navigation', { name: 'Clients' });
  await agents.getByRole('link', { name: /^Windsurf/ }).click();
  await expect(page.getByRole('button', { name: 'Create a key for Windsurf' })).toBeVisible();
  await expect(page.getByLabel('config for Windsurf', { exact: true })).toContainText('Bearer cm_…');
  await agents.getByRole('link', { name: /^Cursor/ }).click();
  await expect(config).toHaveText(made ?? '');
  await page.getByRole('link', { name: 'Home' }).click();
  await page.goBack();
  await expect(config).toHaveText(made ?? '');
});

test('a key with the safe choice only writes what is safe, and the list of keys says so', async ({
  console: page,
  thalamus,
}) => {
  await page.goto('/agents/connect?client=cursor&with=key');
  await page.getByLabel('Actions').selectOption({ label: 'Safe actions only, such as labels and archiving' });
  await page.getByRole('button', { name: 'Create a key for Cursor' }).click();
  await expect(page.getByText('is shown once')).toBeVisible();
  const config = JSON.parse((await page.getByLabel('config for Cursor', { exact: true }).textContent()) ?? '{}');
  const key = String(config.mcpServers.thalamus.headers.Authorization).replace('Bearer ', '');
  const mail = { source: 'gmail', action: 'send_email', recipients: ['noah@example.com'] };
  expect(await thalamus.call(key, 'explain_policy', mail)).toMatchObject({ effect: 'block', from: 'key' });
  const label = { source: 'gmail', action: 'mark_as_read' };
  expect(await thalamus.call(key, 'explain_policy', label)).toMatchObject({ effect: 'require_approval' });
  await page.goto('/agents');
  await page.getByRole('button', { name: /^Cursor.*Own rules/ }).click();
  const rules = page.getByRole('dialog').getByRole('list', { name: 'Own rules' });
  await expect(rules.getByRole('listitem')).toHaveText([/^Allowed/, /^Blocked/]);
});

test('each client has its own steps and config', async ({ console: page, thalamus }) => {
  await page.goto('/agents/connect?with=url');
  for (const name of ['Claude Code', 'Claude', 'Cursor', 'Windsurf', 'VS Code', 'ChatGPT', 'Other client']) {
    await page
      .getByRole('navigation', { name: 'Clients' })
      .getByRole('link', { name: new RegExp(`^${name}(?! Code)`) })
      .click();
    await expect(page.getByRole('navigation', { name: 'Clients' }).locator('[aria-current=page]')).toContainText(name);
    await expect(page.getByText(`${thalamus.url}/mcp`, { exact: true })).toBeVisible();
  }
});

test('a key is renamed, rotated, reduced and revoked, and its calls follow', async ({ console: page, thalamus }) => {
  const scopes = ['memory:read', 'brains:read', 'brains:write'];
  const { key: first } = await thalamus.call(thalamus.ownerKey, 'create_key', { label: 'Laptop', scopes });
  await page.goto('/agents');
  await page.getByRole('button', { name: /^Laptop/ }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Rename' }).click();
  await drawer.getByLabel('Name').fill('Old laptop');
  await drawer.getByRole('button', { name: 'Save' }).click();
  await drawer.getByRole('button', { name: 'Rotate key' }).click();
  const key = (await drawer.getByLabel('new key', { exact: true }).textContent()) ?? '';
  expect(key).not.toBe(first);
  expect(await thalamus.call(String(first), 'who_am_i')).toMatchObject({ scopes });
  await drawer.getByRole('button', { name: 'Reduce to default' }).click();
  await expect(async () => {
    expect(await thalamus.call(key, 'who_am_i')).toMatchObject({ scopes: ['memory:read', 'brains:read'] });
  }).toPass();
  await drawer.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog', { name: 'Revoke Old laptop?' }).getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Revoked', { exact: true }).first()).toBeVisible();
  await expect(async () => {
    await expect(thalamus.call(key, 'who_am_i')).rejects.toThrow('401');
  }).toPass();
});

test('a person signs a lost browser out from another one', async ({ console: page, thalamus, browser }) => {
  const { url } = await thalamus.call(thalamus.ownerKey, 'create_sign_in_link');
  const lost = await browser.newContext({ userAgent: 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0' });
  const screen = await lost.newPage();
  await screen.goto(String(url));
  await screen.getByRole('button', { name: 'Sign in' }).click();
  await expect(screen.getByRole('heading', { level: 1 })).toHaveText(/^Good/);
  await page.goto('/account');
  await expect(page.getByText('This browser')).toBeVisible();
  await page.getByRole('button', { name: 'End the session of Firefox on Windows' }).click();
  await expect(page.getByText('Session ended')).toBeVisible();
  await expect(page.getByRole('button', { name: 'End the session of Firefox on Windows' })).toBeHidden();
  await expect(async () => {
    await screen.reload();
    await expect(screen.getByRole('heading', { name: /^Sign in/ })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await lost.close();
});
