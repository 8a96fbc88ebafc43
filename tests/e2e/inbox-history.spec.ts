import { listAxeProblems } from './axe.ts';
import { account, createAgentKey, declineAll, createMailDraft, linkGmail } from './drafting.ts';
import { expect, test } from './fixture.ts';

test.beforeEach(async ({ console: page, thalamus }) => linkGmail(page, thalamus));
test.afterEach(async ({ thalamus }) => declineAll(thalamus));

test('the history shows decided drafts back to the first, though a hundred drafts wait', async ({
  console: page,
  thalamus,
}) => {
  const key = await createAgentKey(thalamus);
  const draft = async (subject: string) => {
    const input = { to: ['ana@example.com'], subject, body: 'Hello.' };
    const request = { source: 'gmail', account, action_name: 'send_email', input };
    return String((await thalamus.call(key, 'act_on_integration', request))['draft_id']);
  };
  const declined: string[] = [];
  for (let number = 1; number <= 60; number += 1) declined.push(await draft(`Declined ${number}.`));
  await thalamus.call(thalamus.ownerKey, 'discard_actions', { draft_ids: declined });
  for (let number = 1; number <= 101; number += 1) await draft(`Waiting ${number}.`);

  await page.goto('/inbox/history');
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows.filter({ hasText: 'Declined 60.' })).toBeVisible();
  await expect(rows).toHaveCount(50);
  await expect(rows.filter({ hasText: 'Waiting' })).toHaveCount(0);
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(rows.filter({ hasText: 'Declined 1.' })).toBeVisible();
  const ours = rows.filter({ hasText: /Declined \d+\./ });
  await expect(ours).toHaveCount(60);

  // The draft that was decided last comes first.
  const { drafts } = await thalamus.call(thalamus.ownerKey, 'list_pending_actions', { limit: 100 });
  const waiting = drafts as { draft_id: string }[]; // as the operation answers, newest first
  for (const each of [waiting.at(0), waiting.at(-1)])
    await thalamus.call(thalamus.ownerKey, 'discard_action', { draft_id: each?.draft_id });
  await expect(rows.first()).toContainText('Waiting 2.');
  await expect(rows.nth(1)).toContainText('Waiting 101.');

  // New decisions are added to the open history.
  const next = await createMailDraft(thalamus, { subject: 'Decided just now' });
  await thalamus.call(thalamus.ownerKey, 'discard_action', { draft_id: next });
  await expect(rows.first()).toContainText('Decided just now');
  await expect(ours).toHaveCount(60);
});
