import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import { startSmtp, type SmtpServer } from '../support/smtp.ts';
import { listAxeProblems } from './axe.ts';
import { startThalamus, type Thalamus } from './thalamus.ts';

// A server of its own: it sends mail, and people of a domain may sign up.
let smtp: SmtpServer;
let thalamus: Thalamus;
let owner: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  smtp = await startSmtp();
  thalamus = await startThalamus({ THALAMUS_MAIL_URL: smtp.url, THALAMUS_SIGN_UP: 'company.com' });
  owner = await browser.newContext();
  page = await owner.newPage();
  await signIn(page, thalamus.signInLink);
});
test.afterAll(async () => {
  await owner.close();
  await thalamus.close();
  await smtp.close();
});

test('a person changes their name, and adds a second address that they confirm by a mailed link', async () => {
  await page.goto(`${thalamus.url}/account`);
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved').first()).toBeVisible();
  await page.getByRole('button', { name: 'Add an address' }).click();
  await page.getByRole('dialog').getByLabel('Mail address').fill('ada@second.example');
  await page.getByRole('button', { name: 'Mail me a link' }).click();
  await expect(page.getByText('A link is on its way to ada@second.example')).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.goto(await linkTo('ada@second.example', /http\S+\/account\/address#\S+/));
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('You can sign in with ada@second.example')).toBeVisible();
  await page.getByRole('link', { name: 'My account' }).last().click();
  const addresses = page.getByRole('list', { name: 'Mail addresses' });
  await addresses.getByRole('button', { name: 'Use in this workspace' }).click();
  await expect(addresses.getByRole('listitem').first()).toContainText('ada@second.exampleThis workspace');
  expect(await listAxeProblems(page)).toEqual([]);
  await page.goto(`${thalamus.url}/people`);
  await expect(page.getByRole('list', { name: 'People' })).toContainText('Ada Lovelace');
});

test('a person of an allowed domain signs up and gets a workspace, and other addresses get no mail', async ({
  browser,
}) => {
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`${thalamus.url}/sign-in`);
  await visitor.getByRole('link', { name: 'Sign up' }).click();
  await expect(visitor.getByText('People with an address at company.com')).toBeVisible();
  expect(await listAxeProblems(visitor)).toEqual([]);
  for (const email of ['eve@elsewhere.com', 'grace@company.com']) {
    await visitor.getByLabel('Your mail address').fill(email);
    await visitor.getByRole('button', { name: 'Mail me a link' }).click();
    await expect(visitor.getByText('a link is on its way')).toBeVisible();
  }
  await signIn(visitor, await linkTo('grace@company.com', /http\S+\/sign-in#tl_[\w-]+/));
  await expect(visitor.getByRole('button', { name: /Workspace menu$/ })).toContainText("Grace's workspace");
  expect(smtp.taken.flatMap(({ to }) => to)).not.toContain('eve@elsewhere.com');
  await visitor.context().close();
});

async function linkTo(email: string, pattern: RegExp): Promise<string> {
  const found = () => pattern.exec(smtp.taken.findLast(({ to }) => to.includes(email))?.text ?? '')?.[0] ?? '';
  await expect.poll(found).not.toBe('');
  return found();
}

async function signIn(on: Page, link: string): Promise<void> {
  await on.goto(link);
  await on.getByRole('button', { name: 'Sign in' }).click();
  await expect(on.getByRole('heading', { level: 1 })).toHaveText(/^Good/);
}
