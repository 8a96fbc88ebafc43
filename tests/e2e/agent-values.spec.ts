import { listAxeProblems } from './axe.ts';
import { createAgentKey, declineAll } from './drafting.ts';
import { expect, test } from './fixture.ts';

test.afterEach(async ({ thalamus }) => declineAll(thalamus));

test('a person reads the value that an agent wrote behind a handle before they approve, on the page alone', async ({
  console: page,
  thalamus,
}) => {
  const key = await createAgentKey(thalamus);
  const to = new URL(thalamus.receiver.url);
  const iban = 'DE89 3704 0044 0532 0130 00';
  const own = { var_scope: 'agent', var_name: 'IBAN', value: iban, placements: ['json:iban'], hosts: [to.host] };
  const { handle } = await thalamus.call(key, 'set_variable', own);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ iban: handle, amount: 900 });
  const request = { url: `${to.origin}/transfer`, method: 'POST', headers, body };
  const { draft_id, preview } = await thalamus.call(key, 'http_fetch', request);
  expect(JSON.stringify(preview)).not.toContain(iban);

  await page.goto(`/inbox/${String(draft_id)}`);
  const values = page.getByRole('region', { name: 'Values that an agent wrote' });
  await expect(values.getByLabel('Value of IBAN')).toHaveText(iban);
  await expect(values).toContainText('written by Claude');
  await expect(values).toContainText(/fingerprint [0-9a-f]{8}/);
  await expect(page.getByText('too long to show in full')).toHaveCount(0);
  expect(await listAxeProblems(page)).toEqual([]);
  await expect(page.getByRole('button', { name: /Approve|Send/ }).first()).toBeEnabled();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(values.getByLabel('Value of IBAN')).toBeVisible();

  // The agent writes another value after the person read this one: nothing is sent.
  await thalamus.call(key, 'set_variable', { ...own, value: 'GB33 BUKB 2020 1555 5555 55' });
  await page
    .getByRole('button', { name: /Approve|Send/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Approve|Send/ })
    .click();
  await expect
    .poll(async () => (await thalamus.call(thalamus.ownerKey, 'get_action', { draft_id }))['status'])
    .toBe('stale');
});
