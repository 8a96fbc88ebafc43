import type { Page } from '@playwright/test';
import { listAxeProblems } from './axe.ts';
import { createAgentKey } from './drafting.ts';
import { expect, test } from './fixture.ts';
import { botToken } from './thalamus.ts';

test('a person links Google on its consent page, and fetches and finds mail', async ({ console: page, thalamus }) => {
  const { google } = thalamus;
  google.addAccount({ email: 'emmy@example.com', name: 'Emmy Noether' });
  google.seedMail('emmy@example.com', {
    from: 'Grace Hopper <grace@example.com>',
    subject: 'The compiler review',
    text: 'Hi Emmy, the parser is ready for you.',
  });

  await page.goto('/integrations');
  await page.getByRole('link', { name: 'Gmail', exact: true }).click();
  await page.getByRole('button', { name: /Connect Gmail|Connect another/ }).click();
  await page.getByLabel(/emmy@example.com/).check();
  await page.locator('#allow').click();
  await expect(page).toHaveURL(/\/integrations\/gmail\?connected=gmail$/);
  await expect(page.getByRole('status').filter({ hasText: 'Connected.' })).toBeVisible();

  await choose(page, 'Fetch', 'emmy@example.com');
  await page.getByLabel('Search').fill('from:grace');
  await page.getByRole('button', { name: 'Fetch', exact: true }).click();
  await page.getByRole('link', { name: 'Show', exact: true }).click();
  await page.getByRole('link', { name: /The compiler review/ }).click();
  await expect(page.getByRole('article').getByText('the parser is ready for you').last()).toBeVisible();
  await expect(page.getByText('External content.')).toBeVisible();
});

test('a mailbox syncs once it is connected: new mail appears here, and the sync can be stopped', async ({
  console: page,
  thalamus,
}) => {
  const { google } = thalamus;
  google.addAccount({ email: 'mia@example.com', name: 'Mia Wong' });
  google.seedMail('mia@example.com', { from: 'grace@example.com', subject: 'Kept in step', text: 'The first.' });
  await page.goto('/integrations/gmail');
  await expect(page.getByText('Once connected, the last 90 days sync into your personal brain')).toBeVisible();
  const row = page.getByRole('listitem').filter({ hasText: 'Sync now' }).filter({ hasText: 'mia@example.com' });
  await page.getByRole('button', { name: /Connect Gmail|Connect another/ }).click();
  await page.getByLabel(/mia@example.com/).check();
  await page.locator('#allow').click();
  await expect(page.getByRole('status').filter({ hasText: 'Connected.' })).toBeVisible();
  await expect(row.getByText('Synced', { exact: true })).toBeVisible();
  await expect(row.getByText(/every 15 minutes · synced .* changed/)).toBeVisible();

  google.seedMail('mia@example.com', { from: 'grace@example.com', subject: 'Arrived later', text: 'The second.' });
  await page.getByRole('button', { name: 'Sync now, mia@example.com' }).click();
  await expect(row.getByText(/, 1 changed/)).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await page.goto('/library?source=gmail');
  await expect(page.getByRole('link', { name: /Arrived later/ })).toBeVisible();

  await page.goto('/integrations/gmail');
  await page.getByRole('button', { name: 'Full resync, mia@example.com' }).click();
  await expect(row.getByText(/, 0 changed/)).toBeVisible();
  await page.getByRole('button', { name: 'Stop syncing mia@example.com' }).click();
  await expect(row).toHaveCount(0);
});

test('the account shows that Google revoked its access, its sync waits, and one press starts linking again', async ({
  console: page,
  thalamus,
}) => {
  const { google } = thalamus;
  const account = 'ends@example.com';
  google.addAccount({ email: account, name: 'Ends' });
  google.seedMail(account, { from: 'grace@example.com', subject: 'Before the end', text: 'The first.' });
  await page.goto('/integrations/gmail');
  await page.getByRole('button', { name: /Connect Gmail|Connect another/ }).click();
  await page.getByRole('radio', { name: new RegExp(account) }).check();
  await page.locator('#allow').click();
  await expect(page.getByRole('status').filter({ hasText: 'Connected.' })).toBeVisible();
  const row = page.getByRole('listitem').filter({ hasText: 'Show pages' }).filter({ hasText: account });
  await expect(row.getByText(/synced .* 1 changed/)).toBeVisible();

  google.revokeAccess(account);
  await page.getByRole('button', { name: `Sync now, ${account}` }).click();
  await expect(row.getByText('Needs its account')).toBeVisible();
  await expect(page.getByRole('button', { name: `Sync now, ${account}` })).toHaveCount(0);
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: `Reconnect, ${account}` }).click();
  await page.getByRole('radio', { name: new RegExp(account) }).check();
  await page.locator('#allow').click();
  await expect(row.getByText('Synced', { exact: true })).toBeVisible();
  await page.goto('/integrations/google');
  await expect(page.getByRole('heading', { level: 1, name: 'Gmail' })).toBeVisible();
  await page.goto('/integrations/gmail');
  await page.getByRole('button', { name: `Stop syncing ${account}` }).click();
  await page.getByRole('button', { name: `Disconnect ${account}` }).click();
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click();
  await expect(page.getByRole('listitem').filter({ hasText: account })).toHaveCount(0);
});

