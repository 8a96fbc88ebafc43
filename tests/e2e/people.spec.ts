import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import { faults } from './axe.ts';
import { startThalamus, type Thalamus } from './thalamus.ts';

// A server of its own: a second workspace changes how people sign in.
let thalamus: Thalamus;
let owner: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  thalamus = await startThalamus();
  owner = await browser.newContext();
  page = await owner.newPage();
  await signIn(page, thalamus.signInLink);
});
test.afterAll(async () => {
  await owner.close();
  await thalamus.close();
});

test('an invited person joins by the link, becomes an admin, and is signed out when removed', async ({ browser }) => {
  await page.goto(`${thalamus.url}/people`);
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('Mail address').fill('mary@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  const invitations = page.getByRole('list', { name: 'Invitations' });
  await invitations.getByRole('button', { name: /New link/ }).click();
  const link = (await page.getByLabel('invitation link', { exact: true }).textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(invitations.getByRole('listitem')).toContainText('mary@example.com');
  expect(await faults(page)).toEqual([]);

  const mary = await (await browser.newContext()).newPage();
  await signIn(mary, link);
  await mary.goto(`${thalamus.url}/people`);
  await expect(mary.getByRole('button', { name: 'Invite' })).toHaveCount(0);
  await expect(mary.getByRole('link', { name: 'Settings' })).toHaveCount(0);

  const row = page.getByRole('list', { name: 'People' }).getByRole('button', { name: /mary@example\.com/ });
  await expect(invitations.getByRole('listitem')).toHaveCount(0);
  await row.click();
  await page.getByLabel('Role').selectOption('admin');
  await expect(page.getByText('Role changed')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('button', { name: /^End the session of/ })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page
    .getByRole('dialog', { name: /^Remove / })
    .getByRole('button', { name: 'Remove' })
    .click();
  await expect(row).toHaveCount(0);
  await expect(async () => {
    await mary.reload();
    await expect(mary.getByRole('heading', { name: /^Sign in/ })).toBeVisible({ timeout: 2_000 });
  }).toPass();
});

test('a person creates a workspace, switches between the two, and deletes it', async () => {
  await page.goto(thalamus.url);
  const switcher = page.getByRole('button', { name: /Switch workspace$/ });
  const first = (await switcher.textContent())?.replace('Switch workspace', '') ?? '';
  await switcher.click();
  await page.getByRole('menuitem', { name: 'Create workspace' }).click();
  await page.getByLabel('Name').fill('Boatyard');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(switcher).toContainText('Boatyard');

  const oldTab = await owner.newPage();
  await oldTab.goto(`${thalamus.url}/memory`);
  await expect(oldTab.getByRole('button', { name: /Switch workspace$/ })).toContainText('Boatyard');
  await switcher.click();
  await page.getByRole('menuitem', { name: first, exact: true }).click();
  await expect(switcher).toContainText(first);
  await oldTab.getByRole('button', { name: 'Add memory' }).click();
  await oldTab.getByRole('dialog').getByRole('textbox').first().fill('Meant for the boatyard');
  await oldTab.getByRole('dialog').getByRole('button', { name: 'Remember it' }).click();
  await expect(oldTab.getByText('You switched to another workspace').first()).toBeVisible();
  await oldTab.close();

  await switcher.click();
  await page.getByRole('menuitem', { name: 'Boatyard', exact: true }).click();
  await expect(switcher).toContainText('Boatyard');
  await page.goto(`${thalamus.url}/settings`);
  await page.getByRole('button', { name: 'Delete workspace' }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete Boatyard?' });
  await deleting.getByLabel('Type Boatyard to confirm').fill('Boatyard');
  expect(await faults(page)).toEqual([]);
  await deleting.getByRole('button', { name: 'Delete workspace' }).click();
  await expect(switcher).toContainText(first);
  await switcher.click();
  await expect(page.getByRole('menuitem', { name: 'Create workspace' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Boatyard' })).toHaveCount(0);
});

/** Opens a one-time link and presses the button, which is what uses it up. */
async function signIn(on: Page, link: string): Promise<void> {
  await on.goto(link);
  await on.getByRole('button', { name: 'Sign in' }).click();
  await expect(on.getByRole('heading', { level: 1 })).toHaveText(/^Good/);
}
