import type { Page } from '@playwright/test';
import { listAxeProblems } from './axe.ts';
import { account, declineAll, createMailDraft, linkGmail } from './drafting.ts';
import { expect, test } from './fixture.ts';
import type { Thalamus } from './thalamus.ts';

test.beforeEach(async ({ console: page, thalamus }) => linkGmail(page, thalamus));
test.afterEach(async ({ thalamus }) => declineAll(thalamus));

test('a draft appears without a reload, is edited, approved, and sent once as edited', async ({
  console: page,
  thalamus,
}) => {
  await page.goto('/inbox');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await createMailDraft(thalamus, { subject: 'The agenda', body: 'Two points.' });
  await page.getByRole('link', { name: /The agenda/ }).click();
  await expect(page.getByRole('heading', { name: 'The agenda', level: 3 })).toBeVisible();

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('To', { exact: true }).fill('ana@example.com, ben');
  await page.getByLabel('Subject').fill('The agenda for Thursday');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('To', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('To', { exact: true })).toBeFocused();
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByLabel('To', { exact: true }).fill('ana@example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/Edited by Owner: subject\./)).toBeVisible();
  await page.getByRole('button', { name: 'Approve with edits' }).click();

  await expect(page.getByText('Sent.', { exact: true })).toBeVisible();
  const sent = thalamus.google.ledger.sent().filter(({ subject }) => subject.startsWith('The agenda'));
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ account, subject: 'The agenda for Thursday', to: ['ana@example.com'] });
});

test('a declined draft sends nothing and is recorded', async ({ console: page, thalamus }) => {
  const draftId = await createMailDraft(thalamus, { subject: 'Not this one' });
  await page.goto(`/inbox/${draftId}`);
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(page.getByText('Declined. Nothing was sent.')).toBeVisible();
  await page.getByRole('link', { name: 'Activity' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Not this one' })).toContainText('Declined');
  expect(thalamus.google.ledger.sent().filter(({ subject }) => subject === 'Not this one')).toHaveLength(0);
});

test('the keyboard decides one draft after the other, and a second press decides nothing else', async ({
  console: page,
  thalamus,
}) => {
  const subjects = ['Key one', 'Key two', 'Key three'];
  const drafts = [];
  for (const subject of subjects) drafts.push(await createMailDraft(thalamus, { subject }));
  const isShown = (subject: string) => expect(page.getByRole('heading', { name: subject, level: 3 })).toBeVisible();
  await page.goto('/inbox');
  await isShown('Key three');
  await page.keyboard.press('j');
  await isShown('Key two');
  await page.keyboard.press('k');
  await isShown('Key three');
  // One right after the other, however slow the machine is.
  await Promise.all([page.keyboard.press('a'), page.keyboard.press('a')]);
  await isShown('Key two');
  await expect(page.getByText('Sent “Key three”', { exact: true })).toBeVisible();
  expect(listSentKeys(thalamus)).toEqual(['Key three']);

  await waitUntilSeen(page);
  await page.keyboard.press('d');
  await isShown('Key one');
  await expect(page.getByRole('region', { name: 'Waiting' }).getByRole('listitem')).toHaveCount(1);
  await waitUntilSeen(page);
  await page.keyboard.press('a');
  await expect(page.getByText('Sent.', { exact: true })).toBeVisible();
  await page.keyboard.press('a');
  await expect(page.getByText('No drafts to review')).toBeVisible();
  expect(listSentKeys(thalamus)).toEqual(['Key three', 'Key one']);
  expect(await thalamus.call(thalamus.ownerKey, 'get_action', { draft_id: drafts[1] })).toMatchObject({
    status: 'discarded',
  });
});

test('notices of declined drafts stay in one place, the last one on top; nothing on the page moves', async ({
  console: page,
  thalamus,
}) => {
  const subjects = ['Quick one', 'Quick two', 'Quick three', 'Quick four'];
  for (const subject of subjects) await createMailDraft(thalamus, { subject });
  await page.goto('/inbox');
  for (const subject of subjects.toReversed().slice(0, 3)) {
    await expect(page.getByRole('heading', { name: subject, level: 3 })).toBeVisible();
    await waitUntilSeen(page);
    await page.keyboard.press('d');
  }
  const notifications = page.getByRole('region', { name: 'Notifications' });
  await expect(notifications.getByText('Quick two')).toBeVisible();
  await expect(notifications.getByText('Declined', { exact: true })).toHaveCount(1);

  await expect(page.getByRole('heading', { name: 'Quick one', level: 3 })).toBeVisible();
  await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0);
});

test('a draft that the server refused, or never received, returns to its place with a notice', async ({
  console: page,
  thalamus,
}) => {
  const first = await createMailDraft(thalamus, { subject: 'Blocked' });
  await createMailDraft(thalamus, { subject: 'Beside it' });
  await page.goto(`/inbox/${first}`);
  const waiting = page.getByRole('region', { name: 'Waiting' });
  await expect(waiting.getByRole('listitem')).toHaveCount(2);
  await page.route('**/v1/tools/discard_action', (route) => route.abort());
  await expect(page.getByRole('button', { name: 'Decline', exact: true })).toBeEnabled();
  await page.keyboard.press('d');
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText('Not declined: Blocked')).toBeVisible();
  await expect(waiting.getByRole('listitem').last()).toContainText('Blocked');
  await page.unroute('**/v1/tools/discard_action');

  await waiting.getByRole('link', { name: /Blocked/ }).click();
  await expect(page.getByRole('heading', { name: 'Blocked', level: 3 })).toBeVisible();
  await waitUntilSeen(page);
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(waiting.getByRole('listitem')).toHaveCount(1);
});

