// Drafts that close while a person edits them: the person sees it at once, and the text is kept.
import { runSql } from '../../bench/postgres.ts';
import { listAxeProblems } from './axe.ts';
import { account, createAgentKey, declineAll, linkGmail } from './drafting.ts';
import { expect, test } from './fixture.ts';
import type { Thalamus } from './thalamus.ts';
import { readConsoleHeaders } from './own-headers.ts';

test.beforeEach(async ({ console: page, thalamus }) => linkGmail(page, thalamus));
test.afterEach(async ({ thalamus }) => declineAll(thalamus));

/** Drafts a mail with one key. The next draft of that key makes earlier overdue drafts expire. */
async function createDraftWithKey(thalamus: Thalamus, key: string, subject: string): Promise<string> {
  const input = { to: ['ana@example.com'], subject, body: 'As drafted.' };
  const request = { source: 'gmail', account, action_name: 'send_email', input };
  return String((await thalamus.call(key, 'act_on_integration', request))['draft_id']);
}

test('text that a person types is kept when the draft expires, and offered in the next one', async ({
  console: page,
  thalamus,
}) => {
  const key = await createAgentKey(thalamus);
  const first = await createDraftWithKey(thalamus, key, 'Tides');
  const expireNow = async (id: string) => {
    await runSql(thalamus.databaseUrl, `update drafts set expires_at = now() - interval '1 second' where id = $1`, [
      id,
    ]);
    // The next draft of a caller expires that caller's overdue drafts: the key's, and the person's.
    await createDraftWithKey(thalamus, key, `After ${id}`);
    const input = { to: ['ana@example.com'], subject: `Of the person, after ${id}`, body: 'Hello.' };
    await page.request.post(`${thalamus.url}/v1/tools/act_on_integration`, {
      headers: await readConsoleHeaders(page),
      data: { source: 'gmail', account, action_name: 'send_email', input },
    });
  };
  await page.goto(`/inbox/${first}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Body').fill('Half a sentence about');
  await page.getByRole('link', { name: 'Memory' }).first().click();
  await page.goBack();
  await expect(page.getByLabel('Body'), 'after another page').toHaveValue('Half a sentence about');
  await expireNow(first);
  const kept = page.getByRole('region', { name: 'Your unsaved changes' });
  await expect(kept).toContainText('Half a sentence about');
  expect(await listAxeProblems(page)).toEqual([]);
  await page.reload();
  await expect(kept, 'after a reload').toContainText('Half a sentence about');
  await page.getByRole('button', { name: 'Draft again' }).click();
  await expect(page).not.toHaveURL(new RegExp(first));
  await expect(page.getByLabel('Body')).toHaveValue('Half a sentence about');
  await expect(page.getByText('Your unsaved text is here.')).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);

  // An agent that drafts the same again makes the next draft, too.
  const second = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await expireNow(second);
  await expect(kept).toContainText('Half a sentence about');
  const third = await createDraftWithKey(thalamus, key, 'Tides');
  await page.getByRole('region', { name: 'Waiting' }).locator(`a[href="/inbox/${third}"]`).click();
  await expect(page).toHaveURL(new RegExp(third));
  await expect(page.getByLabel('Body')).toHaveValue('Half a sentence about');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('As drafted.')).toBeVisible();
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByLabel('Body')).toHaveValue('As drafted.');
});

test('a change of the policy removes the drafts that it made stale, with the reason and a way to draft them again', async ({
  console: page,
  thalamus,
}) => {
  const draftId = await createDraftWithKey(thalamus, await createAgentKey(thalamus), 'Overtaken');
  await page.goto(`/inbox/${draftId}`);
  await expect(page.getByRole('button', { name: 'Approve & send' })).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const { version } = await thalamus.call(thalamus.ownerKey, 'get_policy');
  const rules = [{ effect: 'require_human', sources: ['gmail'], note: 'Since today.' }];
  await thalamus.call(thalamus.ownerKey, 'set_policy', { version, rules });
  await expect(page.getByRole('button', { name: 'Approve & send' })).toHaveCount(0);
  await expect(page.getByText(/The policy changed after this was drafted\. Nothing was sent/).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Waiting' }).getByRole('link', { name: /Overtaken/ })).toHaveCount(0);
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Draft again' }).click();
  await expect(page).not.toHaveURL(new RegExp(draftId));
  await expect(page.getByText('Since today.')).toBeVisible();
  await thalamus.call(thalamus.ownerKey, 'set_policy', { version: Number(version) + 1, rules: [] });
  await expect(page.getByText('Out of date').first()).toBeVisible();
});
