import { expect, test } from 'vitest';
import { share } from '../../../tests/support/share.ts';
import { startTestServer } from '../../../tests/support/server.ts';

const server = share(() => startTestServer());
const createBrain = async (name: string) => String((await server.ok('create_brain', { name })).brain_id);

/** Runs an automation by hand until it ends. Answers its result. */
async function run(automation_id: unknown): Promise<unknown> {
  const { run_id } = await server.ok('run_automation_once', { automation_id, dry_run: false });
  const read = () => server.ok('get_automation_run', { run_id });
  await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toMatch(/succeeded|failed|killed/);
  const { status, error, result } = await read();
  expect([status, error]).toEqual(['succeeded', null]);
  return result;
}

test('people-crm lists whom to call next, each once', async () => {
  const brain_id = await createBrain('Sales');
  const { cascade_installed = [] } = await server.ok('apply_starter_recipe', {
    slug: 'people-crm',
    brain_id,
    inputs: { days: 7 },
  });
  const find = (slug: string) => cascade_installed.find((each) => each.slug === slug)?.id;
  const [board_id, automation_id] = [find('crm-contacts'), find('crm-follow-ups')];
  const lately = new Date().toISOString().slice(0, 10);
  const rows = [
    { row_id: 'ada', name: 'Ada', company: 'Analytical', last_contact: '2020-01-01' },
    { row_id: 'noah', name: 'Noah', last_contact: lately },
    { row_id: 'new', name: 'Somebody new' },
  ];
  await server.ok('append_board_rows', { board_id, dataset: 'people', rows });
  expect(await run(automation_id)).toEqual({ due: 2, added: 2 });
  expect(await run(automation_id)).toEqual({ due: 2, added: 0 });
  const { data } = await server.ok('get_board', { board_id, dataset: 'follow_ups' });
  expect(data.datasets['follow_ups']?.rows).toMatchObject([
    { person: 'Ada', company: 'Analytical', since: '2020-01-01', is_done: false },
    { person: 'Somebody new', since: null },
  ]);
});

test('weekly-review writes one page about the pages of the last week', async () => {
  const brain_id = await createBrain('Team');
  await server.ok('create_page', { brain_id, title: 'Planning of May', body: 'We ship on the 12th.', type: 'note' });
  const { workflow_id } = await server.ok('apply_starter_recipe', {
    slug: 'weekly-review',
    brain_id,
    inputs: { goal: 'Ship in May.' },
  });
  const workflow = await server.ok('get_workflow', { workflow_id });
  expect(workflow).toMatchObject({ title: 'Weekly review', charter: expect.stringMatching(/^Ship in May\./) });
  const [own] = workflow.automations;
  expect(await run(own?.automation_id)).toEqual({ written: true, pages: 1 });
  expect(await run(own?.automation_id)).toEqual({ written: false });
  const { pages } = await server.ok('list_pages', { brain_id, type: 'weekly_review' });
  expect(pages).toHaveLength(1);
  const page = await server.ok('get_page', { id: pages[0]?.id });
  expect(page.body).toBe('## note\n\n- Planning of May');
});