test('a declined consent says so and links nothing', async ({ console: page, thalamus }) => {
  thalamus.google.addAccount({ email: 'shy@example.com', name: 'Shy' });
  await page.goto('/integrations/drive');
  await page.getByRole('button', { name: /Drive/ }).click();
  await page.locator('#deny').click();
  await expect(page.getByRole('alert')).toContainText('declined');
  await expect(page.getByRole('heading', { level: 1, name: 'Google Drive' })).toBeVisible();
});

test('a bot is linked by its token, tested and unlinked; a wrong token gets a clear error', async ({
  console: page,
}) => {
  await page.goto('/integrations');
  await page.getByRole('link', { name: 'Telegram', exact: true }).click();
  await page.getByLabel('Bot token').fill(`99999:${'b'.repeat(35)}`);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Telegram does not accept this bot token (401)');

  await page.getByLabel('Bot token').fill(botToken);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const row = page.getByRole('listitem').filter({ hasText: '@ada_notes_bot' });
  await expect(row.getByText('Connected', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Bot token')).toHaveCount(0);
  await page.getByRole('button', { name: 'Connect another' }).click();
  await expect(page.getByLabel('Bot token')).toHaveValue('');
  await page.getByRole('button', { name: 'Test @ada_notes_bot' }).click();
  await expect(row.getByRole('status')).toContainText('It works: @ada_notes_bot answered.');
  expect(await listAxeProblems(page)).toEqual([]);

  await page.getByRole('button', { name: 'Disconnect @ada_notes_bot' }).click();
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click();
  await expect(page.getByText('BotFather, with /revoke')).toBeVisible();
  await expect(row).toHaveCount(0);
});

test('a provider without setup says so, with the redirect URI to copy, and becomes linkable once set up', async ({
  console: page,
}) => {
  await page.goto('/integrations/outlook_mail');
  await expect(page.getByRole('group', { name: 'redirect URI' })).toContainText('/api/oauth/callback');
  await page.getByLabel('Client ID').fill('the-client');
  await page.getByLabel('Client secret').fill('a-secret');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Connect Outlook mail' })).toBeVisible();
  await expect(page.getByText('Set for this workspace.')).toBeVisible();
  await expect(page.getByText('a-secret')).toHaveCount(0);
});

test('a calendar is linked with only its address, and syncs', async ({ console: page, thalamus }) => {
  const feed = thalamus.ics.addFeed('Harbour');
  feed.put({ uid: 'tide', summary: 'Highest tide of the year', start: new Date(Date.now() + 86_400_000) });
  await page.goto('/integrations');
  await page.getByRole('link', { name: 'Connect Calendar address (iCal)' }).click();
  await page.getByLabel('Secret address').fill(`${thalamus.ics.url}/nowhere.ics`);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('404');
  await page.getByLabel('Secret address').fill(feed.url);
  await expect(page.getByText('Once connected, the last 90 days sync into your personal brain')).toBeVisible();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Sync now' });
  await expect(row.getByText(/every 15 minutes · synced .* 1 changed/)).toBeVisible();
  expect(await page.content()).not.toContain(new URL(feed.url).pathname);
  expect(await listAxeProblems(page)).toEqual([]);
  await page.goto('/library?source=ics');
  await expect(page.getByRole('link', { name: /Highest tide/ })).toBeVisible();
});

test('any JSON address is linked, described and fetched', async ({ console: page, thalamus }) => {
  thalamus.json.put({ id: '1', name: 'Gears', notes: 'Oil the saffron bearing.', shelf: 'B7' });
  await page.goto('/integrations/http_json');
  await page.getByLabel('URL').fill(`${thalamus.json.url}/items/page`);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const pull = page.locator('form').filter({ has: page.getByRole('button', { name: 'Fetch', exact: true }) });
  for (let part = 2; part < 14; part += 1) thalamus.json.put({ id: `${part}`, name: `Part ${part}`, shelf: 'A1' });
  await pull.getByRole('button', { name: 'Fetch', exact: true }).click();
  await expect(page.getByText(/The answer has 10 items and says that \d+ more exist/)).toBeVisible();
  await pull.getByText('Response format').click();
  await pull.getByLabel('Title').fill('{{item.name}} on {{item.shelf}}');
  await pull.getByLabel('Paging').selectOption('page numbers');
  await pull.getByLabel('Parameter', { exact: true }).fill('page');
  await pull.getByLabel('Items per page').fill('10');
  expect(await listAxeProblems(page)).toEqual([]);
  await pull.getByRole('button', { name: 'Fetch', exact: true }).click();
  await page.getByRole('link', { name: 'Show', exact: true }).click();
  await expect(page.getByRole('link', { name: /Gears on B7/ })).toBeVisible();

  const { draft_id } = await thalamus.call(await createAgentKey(thalamus), 'act_on_integration', {
    source: 'http_json',
    action_name: 'send_request',
    input: { summary: 'Put the gears elsewhere', method: 'POST', path: '/items', body: { shelf: 'B7', count: 2 } },
  });
  await page.goto(`/inbox/${String(draft_id)}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Body').fill('{"shelf": "B8"');
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect(page.getByRole('form', { name: 'Edit the draft' }), 'invalid JSON is not saved').toBeVisible();
  await page.getByLabel('Body').fill('{"count": 2, "shelf": "B8"}');
  await page.getByRole('button', { name: /^Save/ }).click();
  await expect(page.getByLabel('Changes').getByRole('insertion')).toContainText('B8');
  await page.getByRole('button', { name: 'Approve with edits' }).click();
  await expect(async () => {
    const { payload } = await thalamus.call(thalamus.ownerKey, 'get_action', { draft_id });
    expect(payload).toMatchObject({ body: { shelf: 'B8', count: 2 } });
  }).toPass();
});

test('a custom provider is added by its addresses, linked, and removed with its accounts', async ({
  console: page,
  thalamus,
}) => {
  await page.goto('/integrations');
  await page.getByRole('link', { name: 'Add provider' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Our Forge');
  await page.getByLabel('Authorization URL').fill(`${thalamus.forge.url}/o/oauth2/v2/auth`);
  await page.getByLabel('Token URL').fill('https://10.0.0.1/token');
  await page.getByLabel('Client ID').fill(thalamus.forge.client.id);
  await page.getByLabel('Client secret').fill(thalamus.forge.client.secret);
  await page.getByLabel('Scopes').fill('openid email offline_access');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toContainText('token_url: The address 10.0.0.1 is');
  await page.getByLabel('Token URL').fill(`${thalamus.forge.url}/token`);
  await page.getByLabel('Userinfo URL').fill(`${thalamus.forge.url}/oauth2/v2/userinfo`);
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();

  await expect(page).toHaveURL(/\/integrations\/our-forge$/);
  await page.getByRole('button', { name: 'Connect Our Forge' }).click();
  await page.getByPlaceholder('Enter any login').fill('dora');
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'dora@example.com' })).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);

  await page.getByRole('button', { name: 'Edit OAuth client' }).click();
  await page.getByLabel('Token URL').fill('https://elsewhere.example.com/token');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toContainText(
    '1 linked account of our-forge would then send tokens to other addresses',
  );
  await page.reload();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(
    page.getByText('One account was disconnected. Revoke the access at Our Forge yourself.').first(),
  ).toBeVisible();
  await expect(page).toHaveURL(/\/integrations$/);
  await expect(page.getByRole('link', { name: 'Our Forge' })).toHaveCount(0);
});

/** Chooses an account in a form that asks for it once there are several; journeys before this one have linked others. */
async function choose(page: Page, button: string, account: string): Promise<void> {
  await expect(page.getByRole('button', { name: `Test ${account}` })).toBeVisible();
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: button, exact: true }) });
  const several = form.getByLabel('Account', { exact: true });
  if (await several.isVisible()) await several.selectOption(account);
}
