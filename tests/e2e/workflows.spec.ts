import { listAxeProblems } from './axe.ts';
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
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Close workflow' }).click();
  await expect(page.getByText('Closed', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Launch in Spain');
  await page.getByRole('button', { name: 'Delete workflow' }).click();
  await expect(page.getByText('No workflows yet')).toBeVisible();
});
