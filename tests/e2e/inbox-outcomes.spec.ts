// Drafts with an unknown outcome, and how people resolve them.
import { listAxeProblems } from './axe.ts';
import { account, declineAll, createMailDraft, linkGmail } from './drafting.ts';
import { expect, test } from './fixture.ts';

test.beforeEach(async ({ console: page, thalamus }) => linkGmail(page, thalamus));
test.afterEach(async ({ thalamus }) => declineAll(thalamus));

test('a mail with a lost answer comes first until its outcome is known, and is sent once', async ({
  console: page,
  thalamus,
}) => {
  const { failures, ledger } = thalamus.google;
  const draftId = await createMailDraft(thalamus, { subject: 'Lost answer' });
  failures.next({ path: /drafts\/send$/ }, { kind: 'cut', when: 'after' });
  failures.next({ method: 'GET', path: /^\/gmail/ }, { kind: 'status', status: 503 }, 1_000);
  await page.goto(`/inbox/${draftId}`);
  await page.getByRole('button', { name: 'Approve & send' }).click();
  await expect(page.getByText('Maybe sent')).toBeVisible({ timeout: 20_000 });
  const waiting = page.getByRole('region', { name: 'Waiting' });
  await expect(waiting.getByRole('heading', { name: 'May have been sent' })).toBeVisible();
  await expect(waiting.getByRole('listitem').first()).toContainText('Lost answer');
  await createMailDraft(thalamus, { subject: 'Newer than that' });
  await page.getByRole('link', { name: 'Inbox 2 waiting' }).waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByText('2 drafts to review')).toBeVisible();
  const rows = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.locator('[href^="/inbox/"]') });
  await expect(rows).toHaveText([/Lost answer.*Maybe sent/, /Newer than that/]);
  await rows.first().getByRole('link').click();

  failures.clear();
  await expect(page.getByText('Sent.', { exact: true })).toBeVisible({ timeout: 30_000 });
  expect(ledger.sent().filter(({ subject }) => subject === 'Lost answer')).toHaveLength(1);
});

test('a person answers for an ambiguous draft, or drafts it again', async ({ console: page, thalamus, browser }) => {
  const { failures, ledger } = thalamus.google;
  const draftId = await createMailDraft(thalamus, { subject: 'Never arrived' });
  failures.next({ path: /drafts\/send$/ }, { kind: 'cut', when: 'before' });
  failures.next({ method: 'GET', path: /^\/gmail/ }, { kind: 'status', status: 503 }, 1_000);
  await page.goto(`/inbox/${draftId}`);
  await page.getByRole('button', { name: 'Approve & send' }).click();
  const again = page.getByRole('button', { name: 'Draft again' });
  await expect(again).toBeVisible({ timeout: 20_000 });
  await page.reload(); // and the toast is no longer shown
  const known = (label: string) => page.getByLabel('Evidence').locator('dt', { hasText: label }).locator('+ dd');
  await expect(known('Reason')).toContainText('503');
  await expect(known('Sent to provider').locator('time')).toHaveAttribute('datetime', /^20\d\d-/);
  await expect(known('Last check').locator('time')).toHaveAttribute('datetime', /^20\d\d-/);
  await expect(known('Tracking id')).toContainText(/gmail draft id \S+/);
  await expect(known('Where to look')).toHaveText(
    `The sent mails of ${account}, for “Never arrived” to ana@example.com.`,
  );
  expect(await listAxeProblems(page)).toEqual([]);

  const context = await browser.newContext();
  const other = await context.newPage();
  const { url } = await thalamus.call(thalamus.ownerKey, 'create_sign_in_link');
  await other.goto(String(url));
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.waitForURL(`${thalamus.url}/`);
  await other.goto(`${thalamus.url}/inbox/${draftId}`);
  await expect(other.getByText(/you signed in with a link that a key made/)).toBeVisible();
  for (const name of ['It happened', 'It did not', 'Draft again'])
    await expect(other.getByRole('button', { name })).toBeDisabled();
  expect(await listAxeProblems(other)).toEqual([]);
  await context.close();

  // It is refused as long as the mail may still arrive.
  await expect(async () => {
    if (page.url().includes(draftId)) await again.click({ timeout: 1_000 });
    await expect(page).not.toHaveURL(new RegExp(draftId), { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  failures.clear();
  await expect(page.getByRole('button', { name: 'Approve & send' })).toBeVisible();
  expect(ledger.sent().filter(({ subject }) => subject === 'Never arrived')).toHaveLength(0);
  await page.getByRole('button', { name: 'Approve & send' }).click();
  await expect(page.getByText('Sent.', { exact: true })).toBeVisible({ timeout: 30_000 });
  expect(ledger.sent().filter(({ subject }) => subject === 'Never arrived')).toHaveLength(1);

  await page.goto(`/inbox/${draftId}`);
  await expect(page.getByText(/^Approved, but it failed\. It is not known whether it happened\./)).toBeVisible();
  await expect(page.getByText('nothing was sent')).toHaveCount(0);
  const answered = page.getByRole('listitem').filter({ hasText: /^Answered/ });
  await expect(answered).toContainText('by Owner · “Draft again”');
});
