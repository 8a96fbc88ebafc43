import type { Page } from '@playwright/test';
import { faults } from './axe.ts';
import { expect, test } from './fixture.ts';
import type { Thalamus } from './thalamus.ts';

const account = 'jonas@example.com';

test.beforeEach(async ({ console: page, thalamus }) => linkGmail(page, thalamus));

test('a draft appears by itself, is edited, approved, and sent once as edited', async ({ console: page, thalamus }) => {
  await page.goto('/inbox');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await draftMail(thalamus, { subject: 'The agenda', body: 'Two points.' });
  await page.getByRole('link', { name: /The agenda/ }).click();
  await expect(page.getByRole('heading', { name: 'The agenda', level: 3 })).toBeVisible();

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Subject').fill('The agenda for Thursday');
  await page.getByRole('button', { name: 'Keep changes' }).click();
  await expect(page.getByText('You changed subject.')).toBeVisible();
  await page.getByRole('button', { name: 'Approve with edits' }).click();

  await expect(page.getByText('Approved and carried out.', { exact: true })).toBeVisible();
  const sent = thalamus.google.ledger.sent().filter(({ subject }) => subject.startsWith('The agenda'));
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ account, subject: 'The agenda for Thursday', to: ['ana@example.com'] });
});

test('a declined draft sends nothing and is written down', async ({ console: page, thalamus }) => {
  const draftId = await draftMail(thalamus, { subject: 'Not this one' });
  await page.goto(`/inbox/${draftId}`);
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(page.getByText('Declined. Nothing left this server.')).toBeVisible();
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Not this one' })).toContainText('Declined');
  expect(thalamus.google.ledger.sent().filter(({ subject }) => subject === 'Not this one')).toHaveLength(0);
});

test('the inbox is worked by keys alone, and a second press approves nothing else', async ({
  console: page,
  thalamus,
}) => {
  const first = await draftMail(thalamus, { subject: 'Key one' });
  const second = await draftMail(thalamus, { subject: 'Key two' });
  await page.goto(`/inbox/${first}`);
  await expect(page.getByRole('heading', { name: 'Key one', level: 3 })).toBeVisible();
  await page.keyboard.press('a');
  await page.keyboard.press('a');
  await expect(page.getByText('Approved and carried out.', { exact: true })).toBeVisible();
  await page.keyboard.press('a');
  const subjects = () => thalamus.google.ledger.sent().map(({ subject }) => subject);
  expect(subjects().filter((subject) => subject.startsWith('Key'))).toEqual(['Key one']);

  await page.goto(`/inbox/${second}`);
  await expect(page.getByRole('heading', { name: 'Key two', level: 3 })).toBeVisible();
  await page.keyboard.press('d');
  await expect(page.getByText('Declined. Nothing left this server.')).toBeVisible();
});

test('a batch is approved as one, each mail once', async ({ console: page, thalamus }) => {
  const batch_id = crypto.randomUUID();
  const subjects = ['Invoice 1', 'Invoice 2', 'Invoice 3'];
  for (const subject of subjects) await draftMail(thalamus, { subject }, batch_id);
  await page.goto('/inbox');
  await page.getByRole('button', { name: 'Approve all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve 3' }).click();
  await expect(page.getByText('3 carried out')).toBeVisible();
  const sent = thalamus.google.ledger.sent().map(({ subject }) => subject);
  expect(sent.filter((subject) => subject.startsWith('Invoice'))).toEqual(subjects);
});

test('a mail whose answer is lost stands first until it is known, and is sent once', async ({
  console: page,
  thalamus,
}) => {
  const { failures, ledger } = thalamus.google;
  const draftId = await draftMail(thalamus, { subject: 'Lost answer' });
  failures.next({ path: /drafts\/send$/ }, { kind: 'cut', when: 'after' });
  failures.next({ method: 'GET', path: /^\/gmail/ }, { kind: 'status', status: 503 }, 1_000);
  await page.goto(`/inbox/${draftId}`);
  await page.getByRole('button', { name: 'Approve & send' }).click();
  await expect(page.getByText('Maybe sent')).toBeVisible({ timeout: 20_000 });
  const waiting = page.getByRole('region', { name: 'Waiting' });
  await expect(waiting.getByRole('heading', { name: 'May have been sent' })).toBeVisible();
  await expect(waiting.getByRole('listitem').first()).toContainText('Lost answer');

  failures.clear();
  await expect(page.getByText('Approved and carried out.', { exact: true })).toBeVisible({ timeout: 30_000 });
  expect(ledger.sent().filter(({ subject }) => subject === 'Lost answer')).toHaveLength(1);
});

