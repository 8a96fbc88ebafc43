import { listAxeProblems } from './axe.ts';
import { declineAll, createMailDraft, linkGmail } from './drafting.ts';
import { expect, test } from './fixture.ts';
import { joinInBrowser } from './joining.ts';

test.beforeEach(async ({ console: page, thalamus }) => linkGmail(page, thalamus));
test.afterEach(async ({ thalamus }) => declineAll(thalamus));

test('a person adds an approver, who finds the draft marked and approves it; after the withdrawal it leaves their page', async ({
  console: page,
  browser,
  thalamus,
}) => {
  const grace = await joinInBrowser(page, browser, thalamus, 'grace@example.com');
  await grace.goto(`${thalamus.url}/inbox`);
  await expect(grace.getByText('No drafts to review')).toBeVisible();
  await expect(grace.getByText('Live', { exact: true })).toBeVisible();
  const first = await createMailDraft(thalamus, { subject: 'For whom I named' });

  await page.goto('/rules/approvers');
  await page.getByRole('button', { name: 'Add approver' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Mail address').fill('nobody@example.com');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog.getByRole('alert')).toContainText('No person in this workspace has the address');
  await dialog.getByLabel('Mail address').fill('grace@example.com');
  await dialog.getByText('gmail', { exact: true }).click();
  await dialog.getByLabel('Last day').fill('2099-12-31');
  expect(await listAxeProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByRole('list', { name: 'Approvers' }).getByRole('listitem')).toContainText('Grace');
  await expect(page.getByRole('list', { name: 'Approvers' }).getByRole('listitem')).toContainText('gmail');
  expect(await listAxeProblems(page)).toEqual([]);

  // Pending drafts appear on their open page, with the owner's name.
  const waiting = grace.getByRole('region', { name: 'Waiting' });
  await expect(waiting.getByRole('link', { name: /For whom I named/ })).toContainText('for Owner');
  await waiting.getByRole('link', { name: /For whom I named/ }).click();
  await grace.getByRole('button', { name: 'Approve & send' }).click();
  await expect(grace.getByText('Sent.', { exact: true })).toBeVisible();
  await expect(grace.getByText('by Grace · on behalf of Owner')).toBeVisible();
  expect(thalamus.google.ledger.sent().filter(({ subject }) => subject === 'For whom I named')).toMatchObject([
    { account: 'jonas@example.com' },
  ]);
  expect(await thalamus.call(thalamus.ownerKey, 'get_action', { draft_id: first })).toMatchObject({
    status: 'confirmed',
    decided_by: 'Grace',
  });

  const second = await createMailDraft(thalamus, { subject: 'Withdrawn meanwhile' });
  await grace.goto(`${thalamus.url}/inbox/${second}`);
  await expect(grace.getByRole('heading', { name: 'Withdrawn meanwhile', level: 3 })).toBeVisible();
  await expect(grace.getByText('Live', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Remove: Grace' }).click();
  await expect(page.getByText('Only you can approve')).toBeVisible();
  await expect(grace.getByText('No such draft')).toBeVisible();
  await expect(grace.getByRole('button', { name: 'Approve & send' })).toHaveCount(0);
  await expect(grace.getByRole('region', { name: 'Waiting' }).getByRole('listitem')).toHaveCount(0);
  await thalamus.call(thalamus.ownerKey, 'discard_action', { draft_id: second });
  await grace.context().close();
});

test('an invited person finds the brain on the first page; a delegate sees whose approver they are, and can end it', async ({
  console: page,
  browser,
  thalamus,
}) => {
  const bob = await joinInBrowser(page, browser, thalamus, 'bob@example.com');
  await bob.getByRole('link', { name: /^With bob@example\.com/ }).click();
  await expect(bob.getByRole('heading', { name: 'With bob@example.com' })).toBeVisible();
  await bob.goto(`${thalamus.url}/rules/approvers`);
  await expect(bob.getByText('Only you can approve')).toBeVisible();
  await thalamus.call(thalamus.ownerKey, 'name_approver', { email: 'bob@example.com' });
  await expect(bob.getByRole('list', { name: 'You approve for' })).toContainText('Owner');
  await bob.getByRole('button', { name: 'Step down: Owner' }).click();
  await expect(bob.getByRole('list', { name: 'You approve for' })).toHaveCount(0);
  expect(await thalamus.call(thalamus.ownerKey, 'list_approvers')).toEqual({ approvers: [], named_by: [] });
  await bob.context().close();
});