test('a batch is approved as one, and each mail is sent once', async ({ console: page, thalamus }) => {
  const batch_id = crypto.randomUUID();
  const subjects = ['Invoice 1', 'Invoice 2', 'Invoice 3'];
  await createMailDraft(thalamus, { subject: 'Older and alone' });
  for (const subject of subjects) await createMailDraft(thalamus, { subject }, batch_id);
  await page.goto('/inbox');
  const [last, alone] = [/Invoice 3/, /Older and alone/].map((name) => page.getByRole('link', { name }).boundingBox());
  expect((await last)?.x, 'what belongs together is set in').toBeGreaterThan((await alone)?.x ?? Infinity);
  await page.getByRole('button', { name: 'Approve all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve 3' }).click();
  await expect(page.getByText('3 sent')).toBeVisible();
  const sent = thalamus.google.ledger.sent().map(({ subject }) => subject);
  expect(sent.filter((subject) => subject.startsWith('Invoice'))).toEqual(subjects);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a draft, its form and its outcome pass axe in ${colorScheme}`, async ({ console: page, thalamus }) => {
    await page.emulateMedia({ colorScheme });
    const draftId = await createMailDraft(thalamus, { subject: `Seen by axe in ${colorScheme}` });
    await page.goto(`/inbox/${draftId}`);
    await expect(page.getByRole('button', { name: 'Approve & send' })).toBeVisible();
    expect.soft(await listAxeProblems(page), 'draft').toEqual([]);
    await page.getByRole('button', { name: 'Edit' }).click();
    expect.soft(await listAxeProblems(page), 'form').toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Decline', exact: true }).click();
    await expect(page.getByText('Declined. Nothing was sent.')).toBeVisible();
    expect.soft(await listAxeProblems(page), 'outcome').toEqual([]);
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('a draft is approved with the thumb', async ({ console: page, thalamus }) => {
    await createMailDraft(thalamus, { subject: 'From the train' });
    await page.goto('/inbox');
    await page.getByRole('link', { name: /From the train/ }).tap();
    await expect(page.getByRole('heading', { name: 'From the train', level: 3 })).toBeVisible();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: /Approve/ }).tap();
    await expect(page.getByText('Sent.', { exact: true })).toBeVisible();
  });
});

test.describe('below 1024 px', () => {
  test.use({ viewport: { width: 900, height: 800 } });

  test('one pane shows at a time: the list, then the draft in the whole width, then the list again', async ({
    console: page,
    thalamus,
  }) => {
    await createMailDraft(thalamus, { subject: 'On a small screen' });
    await page.goto('/inbox');
    const row = page.getByRole('link', { name: /On a small screen/ });
    await row.click();
    const heading = page.getByRole('heading', { name: 'On a small screen', level: 3 });
    await expect(heading).toBeVisible();
    await expect(row).toBeHidden();
    const article = await page.getByRole('article').filter({ has: heading }).boundingBox();
    expect(article?.width).toBeGreaterThan(500);
    await page.goBack();
    await expect(row).toBeVisible();
    await expect(heading).toBeHidden();
  });
});

function listSentKeys(thalamus: Thalamus): string[] {
  const subjects = thalamus.google.ledger.sent().map(({ subject }) => subject);
  return subjects.filter((subject) => subject.startsWith('Key'));
}

/** As long as a person takes to see that it is another one. */
function waitUntilSeen(page: Page): Promise<void> {
  return page.waitForTimeout(500); // keys are not taken before
}
