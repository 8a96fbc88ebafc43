import { listAxeProblems } from './axe.ts';
import { declineAll } from './drafting.ts';
import { expect, test } from './fixture.ts';

test('a person edits the settings of an automation, and accepts endpoints that it reads by POST', async ({
  console: page,
  thalamus,
}) => {
  const { call, ownerKey, receiver } = thalamus;
  const [search, rank] = [`${receiver.url}/search`, `${receiver.url}/rank`];
  const reads = [{ method: 'POST', url: search }];
  const { automation_id } = await call(ownerKey, 'save_automation_draft', {
    name: 'Search the web',
    source: `const { status } = await brains.http_fetch({ url: "${search}", method: "POST", body_json: { q: "{{topic}}" } });
return status;`,
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'http_fetch', params: { reads } }],
    acknowledged_http_fetch_hosts: ['127.0.0.1'],
  });
  const run = async () => {
    const { run_id } = await call(ownerKey, 'run_automation_once', { automation_id, dry_run: false });
    return (await call(ownerKey, 'get_automation_run', { run_id }))['result'];
  };
  const listPosts = () => receiver.got.map(({ body }) => body);

  await page.goto(`/automations/${String(automation_id)}`);
  const tabs = page.getByRole('navigation', { name: 'About this automation' });
  await tabs.getByRole('link', { name: 'Source' }).click();
  await page.getByLabel('topic', { exact: true }).fill('ferry "tides"');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  expect(await run()).toBe(202);
  expect(listPosts()).toEqual([]);

  await page.getByRole('button', { name: 'Activate' }).click();
  const asked = page.getByRole('dialog', { name: 'Activate with these endpoints?' });
  await expect(asked.getByText(search)).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await asked.getByRole('button', { name: 'Activate with endpoints' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  expect(await run()).toBe(204);
  expect(listPosts()).toEqual([JSON.stringify({ q: 'ferry "tides"' })]);

  // What the person changes here stays accepted; what an agent changes waits, and posts nothing.
  await page.getByLabel('topic', { exact: true }).fill('pilots');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByLabel('topic', { exact: true })).toHaveValue('pilots');
  await expect
    .poll(async () => (await call(ownerKey, 'get_automation', { automation_id }))['settings'])
    .toEqual({ topic: 'pilots' });
  expect(await run()).toBe(204);
  expect(listPosts().at(-1)).toBe(JSON.stringify({ q: 'pilots' }));
  const { key } = await call(ownerKey, 'create_key', {
    label: 'Agent',
    scopes: ['automations:read', 'automations:write'],
  });
  await call(String(key), 'update_automation', {
    automation_id,
    tool_grants: [{ tool: 'http_fetch', params: { reads: [...reads, { method: 'POST', url: rank }] } }],
  });
  await tabs.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByText('A change waits for you')).toBeVisible();
  await expect(page.getByText(rank).first()).toBeVisible();
  await page.getByRole('button', { name: 'Accept change' }).click();
  await expect(page.getByText('A change waits for you')).toBeHidden();
  const accepted = (await call(ownerKey, 'get_automation', { automation_id }))['accepted_reads'];
  expect(accepted).toEqual([...reads, { method: 'POST', url: rank }]);
  await declineAll(thalamus);
});
