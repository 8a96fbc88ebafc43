import { listAxeProblems } from './axe.ts';
import { expect, test } from './fixture.ts';

test('a person tries, edits, activates, inspects and deletes an automation, and its board shows the rows', async ({
  console: page,
  thalamus,
}) => {
  const call = (operation: string, input: object) => thalamus.call(thalamus.ownerKey, operation, input);
  const { board_id } = await call('create_board', { name: 'Weekly numbers' });
  const { automation_id } = await call('save_automation_draft', {
    name: 'Weekly report',
    description: 'Adds a row every Monday.',
    source: `console.log("hello from the run");
const isEmpty = async () => !(await brains.get_board({ board_id: "${String(board_id)}" })).data.datasets.default.rows.length;
while (await isEmpty()) await new Promise((done) => setTimeout(done, 50));
await brains.append_board_rows({ board_id: "${String(board_id)}", rows: [{ week: "W1", total: 12 }], dedupe_key_field: "week" });`,
    triggers: [{ kind: 'cron', cron: '0 9 * * 1', tz: 'Europe/Paris' }],
    tool_grants: [{ tool: 'append_board_rows', params: { board_id } }, { tool: 'get_board' }],
  });

  await page.goto('/automations');
  await expect(page.getByRole('link', { name: /Weekly report/ })).toContainText('Paused');
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('link', { name: /Weekly report/ }).click();
  await expect(page).toHaveURL(new RegExp(`/automations/${String(automation_id)}$`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Weekly report');
  await expect(page.getByText('append_board_rows, only with board_id')).toBeVisible();
  await expect(page.getByText('On schedule 0 9 * * 1 (Europe/Paris)')).toBeVisible();
  await expect(page.getByText('Not scheduled')).toBeVisible();

  const tabs = page.getByRole('navigation', { name: 'About this automation' });
  await tabs.getByRole('link', { name: 'Source' }).click();
  await page.getByRole('button', { name: 'Dry run' }).click();
  // The output is shown while it runs: it waits for a row.
  await expect(page.getByLabel('Output')).toContainText('hello from the run');
  await expect(page.getByText('Running').first()).toBeVisible();
  await call('append_board_rows', { board_id, rows: [{ week: 'W0' }] });
  await expect(page.getByText('Running')).toHaveCount(0);
  expect(await listAxeProblems(page)).toEqual([]);

  const editor = page.getByLabel('Source', { exact: true });
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nbrains.search_mem');
  await expect(page.getByRole('option', { name: /search_memory/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.type('ory({ sali');
  await expect(page.getByRole('option', { name: /salience.*critical.*optional/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard' }).click();
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nconsole.log("second");');
  // What is typed stays while another tab is shown, and is not lost by leaving.
  await tabs.getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('link', { name: 'Boards' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click();
  await tabs.getByRole('link', { name: 'Source' }).click();
  await expect(editor).toContainText('console.log("second");');
  await page.getByRole('button', { name: 'Save as new version' }).click();
  await expect(page.getByRole('heading', { name: 'Source, version 2' })).toBeVisible();
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByLabel('Changes to the active version')).toContainText('+ console.log("second");');

  await tabs.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Activate' }).click();
  await expect(page.getByText('Not scheduled')).toBeHidden();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Not scheduled')).toBeVisible();
  await tabs.getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByRole('button', { name: 'Replay' })).toHaveCount(2);

  // A dry run becomes a fixture, and must pass before the automation is activated.
  await page.getByRole('button', { name: 'Open' }).first().click();
  await page.getByLabel('Keep this run as a fixture').first().fill('A usual Monday');
  await page.getByRole('button', { name: 'Save fixture' }).first().click();
  await tabs.getByRole('link', { name: 'Source' }).click();
  await expect(page.getByText('Not passed for the current version.')).toBeVisible();
  await page.getByRole('button', { name: 'Activate' }).click();
  await expect(page.getByRole('alert')).toContainText('fixtures of this automation have not passed');
  await page.getByRole('button', { name: 'Run fixtures' }).click();
  await expect(page.getByText('Passed', { exact: true })).toBeVisible();
  await tabs.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByText('It may not call a language model, so it costs nothing.')).toBeVisible();
  await page.getByRole('button', { name: 'Activate' }).click();
  await expect(page.getByText('Not scheduled')).toBeHidden();
  expect(await listAxeProblems(page)).toEqual([]);

  // What an agent changes of it waits for the person.
  const { key } = await call('create_key', { label: 'Agent', scopes: ['automations:read', 'automations:write'] });
  await thalamus.call(String(key), 'update_automation', {
    automation_id,
    tool_grants: [{ tool: 'append_board_rows' }, { tool: 'get_board' }],
    triggers: [{ kind: 'webhook' }],
  });
  await page.goto('/automations');
  const listed = page.getByRole('link', { name: /Weekly report/ });
  await expect(listed).toContainText(/Next run.*Succeeded.*Active/);
  await listed.click();
  await expect(page.getByText('A change waits for you')).toBeVisible();
  await expect(page.getByRole('img', { name: /Cost by day, .*0\.00/ })).toBeVisible();
  await expect(page.getByText('Call append_board_rows', { exact: true })).toBeVisible();
  await expect(page.getByText('When its webhook address is called', { exact: true })).toBeVisible();
  await tabs.getByRole('link', { name: 'Source' }).click();
  await page.getByRole('button', { name: 'Run fixtures on the change' }).click();
  await expect(page.getByText('Passed', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Accept change' }).click();
  await expect(page.getByText('A change waits for you')).toBeHidden();

  // Who activates it again sees what differs from what was activated last.
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Activate' })).toBeVisible();
  await call('update_automation', { automation_id, max_retries: 4 });
  await page.reload();
  await page.getByRole('button', { name: 'Activate' }).click();
  const asked = page.getByRole('dialog', { name: 'Activate with these changes?' });
  await expect(asked.getByText('Retries')).toBeVisible();
  await expect(asked.getByRole('insertion')).toHaveText('4');
  expect(await listAxeProblems(page)).toEqual([]);
  await asked.getByRole('button', { name: 'Activate with changes' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();

  // Its webhook has an address that is shown once.
  await tabs.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Create address' }).click();
  await expect(page.getByText(/\/hooks\/automations\/[\w-]{22}$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Replace address' })).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);

  await page.getByRole('button', { name: 'More actions for this automation' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete automation' }).click();
  await expect(page.getByText('Deleted', { exact: true })).toBeVisible();

  await page.goto('/boards');
  await page.getByRole('link', { name: /Weekly numbers/ }).click();
  await expect(page.getByRole('gridcell', { name: 'W1', exact: true })).toHaveCount(1);
  expect(await listAxeProblems(page)).toEqual([]);
});
