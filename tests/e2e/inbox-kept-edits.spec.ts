// What a person edits of a draft is kept on the server: everything that shows or sends the draft has it.
import type { Browser, Page } from '@playwright/test';
import { listAxeProblems } from './axe.ts';
import { declineAll, createMailDraft, linkGmail } from './drafting.ts';
import { expect, test } from './fixture.ts';
import { joinInBrowser } from './joining.ts';
import type { Thalamus } from './thalamus.ts';
import { readConsoleHeaders } from './own-headers.ts';

test.beforeEach(async ({ console: page, thalamus }) => linkGmail(page, thalamus));
test.afterEach(async ({ thalamus }) => declineAll(thalamus));

const kept = /Edited by Owner.*This is what will be sent/;

/** Edits the body of the draft that is shown. */
async function editBody(page: Page, body: string): Promise<void> {
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Body').fill(body);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(kept)).toBeVisible();
}

test('stored edits survive a switch of rows, a reload and another browser, and the whole batch is sent with them', async ({
  console: page,
  browser,
  thalamus,
}) => {
  const batch = crypto.randomUUID();
  const first = await createMailDraft(thalamus, { subject: 'Oars 1', body: 'The first body.' }, batch);
  await createMailDraft(thalamus, { subject: 'Oars 2', body: 'The second body.' }, batch);
  await page.goto(`/inbox/${first}`);
  await editBody(page, 'The edited body.');
  await expect(page.getByLabel('Changes').getByRole('insertion').first()).toContainText('edited');
  expect(await listAxeProblems(page)).toEqual([]);

  const heading = (name: string) => page.getByRole('heading', { name, level: 3 });
  await page.keyboard.press('j');
  await expect(heading('Oars 2')).toBeVisible();
  await page.keyboard.press('k');
  await expect(heading('Oars 1')).toBeVisible();
  await expect(page.getByText(kept), 'by j and k').toBeVisible();
  const waiting = page.getByRole('region', { name: 'Waiting' });
  await waiting.getByRole('link', { name: /Oars 2/ }).click();
  await waiting.getByRole('link', { name: /Oars 1/ }).click();
  await expect(page.getByText(kept), 'by another row').toBeVisible();
  await expect(waiting.getByRole('link', { name: /Oars 1/ })).toContainText('Edited');
  await page.reload();
  await expect(page.getByText(kept), 'by a reload').toBeVisible();

  const elsewhere = await browser.newContext({ storageState: await page.context().storageState() });
  const other = await elsewhere.newPage();
  await other.goto(`${thalamus.url}/inbox/${first}`);
  await expect(other.getByText(kept), 'by another browser').toBeVisible();
  await other.getByText(/^Activity \(/).click();
  await expect(other.getByText('Edited', { exact: true }).last()).toBeVisible();
  await expect(other.getByLabel('Edits')).toContainText('edited');
  await elsewhere.close();

  await page.getByRole('button', { name: 'Approve all' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Oars 1').click();
  await expect(dialog.getByText('The edited body.').last()).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Approve 2' }).click();
  await expect(page.getByText('2 sent')).toBeVisible();
  expect(listSentBodies(thalamus, 'Oars')).toEqual(['The edited body.', 'The second body.']);
  const { ledger } = await thalamus.call(thalamus.ownerKey, 'get_action', { draft_id: first });
  const edited = (ledger as { step: string; detail: object }[]).find(({ step }) => step === 'edited');
  expect(edited?.detail).toMatchObject({ by: 'Owner', human_surface: true, became: { body: 'The edited body.' } });
});

test('a person does not approve another’s edit unseen, not even in a batch; edits are undone for both', async ({
  console: page,
  browser,
  thalamus,
}) => {
  const batch = crypto.randomUUID();
  const ids = [await createMailDraft(thalamus, { subject: 'Sails 1', body: 'As drafted.' }, batch)];
  ids.push(await createMailDraft(thalamus, { subject: 'Sails 2', body: 'As drafted.' }, batch));
  const [first] = ids;
  const grace = await openAsApprover(browser, page, thalamus, 'grete@example.com');
  await grace.route('**/v1/events', (route) => route.abort()); // nothing tells this page of the edit
  await grace.goto(`${thalamus.url}/inbox/${first}`);
  await expect(grace.getByText('As drafted.')).toBeVisible();
  await grace.getByRole('button', { name: 'Approve all' }).click();
  await expect(grace.getByRole('dialog').getByRole('listitem')).toHaveCount(2);

  await page.goto(`/inbox/${first}`);
  await editBody(page, 'As edited.');
  await grace.getByRole('dialog').getByRole('button', { name: 'Approve 2' }).click();
  await expect(grace.getByText(/1 sent/)).toBeVisible();
  expect(listSentBodies(thalamus, 'Sails')).toEqual(['As drafted.']);
  expect(await thalamus.call(thalamus.ownerKey, 'get_action', { draft_id: first })).toMatchObject({
    status: 'pending',
  });

  await expect(grace.getByText('As edited.').last(), 'she is shown what it is now').toBeVisible();
  const newer = await createMailDraft(thalamus, { subject: 'Sails 3', body: 'As drafted.' });
  await grace.goto(`${thalamus.url}/inbox/${newer}`);
  await expect(grace.getByText('As drafted.')).toBeVisible();
  await page.goto(`/inbox/${newer}`);
  await editBody(page, 'As edited again.');
  await grace.getByRole('button', { name: 'Approve & send' }).click();
  await expect(grace.getByText(/Owner edited this draft after .* Read it again/).first()).toBeVisible();
  await grace.getByRole('link', { name: /Sails 3/ }).click();
  await expect(grace.getByText('As edited again.').last()).toBeVisible();
  expect(listSentBodies(thalamus, 'Sails')).toEqual(['As drafted.']);
  await grace.context().close();

  await page.getByRole('button', { name: 'Revert edits' }).click();
  await expect(page.getByText(kept)).toBeHidden();
  await page.getByRole('button', { name: 'Approve & send' }).click();
  await expect.poll(() => listSentBodies(thalamus, 'Sails')).toEqual(['As drafted.', 'As drafted.']);
});

/** Somebody else in a browser of their own, whom the person of `page` named to decide about their drafts. */
async function openAsApprover(browser: Browser, page: Page, thalamus: Thalamus, email: string): Promise<Page> {
  const other = await joinInBrowser(page, browser, thalamus, email);
  await page.request.post(`${thalamus.url}/v1/tools/name_approver`, {
    headers: await readConsoleHeaders(page),
    data: { email },
  });
  return other;
}

/** What was written in the mails that went out, by the beginning of their subjects. */
function listSentBodies({ google }: Thalamus, name: string): string[] {
  return google.ledger
    .sent()
    .filter(({ subject }) => subject.startsWith(name))
    .map(({ text }) => text.trim());
}