test('what nobody knows is answered by who looked, or drafted again', async ({ console: page, thalamus }) => {
  const { failures, ledger } = thalamus.google;
  const draftId = await draftMail(thalamus, { subject: 'Never arrived' });
  failures.next({ path: /drafts\/send$/ }, { kind: 'cut', when: 'before' });
  failures.next({ method: 'GET', path: /^\/gmail/ }, { kind: 'status', status: 503 }, 1_000);
  await page.goto(`/inbox/${draftId}`);
  await page.getByRole('button', { name: 'Approve & send' }).click();
  const again = page.getByRole('button', { name: 'Draft it again' });
  await expect(again).toBeVisible({ timeout: 20_000 });
  // It is refused as long as the mail may still arrive.
  await expect(async () => {
    if (page.url().includes(draftId)) await again.click({ timeout: 1_000 });
    await expect(page).not.toHaveURL(new RegExp(draftId), { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  failures.clear();
  await expect(page.getByRole('button', { name: 'Approve & send' })).toBeVisible();
  expect(ledger.sent().filter(({ subject }) => subject === 'Never arrived')).toHaveLength(0);
  await page.getByRole('button', { name: 'Approve & send' }).click();
  await expect(page.getByText('Approved and carried out.', { exact: true })).toBeVisible({ timeout: 30_000 });
  expect(ledger.sent().filter(({ subject }) => subject === 'Never arrived')).toHaveLength(1);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a draft, its form and its outcome pass axe in ${colorScheme}`, async ({ console: page, thalamus }) => {
    await page.emulateMedia({ colorScheme });
    const draftId = await draftMail(thalamus, { subject: `Seen by axe in ${colorScheme}` });
    await page.goto(`/inbox/${draftId}`);
    await expect(page.getByRole('button', { name: 'Approve & send' })).toBeVisible();
    expect.soft(await faults(page), 'draft').toEqual([]);
    await page.getByRole('button', { name: 'Edit' }).click();
    expect.soft(await faults(page), 'form').toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Decline', exact: true }).click();
    await expect(page.getByText('Declined. Nothing left this server.')).toBeVisible();
    expect.soft(await faults(page), 'outcome').toEqual([]);
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('a draft is approved under the thumb', async ({ console: page, thalamus }) => {
    await draftMail(thalamus, { subject: 'From the train' });
    await page.goto('/inbox');
    await page.getByRole('link', { name: /From the train/ }).tap();
    await expect(page.getByRole('heading', { name: 'From the train', level: 3 })).toBeVisible();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: /Approve/ }).tap();
    await expect(page.getByText('Approved and carried out.', { exact: true })).toBeVisible();
  });
});

async function draftMail(
  thalamus: Thalamus,
  mail: { subject: string; body?: string },
  batch_id?: string,
): Promise<string> {
  const key = await agentKey(thalamus);
  const { draft_id } = await thalamus.call(key, 'act_on_integration', {
    source: 'gmail',
    account,
    action_name: 'send_email',
    input: { to: ['ana@example.com'], body: 'Hello.', ...mail },
    ...(batch_id && { batch_id }),
  });
  return String(draft_id);
}

async function agentKey(thalamus: Thalamus): Promise<string> {
  const { key } = await thalamus.call(thalamus.ownerKey, 'create_key', { label: 'Claude' });
  return String(key);
}

/** Links the mailbox as a person does; the second time it is there already. */
async function linkGmail(page: Page, thalamus: Thalamus): Promise<void> {
  const { integrations } = await thalamus.call(thalamus.ownerKey, 'list_integrations');
  const isLinked = JSON.stringify(integrations).includes(account);
  if (isLinked) return;
  thalamus.google.addAccount({ email: account, name: 'Jonas' });
  await page.goto('/integrations/gmail');
  await page.getByRole('button', { name: /Connect|Link another/ }).click();
  await page.getByLabel(new RegExp(account)).check();
  await page.locator('#allow').click();
  await expect(page.getByText(account)).toBeVisible();
}
