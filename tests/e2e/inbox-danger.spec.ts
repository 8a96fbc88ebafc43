// Drafts that delete, share, or reach new people outside: no single key decides them.
import { listAxeProblems } from './axe.ts';
import { account, createAgentKey, declineAll, createMailDraft, linkGmail } from './drafting.ts';
import { expect, test } from './fixture.ts';
import { linkSources } from './reading.ts';

test.beforeEach(async ({ console: page, thalamus }) => linkGmail(page, thalamus));
test.afterEach(async ({ thalamus }) => declineAll(thalamus));

test('a deletion is marked, its button names the act and its guests, and one key asks once more', async ({
  console: page,
  thalamus,
}) => {
  const email = 'thea@example.com';
  thalamus.google.addAccount({ email, name: 'Thea' });
  await linkSources(page, thalamus, { account: email, sources: ['calendar'], access: 'act' });
  const { id: event_id } = thalamus.google.seedEvent(email, {
    summary: 'Offsite',
    start: '2027-06-01T12:00:00Z',
    end: '2027-06-01T13:00:00Z',
    attendees: [{ email: 'grace@example.net' }, { email: 'ben@example.com' }],
  });
  const request = { source: 'calendar', account: email, action_name: 'delete_event', input: { event_id } };
  const { draft_id } = await thalamus.call(await createAgentKey(thalamus), 'act_on_integration', request);
  await page.goto(`/inbox/${String(draft_id)}`);
  const act = 'Delete event, notify 2 guests';
  await expect(page.getByRole('button', { name: act })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Waiting' }).getByText('Deletes')).toBeVisible();
  await expect(page.getByRole('article').getByText('It deletes something.')).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await page.screenshot({ path: '.tmp/danger-desktop.png' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: '.tmp/danger-phone.png' });
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.keyboard.press('a');
  const question = page.getByRole('dialog', { name: `${act}?` });
  await expect(question).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await page.screenshot({ path: '.tmp/danger-question.png' });
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  const { status } = await thalamus.call(thalamus.ownerKey, 'get_action', { draft_id });
  expect(status).toBe('pending');
  await page.getByRole('article').locator('..').getByRole('button', { name: act }).click(); // a click asks as the key does
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  expect((await thalamus.call(thalamus.ownerKey, 'get_action', { draft_id })).status).toBe('pending');
  await page.keyboard.press('a');
  await question.getByRole('button', { name: act }).click();
  await expect(page.getByText('Deleted “Offsite”', { exact: true })).toBeVisible();
});

test('single keys can be switched off, and stay off', async ({ console: page, thalamus }) => {
  const draftId = await createMailDraft(thalamus, { subject: 'By hand alone' });
  await page.goto(`/inbox/${draftId}`);
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await page.getByLabel('Use single keys on this device').uncheck();
  expect(await listAxeProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Decline', exact: true })).toBeVisible();
  await page.keyboard.press('d');
  await page.keyboard.press('a');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await thalamus.call(thalamus.ownerKey, 'get_action', { draft_id: draftId })).toMatchObject({
    status: 'pending',
    account,
  });
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await page.getByLabel('Use single keys on this device').check();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('d');
  await expect(page.getByText('Declined. Nothing was sent.')).toBeVisible();
});

test('the edit form of a change shows untouched fields as unchanged', async ({ console: page, thalamus }) => {
  const email = 'otis@example.com';
  thalamus.google.addAccount({ email, name: 'Otis' });
  await linkSources(page, thalamus, { account: email, sources: ['calendar'], access: 'act' });
  const times = { start: '2027-06-01T12:00:00Z', end: '2027-06-01T13:00:00Z' };
  const { id: event_id } = thalamus.google.seedEvent(email, { summary: 'Review', location: 'Hall', ...times });
  const request = { source: 'calendar', account: email, action_name: 'update_event' };
  const input = { event_id, summary: 'Last review' };
  const { draft_id } = await thalamus.call(await createAgentKey(thalamus), 'act_on_integration', { ...request, input });
  await page.goto(`/inbox/${String(draft_id)}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByText('Unchanged while it is empty. Now: Hall')).toBeVisible();
  await expect(page.getByLabel('End', { exact: true })).toHaveAttribute('type', 'datetime-local');
  await page.screenshot({ path: '.tmp/edit-desktop.png', fullPage: true });
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByLabel('Location').fill('Garden');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/Edited by Owner: location\./)).toBeVisible();
  const { payload } = await thalamus.call(thalamus.ownerKey, 'get_action', { draft_id });
  expect(payload).toMatchObject({ event_id, summary: 'Last review', location: 'Garden' });
  expect(payload).not.toHaveProperty('end');
});
