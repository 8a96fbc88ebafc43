import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import { listAxeProblems } from './axe.ts';
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
  expect(await listAxeProblems(page)).toEqual([]);

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
  const switcher = page.getByRole('button', { name: /Workspace menu$/ });
  const first = (await switcher.textContent())?.replace('Workspace menu', '') ?? '';
  await switcher.click();
  await page.getByRole('menuitem', { name: 'Create workspace' }).click();
  await page.getByLabel('Name').fill('Boatyard');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(switcher).toContainText('Boatyard');

  const oldTab = await owner.newPage();
  await oldTab.goto(`${thalamus.url}/memory`);
  await expect(oldTab.getByRole('button', { name: /Workspace menu$/ })).toContainText('Boatyard');
  await switcher.click();
  await page.getByRole('menuitem', { name: first, exact: true }).click();
  await expect(switcher).toContainText(first);
  await oldTab.getByRole('button', { name: 'Add memory' }).click();
  await oldTab.getByRole('dialog').getByRole('textbox').first().fill('Meant for the boatyard');
  await oldTab.getByRole('dialog').getByRole('button', { name: 'Add memory' }).click();
  await expect(oldTab.getByText('You switched to another workspace').first()).toBeVisible();
  await oldTab.close();

  await switcher.click();
  await page.getByRole('menuitem', { name: 'Boatyard', exact: true }).click();
  await expect(switcher).toContainText('Boatyard');
  await page.goto(`${thalamus.url}/settings`);
  await page.getByRole('button', { name: 'Delete workspace' }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete Boatyard?' });
  await deleting.getByLabel('Type Boatyard to confirm').fill('Boatyard');
  expect(await listAxeProblems(page)).toEqual([]);
  await deleting.getByRole('button', { name: 'Delete workspace' }).click();
  await expect(switcher).toContainText(first);
  await switcher.click();
  await expect(page.getByRole('menuitem', { name: 'Create workspace' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Boatyard' })).toHaveCount(0);
});

test('a person with an account joins other workspaces with it: by a link that was passed on, and in the menu', async ({
  browser,
}) => {
  const context = await browser.newContext();
  const lena = await context.newPage();
  await signIn(lena, await invite('lena@example.com'));
  await createWorkspace('Harbour');
  const link = await invite('lena@harbour.example');
  await lena.goto(link);
  const join = lena.getByRole('button', { name: 'Join as Lena' });
  await expect(join).toBeVisible();
  await checkAppearance(lena, 'join-link');
  await join.click();
  const switcher = lena.getByRole('button', { name: /Workspace menu$/ });
  await expect(switcher).toContainText('Harbour');

  await thalamus.proveAddresses();
  await createWorkspace('Shipyard of the old harbour at the end of the long pier');
  await invite('lena@example.com');
  await lena.reload();
  await switcher.click();
  const item = lena.getByRole('menuitem', { name: /^Join Shipyard/ });
  await expect(item).toBeVisible();
  await checkAppearance(lena, 'join-menu', 'color-contrast'); // the guards of an open menu are those of its library
  await item.click();
  await expect(switcher).toContainText('Shipyard');
  await context.close();
});

async function createWorkspace(name: string): Promise<void> {
  await page.goto(thalamus.url);
  await page.getByRole('button', { name: /Workspace menu$/ }).click();
  await page.getByRole('menuitem', { name: 'Create workspace' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('button', { name: /Workspace menu$/ })).toContainText(name);
}

/** Invites an address to the workspace that is shown. Answers the link to pass on. */
async function invite(email: string): Promise<string> {
  await page.goto(`${thalamus.url}/people`);
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('Mail address').fill(email);
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  const link = (await page.getByLabel('invitation link', { exact: true }).textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();
  return link;
}

/** Checks what is shown on a desktop and a phone, in light and in dark, and keeps pictures. */
async function checkAppearance(on: Page, name: string, rule?: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await on.emulateMedia({ colorScheme });
    expect.soft(await listAxeProblems(on, rule), `${name} in ${colorScheme}`).toEqual([]);
    await on.screenshot({ path: `.tmp/${name}-1280-${colorScheme}.png` });
    await on.setViewportSize({ width: 390, height: 844 });
    await on.screenshot({ path: `.tmp/${name}-390-${colorScheme}.png` });
    await on.setViewportSize({ width: 1280, height: 800 });
  }
  await on.emulateMedia({ colorScheme: 'light' });
}

/** Opens a one-time link and presses the button, which is what uses it up. */
async function signIn(on: Page, link: string): Promise<void> {
  await on.goto(link);
  await on.getByRole('button', { name: /^(Sign in|Join with a new account)$/ }).click();
  await expect(on.getByRole('heading', { level: 1 })).toHaveText(/^Good/);
}
