import { listAxeProblems } from './axe.ts';
import { account, declineAll, linkGmail } from './drafting.ts';
import { expect, test } from './fixture.ts';

const automations = [
  {
    name: 'Weekly note',
    source: 'return 1',
    triggers: [{ kind: 'cron', cron: '0 9 * * 1', tz: 'UTC' }],
    tool_grants: [{ tool: 'add_memory' }],
  },
];

test('a person reads a workflow, pauses and resumes it, closes it and deletes it', async ({
  console: page,
  thalamus,
}) => {
  const call = (operation: string, input: object) => thalamus.call(thalamus.ownerKey, operation, input);
  await page.goto('/workflows');
  await expect(page.getByText('No workflows yet')).toBeVisible();
  await call('create_workflow', {
    title: 'Launch in Spain',
    charter: 'Find 20 pilot customers.',
    roster: [{ automation: 'Weekly note', part: 'Reports' }],
    kpis: [{ name: 'Pilots', target: 20, unit: 'companies', value: 3 }],
    deadlines: [{ name: 'Launch', due: '2020-03-31' }],
    automations,
  });
  await page.getByRole('link', { name: 'Launch in Spain' }).click();
  await expect(page.getByText('3 companies of 20')).toBeVisible();
  await expect(page.getByText('Overdue')).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Workflow paused')).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Workflow resumed')).toBeVisible();
  await page.getByRole('button', { name: 'More actions for this workflow' }).click();
  await page.getByRole('menuitem', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Close workflow' }).click();
  await expect(page.getByText('Closed', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'More actions for this workflow' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Launch in Spain');
  await page.getByRole('button', { name: 'Delete workflow' }).click();
  await expect(page.getByText('No workflows yet')).toBeVisible();
});

test('a person changes figures, deadlines and team of a workflow, and opens a draft of its automation', async ({
  console: page,
  thalamus,
}) => {
  const call = (operation: string, input: object) => thalamus.call(thalamus.ownerKey, operation, input);
  await linkGmail(page, thalamus);
  const mail = { to: ['ana@example.com'], subject: 'Pilots wanted', body: 'Hello.' };
  const act = { source: 'gmail', account, action_name: 'send_email', input: mail };
  const source = `await brains.act(${JSON.stringify(act)});`;
  const made = await call('create_workflow', {
    title: 'Launch in Italy',
    charter: 'Find 20 pilot customers.',
    kpis: [{ name: 'Pilots', target: 20, unit: 'companies', value: 3 }],
    automations: [{ name: 'Asks pilots', source, triggers: [{ kind: 'manual' }], tool_grants: [{ tool: 'act' }] }],
  });
  const workflowId = String(made['workflow_id']);
  const read = () => call('get_workflow', { workflow_id: workflowId });
  const { automations: own } = (await read()) as { automations: { automation_id: string }[] };
  await call('run_automation_once', { automation_id: own[0]?.automation_id, dry_run: false });
  await page.goto(`/workflows/${workflowId}`);

  const kpis = page.getByRole('region', { name: 'KPIs' });
  await kpis.getByRole('button', { name: 'More actions for Pilots' }).click();
  await page.getByRole('menuitem', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Value').fill('7.5');
  expect(await listAxeProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(kpis.getByText('7.5 companies of 20')).toBeVisible();
  await kpis.getByRole('button', { name: 'Add KPI' }).click();
  await dialog.getByLabel('Name').fill('Cost');
  await dialog.getByRole('button', { name: 'Add KPI' }).click();
  await expect(kpis.getByText('No value')).toBeVisible();

  const deadlines = page.getByRole('region', { name: 'Deadlines' });
  await deadlines.getByRole('button', { name: 'Add deadline' }).click();
  await dialog.getByLabel('Name').fill('Launch');
  await dialog.getByLabel('Date').fill('2020-03-31');
  await dialog.getByRole('button', { name: 'Add deadline' }).click();
  await expect(deadlines.getByText('Overdue')).toBeVisible();
  await deadlines.getByRole('button', { name: 'Mark as done: Launch' }).click();
  await expect(deadlines.getByText('Done', { exact: true })).toBeVisible();
  await deadlines.getByRole('button', { name: 'More actions for Launch' }).click();
  await page.getByRole('menuitem', { name: 'Change' }).click();
  await dialog.getByLabel('Date').fill('2099-01-02');
  await dialog.getByLabel('Time').fill('10:30');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await read())['deadlines']).toMatchObject([{ name: 'Launch', is_done: true }]);
  await expect(deadlines.getByText(/2099/)).toBeVisible();

  const team = page.getByRole('region', { name: 'Team' });
  await team.getByRole('button', { name: 'Add member' }).click();
  await dialog.getByLabel('Member').selectOption({ label: 'Asks pilots' });
  await dialog.getByLabel('Part').fill('Writes to pilots');
  await dialog.getByRole('button', { name: 'Add member' }).click();
  await expect(team.getByText('Writes to pilots')).toBeVisible();
  expect(await listAxeProblems(page)).toEqual([]);
  await team.getByRole('button', { name: 'More actions for Asks pilots' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(team.getByText('No members yet')).toBeVisible();
  expect(await read()).toMatchObject({
    roster: [],
    kpis: [
      { value: 7.5, target: 20 },
      { name: 'Cost', value: null },
    ],
  });

  await page
    .getByRole('region', { name: 'Drafts' })
    .getByRole('link', { name: /Asks pilots/ })
    .click();
  await expect(page.getByRole('heading', { name: 'Pilots wanted', level: 3 })).toBeVisible();
  await declineAll(thalamus);
  await call('delete_workflow', { workflow_id: workflowId, confirm: 'Launch in Italy' });
});
