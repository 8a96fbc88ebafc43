import type { Page } from '@playwright/test';
import { listAxeProblems } from './axe.ts';
import { account, createAgentKey, declineAll, createMailDraft, linkGmail } from './drafting.ts';
import { expect, test } from './fixture.ts';
import { linkSources } from './reading.ts';
import type { Thalamus } from './thalamus.ts';

test.beforeEach(async ({ console: page, thalamus }) => linkGmail(page, thalamus));
test.afterEach(async ({ thalamus }) => declineAll(thalamus));

/** Drafts a batch of mails. Returns their subjects. */
async function createMailDrafts(
  thalamus: Thalamus,
  howMany: number,
  name: string,
  batch_id: string = crypto.randomUUID(),
): Promise<string[]> {
  const key = await createAgentKey(thalamus);
  const subjects = Array.from({ length: howMany }, (_, at) => `${name} ${at + 1}.`);
  for (const subject of subjects) {
    const input = { to: ['ana@example.com'], subject, body: `About ${subject}` };
    const request = { source: 'gmail', account, action_name: 'send_email', input, batch_id };
    await thalamus.call(key, 'act_on_integration', request);
  }
  return subjects;
}

/** Holds requests for the second part of a batch until the test decides about them. */
async function pauseSecondPart(page: Page): Promise<(fate: 'go on' | 'fail') => void> {
  const { promise, resolve } = Promise.withResolvers<'go on' | 'fail'>();
  let parts = 0;
  await page.route('**/v1/tools/confirm_actions', async (route) => {
    parts += 1;
    if (parts === 2 && (await promise) === 'fail') return route.abort();
    return route.continue();
  });
  return resolve;
}

const cutsItsStream = `const send = window.fetch;
window.fetch = (path, init) => {
  if (path !== '/v1/events') return send(path, init);
  const cut = new AbortController();
  window.addEventListener('cut', () => cut.abort(), { once: true });
  return send(path, { ...init, signal: AbortSignal.any([init.signal, cut.signal]) });
};`;

/** Answers what breaks the page's stream of events; the page opens it again, and reads everything anew. */
async function prepareStreamCut(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript({ content: cutsItsStream });
  return async () => {
    const reopened = page.waitForResponse(/\/v1\/events$/);
    await page.evaluate("void window.dispatchEvent(new Event('cut'))");
    await reopened;
  };
}

const listSentSubjects = ({ google }: Thalamus, name: string) =>
  google.ledger
    .sent()
    .map(({ subject }) => subject)
    .filter((subject) => subject.startsWith(name));

test('a batch of more than fifty drafts is approved as one, in order and part by part', async ({
  console: page,
  thalamus,
}) => {
  test.slow(); // fifty are sent one by one
  await declineAll(thalamus);
  const subjects = await createMailDrafts(thalamus, 60, 'Dues');
  const decide = await pauseSecondPart(page);
  await page.goto('/inbox');
  await page.getByRole('button', { name: 'Approve all' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('listitem')).toHaveCount(60);
  await dialog.getByRole('listitem').last().getByText('Dues 60.').click();
  await expect(dialog.getByText('About Dues 60.')).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Approve 60' }).click();
  await expect(dialog.getByRole('status')).toHaveText('50 of 60 decided', { timeout: 120_000 });
  expect(listSentSubjects(thalamus, 'Dues')).toEqual(subjects.slice(0, 50));
  decide('go on');
  await expect(page.getByText('60 sent')).toBeVisible();
  expect(listSentSubjects(thalamus, 'Dues')).toEqual(subjects);
  await expect(page.getByText('No drafts to review')).toBeVisible();
});

test('when a part of a batch cannot be decided, the page shows the decided part, and the rest still waits', async ({
  console: page,
  thalamus,
}) => {
  test.slow();
  const subjects = await createMailDrafts(thalamus, 53, 'Notes');
  const decide = await pauseSecondPart(page);
  await page.goto('/inbox');
  await page.getByRole('button', { name: 'Approve all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve 53' }).click();
  decide('fail');
  const notifications = page.getByRole('region', { name: 'Notifications' });
  await expect(notifications.getByText('50 sent, no answer for 3')).toBeVisible({ timeout: 120_000 });
  await page.keyboard.press('Escape');
  const waiting = page.getByRole('region', { name: 'Waiting' });
  await expect(waiting.getByRole('heading', { name: 'Batch of 3' })).toBeVisible();
  expect(listSentSubjects(thalamus, 'Notes')).toEqual(subjects.slice(0, 50));
});

test('a draft that joins a visible batch is announced, and is sent only once the person has seen it', async ({
  console: page,
  thalamus,
}) => {
  const batch = crypto.randomUUID();
  const subjects = await createMailDrafts(thalamus, 3, 'Rota', batch);
  const reopen = await prepareStreamCut(page);
  await page.goto('/inbox');
  await page.getByRole('button', { name: 'Approve all' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('listitem')).toHaveCount(3);
  await createMailDraft(thalamus, { subject: 'Rota, late.' }, batch);
  await expect(dialog.getByText('1 more arrived since.')).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/v1/tools/list_pending_actions', async (route) => {
    await promise;
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Show it too' }).click();
  await expect(dialog.getByRole('button', { name: 'Approve 3' }), 'while others come').toBeDisabled();
  resolve();
  await expect(dialog.getByRole('listitem')).toHaveCount(4);
  await expect(dialog.getByText('more arrived since')).toBeHidden();

  await createMailDraft(thalamus, { subject: 'Rota, unseen.' }, batch);
  await expect(dialog.getByText('1 more arrived since.')).toBeVisible();
  const readAnew = page.waitForResponse('**/v1/tools/list_pending_actions');
  await reopen();
  await readAnew;
  await expect(dialog.getByText('1 more arrived since.')).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveCount(4);
  await dialog.getByRole('button', { name: 'Approve 4' }).click();
  await expect(page.getByText('4 sent')).toBeVisible();
  expect(listSentSubjects(thalamus, 'Rota')).toEqual([...subjects, 'Rota, late.']);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Waiting' }).getByRole('link', { name: /Rota, unseen/ })).toBeVisible();
});

test('a batch is undone as a whole from its notice', async ({ console: page, thalamus }) => {
  const email = 'inga@example.com';
  const { calendars } = thalamus.google.addAccount({ email, name: 'Inga' });
  await linkSources(page, thalamus, { account: email, sources: ['calendar'], access: 'act' });
  const [key, batch_id] = [await createAgentKey(thalamus), crypto.randomUUID()];
  for (const summary of ['Sounding', 'Dredging', 'Mooring']) {
    const input = { summary, start: '2027-06-01', end: '2027-06-02' };
    const request = { source: 'calendar', account: email, action_name: 'create_event', input, batch_id };
    await thalamus.call(key, 'act_on_integration', request);
  }
  const readPresentValues = () =>
    [...(calendars.calendars.get(email)?.events.values() ?? [])].filter(({ status }) => status !== 'cancelled').length;
  await page.goto('/inbox');
  await page.getByRole('button', { name: 'Approve all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve 3' }).click();
  const toast = page.getByRole('dialog', { name: '3 sent' });
  await expect(toast).toContainText('Delete the event');
  expect(readPresentValues()).toBe(3);
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('3 undone')).toBeVisible();
  expect(readPresentValues()).toBe(0);
});
