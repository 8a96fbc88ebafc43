import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinAs, signInOwner, type SignedIn } from '../../../tests/support/colleague.ts';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addWorkspace } from '../../../tests/support/second-workspace.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let ada: SignedIn;
beforeAll(async () => {
  server = await startTestServer({ THALAMUS_OWNER_EMAIL: 'ada@example.com' });
  database = await openAsOwner(server.connectionString);
  ada = await signInOwner(server, database);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

let made = 0;
const buildAutomation = (name = `Step ${(made += 1)}`, more: object = {}) => ({
  name,
  source: 'return 1',
  triggers: [{ kind: 'cron', cron: '0 9 * * 1', tz: 'UTC' }],
  tool_grants: [{ tool: 'add_memory' }],
  ...more,
});
const create = async (more: object = {}) =>
  String((await server.ok('create_workflow', { title: 'Launch', charter: 'Find pilots.', ...more })).workflow_id);
const read = (workflow_id: string, options?: { key: string }) => server.ok('get_workflow', { workflow_id }, options);
const countWorkflows = async () => (await database.rows('select id from workflows')).length;

/** A workflow with two automations, of which a person activated the first. */
async function createRunning() {
  const workflow_id = await create({ automations: [buildAutomation(), buildAutomation()] });
  const { automations } = await read(workflow_id);
  const [first, second] = automations.map(({ automation_id }) => automation_id) as [string, string];
  await server.ok('update_automation', { automation_id: first, state: 'active' });
  return { workflow_id, first, second };
}
const readStates = async (ids: string[]) => {
  const states = [];
  for (const automation_id of ids) states.push((await server.ok('get_automation', { automation_id })).state);
  return states;
};

test('a workflow has its charter, team, figures and deadlines, and saves its automations paused', async () => {
  const { key_id } = await server.ok('create_key', { label: 'Researcher' });
  const answer = await server.ok('create_workflow', {
    title: 'Launch in Spain',
    charter: 'Find 20 pilots.',
    roster: [
      { person_id: ada.personId, part: 'Leads' },
      { key_id, part: 'Finds companies' },
      { automation: 'Weekly note', part: 'Reports' },
    ],
    kpis: [{ name: 'Pilots', target: 20, unit: 'companies', value: 3 }],
    deadlines: [
      { name: 'Past', due: '2020-01-31' },
      { name: 'Launch', due: '2999-03-31T12:00:00Z' },
      { name: 'Plan', due: '2020-01-01', is_done: true },
    ],
    automations: [buildAutomation('Weekly note')],
  });
  expect(answer).toEqual({
    workflow_id: expect.any(String),
    url: expect.stringContaining(`/workflows/${answer.workflow_id}`),
  });
  const workflow = await read(answer.workflow_id);
  expect(workflow).toMatchObject({
    title: 'Launch in Spain',
    state: 'active',
    version: 1,
    roster: [
      { kind: 'person', id: ada.personId, part: 'Leads' },
      { kind: 'key', id: key_id, name: 'Researcher', part: 'Finds companies' },
      { kind: 'automation', name: 'Weekly note', part: 'Reports' },
    ],
    kpis: [{ name: 'Pilots', target: 20, unit: 'companies', value: 3, problem: null, query: null }],
    deadlines: [{ state: 'overdue' }, { state: 'open' }, { state: 'done' }],
    next_deadline: { name: 'Past' },
    automations: [{ name: 'Weekly note', state: 'paused', next_run_at: null }],
  });
  const automation_id = workflow.automations[0]?.automation_id;
  const automation = await server.ok('get_automation', { automation_id });
  expect(automation).toMatchObject({ workflow_id: answer.workflow_id, state: 'paused', settings: {} });
});

test('a KPI is computed from the rows of a board when it is read, and says why it has no value', async () => {
  const { board_id } = await server.ok('create_board', { name: 'Invoices' });
  const rows = [
    { status: 'open', amount: 120 },
    { status: 'open', amount: 80.5 },
    { status: 'paid', amount: 7 },
  ];
  await server.ok('append_board_rows', { board_id, rows });
  const open = { board_id, where: { status: 'open' } };
  const workflow_id = await create({
    kpis: [
      { name: 'Open', query: open },
      { name: 'Owed', query: { ...open, figure: 'sum', field: 'amount' }, unit: 'EUR' },
      { name: 'Words', query: { board_id, figure: 'sum', field: 'status' } },
      { name: 'Largest word', query: { board_id, figure: 'max', field: 'status' } },
    ],
  });
  const { kpis, boards } = await read(workflow_id);
  expect(kpis.map(({ value }) => value)).toEqual([2, 200.5, null, null]);
  expect(kpis.map(({ problem }) => problem === null)).toEqual([true, true, false, false]);
  expect(boards).toMatchObject([{ board_id, name: 'Invoices' }]);
  await server.ok('append_board_rows', { board_id, rows: [{ status: 'open', amount: 1 }] });
  expect((await read(workflow_id)).kpis[0]).toMatchObject({ value: 3 });

  const { key } = await server.ok('create_key', { label: 'Narrow', scopes: ['workflows:read'] });
  const narrow = await read(workflow_id, { key: String(key) });
  expect(narrow.kpis[0]).toMatchObject({ value: null, problem: expect.stringContaining('may not read') });
  expect(narrow.boards).toEqual([]);
  await server.ok('delete_board', { board_id, confirm: 'Invoices' });
  expect((await read(workflow_id)).kpis[0]).toMatchObject({ value: null, problem: expect.stringContaining('deleted') });
});

test('a change names the parts that it changes, and all others stay', async () => {
  const workflow_id = await create({
    kpis: [
      { name: 'Pilots', target: 20 },
      { name: 'Cost', unit: 'EUR', value: 5 },
    ],
    deadlines: [{ name: 'Launch', due: '2999-01-01' }],
    roster: [{ person_id: ada.personId, part: 'Leads' }],
  });
  const kpis = [
    { name: 'pilots', value: 4 },
    { name: 'New', value: 1 },
  ];
  const deadlines = [{ name: 'Launch', is_done: true }];
  const roster = [{ person_id: ada.personId, part: 'Watches' }];
  expect(await server.ok('update_workflow', { workflow_id, kpis, deadlines, roster })).toMatchObject({ version: 2 });
  expect(await read(workflow_id)).toMatchObject({
    charter: 'Find pilots.',
    kpis: [{ name: 'pilots', target: 20, value: 4 }, { name: 'Cost', unit: 'EUR', value: 5 }, { name: 'New' }],
    deadlines: [{ name: 'Launch', due: '2999-01-01', state: 'done' }],
    roster: [{ part: 'Watches' }],
  });
  const removal = { remove_kpis: ['Cost', 'new'], remove_deadlines: ['Launch'], remove_from_roster: [ada.personId] };
  await server.ok('update_workflow', { workflow_id, ...removal });
  expect(await read(workflow_id)).toMatchObject({ kpis: [{ name: 'pilots' }], deadlines: [], roster: [] });
});

test.for([
  ['nothing to change', {}],
  ['a deadline without a date', { deadlines: [{ name: 'Someday' }] }],
  ['a deadline on no day', { deadlines: [{ name: 'Launch', due: '2027-02-30' }] }],
  ['a KPI with value and query', { kpis: [{ name: 'A', value: 1, query: { board_id: 'BOARD' } }] }],
  ['a sum without a field', { kpis: [{ name: 'A', query: { board_id: 'BOARD', figure: 'sum' } }] }],
  ['a removal of what is not there', { remove_kpis: ['Nothing'] }],
  ['a member of nobody', { roster: [{ part: 'Leads' }] }],
  ['a member by a name that no automation of it has', { roster: [{ automation: 'Other', part: 'Reports' }] }],
  [
    'an automation with a grant that none may have',
    { automations: [buildAutomation('Bad', { tool_grants: [{ tool: 'create_key' }] })] },
  ],
  ['a state that closing alone gives', { state: 'closed' }],
] as const)('%s is refused, and nothing changes', async ([, change]) => {
  const { board_id } = await server.ok('create_board', { name: `Board ${(made += 1)}` });
  const workflow_id = await create();
  const before = await read(workflow_id);
  const input = JSON.parse(JSON.stringify(change).replaceAll('BOARD', board_id)) as object; // as it was
  const { status, body } = await server.call('update_workflow', { workflow_id, ...input });
  expect([status, body['code']]).toEqual([422, 'invalid_input']);
  expect(await read(workflow_id)).toEqual(before);
});

test('a workflow whose second automation cannot be saved is not created at all', async () => {
  const before = await countWorkflows();
  const automations = [buildAutomation('Same name'), buildAutomation('Same name')];
  const { status } = await server.call('create_workflow', { title: 'T', charter: 'C', automations });
  expect(status).toBe(409);
  expect(await countWorkflows()).toBe(before);
  expect(await database.rows(`select id from automations where name = 'Same name'`)).toEqual([]);
});

test('pausing a workflow pauses its automations, and resuming it activates none', async () => {
  const { workflow_id, first, second } = await createRunning();
  expect(await server.ok('update_workflow', { workflow_id, state: 'paused' })).toMatchObject({
    state: 'paused',
    paused_automations: 1,
  });
  expect(await server.ok('get_automation', { automation_id: first })).toMatchObject({
    state: 'paused',
    next_run_at: null,
    paused_reason: 'Its workflow was paused.',
  });
  await server.ok('update_workflow', { workflow_id, state: 'active' });
  expect(await readStates([first, second])).toEqual(['paused', 'paused']);
});

test('closing a workflow stops its automations and waiting runs, and nothing of it changes afterwards', async () => {
  const { workflow_id, first } = await createRunning();
  await database.rows(
    `insert into automation_runs (id, workspace_id, automation_id, person_id, version_id, slot, trigger_kind, mode, status, due_at, grants, created_at)
     select gen_random_uuid(), workspace_id, id, person_id, active_version_id, 'later', 'manual', 'live', 'queued', now() + interval '1 day', '[]', now()
       from automations where id = $1`,
    [first],
  );
  const closed = await server.ok('close_workflow', { workflow_id });
  expect(closed).toMatchObject({ state: 'closed', paused_automations: 1 });
  expect(await server.ok('close_workflow', { workflow_id })).toEqual({ ...closed, paused_automations: 0 });
  expect(await readStates([first])).toEqual(['paused']);
  const runs = await database.rows('select status from automation_runs where automation_id = $1', [first]);
  expect(runs).toEqual([{ status: 'killed' }]);
  for (const change of [{ state: 'active' }, { title: 'Again' }, { automations: [buildAutomation()] }])
    expect((await server.call('update_workflow', { workflow_id, ...change })).status).toBe(409);
});

test('two people who change different figures at once both keep their change', async () => {
  const names = ['A', 'B', 'C', 'D', 'E', 'F'];
  const workflow_id = await create({ kpis: names.map((name) => ({ name, value: 0 })) });
  await Promise.all(names.map((name) => server.ok('update_workflow', { workflow_id, kpis: [{ name, value: 1 }] })));
  expect((await read(workflow_id)).kpis.map(({ value }) => value)).toEqual(names.map(() => 1));
});

test('of two changes that expect the same version one is refused with the workflow as it is', async () => {
  const workflow_id = await create();
  const change = (title: string) => server.call('update_workflow', { workflow_id, title, expected_version: 1 });
  const answers = await Promise.all([change('One'), change('Two')]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const { title } = await read(workflow_id);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body['details']).toMatchObject({ workflow: { title, version: 2 } });
});

test('an activation and a pause at once leave no automation active in a paused workflow that was active before', async () => {
  const { workflow_id, first, second } = await createRunning();
  const [, activation] = await Promise.all([
    server.ok('update_workflow', { workflow_id, state: 'paused' }),
    server.call('update_automation', { automation_id: second, state: 'active' }),
  ]);
  expect(activation.status).toBe(200);
  expect(await readStates([first])).toEqual(['paused']);
});

test('two calls with one idempotency key make one workflow', async () => {
  const before = await countWorkflows();
  const call = () =>
    server.call('create_workflow', { title: 'Once', charter: 'C' }, { headers: { 'idempotency-key': 'workflow' } });
  const answers = [await call(), await call()];
  expect(answers[0]?.body).toEqual(answers[1]?.body);
  expect(await countWorkflows()).toBe(before + 1);
});

test('deleting a workflow needs its title and leaves its automations paused with their owner', async () => {
  const { workflow_id, first } = await createRunning();
  expect((await server.call('delete_workflow', { workflow_id, confirm: 'launch' })).status).toBe(422);
  expect(await server.ok('delete_workflow', { workflow_id, confirm: 'Launch' })).toMatchObject({
    paused_automations: 1,
  });
  expect((await server.call('get_workflow', { workflow_id })).status).toBe(404);
  expect(await server.ok('get_automation', { automation_id: first })).toMatchObject({
    state: 'paused',
    workflow_id: null,
  });
});

test('deleting a brain pauses the automations of its workflows', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Iberia' });
  const workflow_id = await create({ brain_id, automations: [buildAutomation()] });
  const automation_id = (await read(workflow_id)).automations[0]?.automation_id ?? '';
  await server.ok('update_automation', { automation_id, state: 'active' });
  const { name } = (await server.ok('list_brains')).brains.find((brain) => brain.id === brain_id) ?? {};
  const { counts } = await server.ok('delete_brain', { brain_id, confirm: name });
  expect(counts).toMatchObject({ workflows: 1, automations_paused: 1 });
  expect(await readStates([automation_id])).toEqual(['paused']);
});

test('an agent writes workflows, saves automations only with the scope for them, and deletes none', async () => {
  const scopes = ['workflows:read', 'workflows:write'];
  const agent = { key: String((await server.ok('create_key', { label: 'Agent', scopes })).key) };
  const made = await server.ok('create_workflow', { title: 'By an agent', charter: 'C' }, agent);
  const { workflow_id } = made;
  const automations = [buildAutomation()];
  const refused = await server.call('update_workflow', { workflow_id, automations }, agent);
  expect(refused).toMatchObject({ status: 403, body: { details: { scope: 'automations:write' } } });
  const deletion = await server.call('delete_workflow', { workflow_id, confirm: 'By an agent' }, agent);
  expect(deletion).toMatchObject({ status: 403, body: { details: { scope: 'automations:activate' } } });
  const { brain_id } = await read(workflow_id);
  const given = {
    label: 'Of a brain',
    scopes: [...scopes, 'automations:write'],
    home_brain_id: brain_id,
    reach: 'brain',
  };
  const narrow = { key: String((await server.ok('create_key', given)).key) };
  expect(await server.call('update_workflow', { workflow_id, automations }, narrow)).toMatchObject({ status: 403 });
  expect(await server.call('update_workflow', { workflow_id, title: 'Renamed' }, narrow)).toMatchObject({
    status: 200,
  });
});

test('a viewer of the brain reads its workflows and changes none, and others do not know them', async () => {
  const viewer = await joinAs(server, database, 'vera@example.com');
  const { brain_id } = await server.ok('create_brain', { name: 'Shared' });
  await database.rows(
    `insert into brain_members (brain_id, person_id, workspace_id, access_level, created_at)
      select id, $2, workspace_id, 'viewer', now() from brains where id = $1`,
    [brain_id, viewer.personId],
  );
  const [shared, own] = [await create({ brain_id }), await create()];
  expect((await viewer.ok('list_workflows'))['workflows']).toMatchObject([{ workflow_id: shared }]);
  expect((await viewer.call('update_workflow', { workflow_id: shared, title: 'Mine' })).status).toBe(403);
  expect((await viewer.call('get_workflow', { workflow_id: own })).status).toBe(404);
  const { key } = await addWorkspace(server);
  const member = { roster: [{ person_id: ada.personId, part: 'Leads' }] };
  const foreign = await server.call('create_workflow', { title: 'T', charter: 'C', ...member }, { key });
  expect([foreign.status, foreign.body['code']]).toEqual([404, 'not_found']);
});

test('when a person leaves, their workflows are paused and rosters lose them', async () => {
  const leo = await joinAs(server, database, 'leo@example.com');
  const shared = await create({
    roster: [
      { person_id: leo.personId, part: 'Helps' },
      { person_id: ada.personId, part: 'Leads' },
    ],
  });
  const { brain_id } = await server.ok('create_brain', { name: 'Of Leo' });
  const own = await create({ brain_id });
  await database.rows('update workflows set person_id = $2 where id = $1', [own, leo.personId]);
  await ada.ok('remove_person', { person_id: leo.personId });
  expect(await read(own)).toMatchObject({ state: 'paused' });
  expect(await read(shared)).toMatchObject({ state: 'active', roster: [{ id: ada.personId }] });
});

test('a list goes page by page, newest first, and by state', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Pages' });
  const ids = [await create({ brain_id }), await create({ brain_id }), await create({ brain_id })];
  await server.ok('close_workflow', { workflow_id: ids[0] });
  const first = await server.ok('list_workflows', { brain_id, limit: 2 });
  const second = await server.ok('list_workflows', { brain_id, limit: 2, cursor: first.next_cursor });
  const listed = [...first.workflows, ...second.workflows].map(({ workflow_id }) => workflow_id);
  expect([listed, second.next_cursor]).toEqual([ids.toReversed(), null]);
  const closed = await server.ok('list_workflows', { brain_id, state: 'closed' });
  expect(closed.workflows).toMatchObject([{ workflow_id: ids[0], state: 'closed' }]);
  expect((await server.call('list_workflows', { cursor: 'x' })).status).toBe(422);
});
