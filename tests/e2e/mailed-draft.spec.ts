import { startSmtp, type SmtpServer } from '../support/smtp.ts';
import { createMailDraft, linkGmail } from './drafting.ts';
import { expect, test as base } from './fixture.ts';
import { startThalamus, type Thalamus } from './thalamus.ts';

/** A server that has a mail server. */
const test = base.extend<object, { smtp: SmtpServer; thalamus: Thalamus }>({
  smtp: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern.
    async ({}, use) => {
      const smtp = await startSmtp();
      await use(smtp);
      await smtp.close();
    },
    { scope: 'worker' },
  ],
  thalamus: [
    async ({ smtp }, use) => {
      const thalamus = await startThalamus({
        THALAMUS_MAIL_URL: smtp.url,
        THALAMUS_MAIL_GATHER_SECONDS: '1',
        THALAMUS_OWNER_EMAIL: 'jonas@example.com',
      });
      await use(thalamus);
      await thalamus.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test('a person turns on mails of drafts, and approves one from the link, signing in where needed', async ({
  console: page,
  thalamus,
  smtp,
  browser,
}) => {
  await linkGmail(page, thalamus);
  await page.goto('/account/notifications');
  await expect(page.getByText('To jonas@example.com.')).toBeVisible();
  await page.getByLabel('At once').click();
  await expect(page.getByLabel('At once')).toBeChecked();
  await page.reload();
  await expect(page.getByLabel('At once')).toBeChecked();

  const draftId = await createMailDraft(thalamus, { subject: 'Mailed to me' });
  await expect.poll(() => smtp.taken.length, { timeout: 15_000 }).toBe(1);
  const link = /http\S+\/inbox\/\S+/.exec(smtp.taken[0]?.text ?? '')?.[0] ?? '';
  expect(link).toBe(`${thalamus.url}/inbox/${draftId}`);

  // Where somebody is signed in already, it just opens.
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Mailed to me', level: 3 })).toBeVisible();

  // Elsewhere they sign in first, and come to the draft.
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const other = await phone.newPage();
  await other.goto(link);
  await other.getByLabel('Your mail address').fill('jonas@example.com');
  await other.getByRole('button', { name: 'Mail me a link' }).click();
  await expect.poll(() => smtp.taken.length, { timeout: 15_000 }).toBe(2);
  const signIn = /http\S+#tl_[\w-]+/.exec(smtp.taken[1]?.text ?? '')?.[0] ?? '';
  await other.goto(signIn);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(/^Good/);
  await other.goto(link);
  await other.getByRole('button', { name: 'Approve & send' }).click();
  await expect(other.getByText('Sent.', { exact: true })).toBeVisible();
  expect(thalamus.google.ledger.sent().map(({ subject }) => subject)).toEqual(['Mailed to me']);

  await phone.close();
});

test('without a mail server the page says which setting is missing', async ({ browser }) => {
  const mute = await startThalamus();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(mute.signInLink);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Good/);
  await page.goto(`${mute.url}/account/notifications`);
  await expect(page.getByText('THALAMUS_MAIL_URL')).toBeVisible();
  await expect(page.getByLabel('At once')).toBeDisabled();
  await context.close();
  await mute.close();
});
