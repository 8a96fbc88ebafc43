import { newId } from '#platform/clock';
import { createKysely, createOwnerPool } from '#platform/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { queueRun } from './running/queue-run.ts';
import { findReasonToStop } from './running/start-after-events.ts';
import { claimRun } from './store/due.ts';
import type { Tables } from './store/tables.ts';

let server: TestServer;
let database: OwnerDatabase;
beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const monday = { kind: 'cron', cron: '0 9 * * 1', tz: 'Europe/Berlin' };

async function createActive(name: string, source: string, more: object) {
  const given = { name, source, tool_grants: [{ tool: 'add_memory' }], ...more };
  const { automation_id } = await server.ok('save_automation_draft', given);
  await server.ok('update_automation', { automation_id, state: 'active' });
  return String(automation_id);
}
const listRuns = async (automation_id: string) => (await server.ok('list_automation_runs', { automation_id })).runs;
const listStatuses = async (id: string) => (await listRuns(id)).map(({ status }) => status).toSorted();

/** Makes the schedule due, and waits until its slot was taken. */
async function makeDue(id: string): Promise<void> {
  await database.rows(`update automations set next_run_at = now() - interval '1 minute' where id = '${id}'`);
  const isTaken = async () =>
    (await database.rows(`select next_run_at > now() as taken from automations where id = '${id}'`))[0]?.['taken'];
  await expect.poll(isTaken).toBe(true);
}
async function stopAll(id: string): Promise<void> {
  for (const { run_id, status } of await listRuns(id))
    if (status === 'running') await server.ok('stop_automation_run', { run_id });
}

test.for([
  ['skip', ['running'], ['killed']],
  ['queue', ['queued', 'running'], ['killed', 'running']],
  ['parallel', ['running', 'running'], ['killed', 'killed']],
] as const)('an automation that is due while it runs: %s', async ([overlap, meanwhile, afterwards]) => {
  const endless = 'await new Promise((done) => setTimeout(done, 600_000))';
  const id = await createActive(`Waits, ${overlap}`, endless, { triggers: [monday], overlap });
  await makeDue(id);
  await expect.poll(() => listStatuses(id)).toEqual(['running']);
  await makeDue(id);
  await expect.poll(() => listStatuses(id)).toEqual(meanwhile);
  await stopAll(id);
  await expect.poll(() => listStatuses(id)).toEqual(afterwards);
  await stopAll(id);
  await server.ok('update_automation', { automation_id: id, state: 'paused' });
});

test('an automation starts after pages of its source and brain, once for each, with the pages as its trigger', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Harbour' });
  const triggers = [{ kind: 'page_ingested', brain_id }];
  const id = await createActive('After pages', 'return args.trigger', { triggers });
  const page = await server.ok('create_page', { title: 'Elsewhere', body: 'Not here.' });
  expect(page.id).toBeDefined();
  const here = await server.ok('create_page', { title: 'Tides', body: 'High at noon.', brain_id });
  await expect.poll(() => listStatuses(id)).toEqual(['succeeded']);
  const [run] = await listRuns(id);
  const { result, trigger_kind } = await server.ok('get_automation_run', { run_id: run?.run_id });
  expect(trigger_kind).toBe('page_ingested');
  expect(JSON.stringify(result)).toContain(String(here.id));
});

test('an automation with a thousand waiting runs gets no more from events, and others continue', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Flooded' });
  const triggers = [{ kind: 'page_ingested', brain_id }];
  const more = { triggers, overlap: 'queue' };
  const full = await createActive('Flooded', 'return 1', more);
  const other = await createActive('Beside it', 'return 1', more);
  await database.rows(
    `insert into automation_runs (id, workspace_id, automation_id, version_id, person_id, trigger_kind, slot, mode, grants, status, due_at, created_at)
     select gen_random_uuid(), workspace_id, id, active_version_id, person_id, 'page_ingested', 'flood:' || n, 'live', '[]', 'queued', now() + interval '1 day', now()
       from automations, generate_series(1, 1000) n where id = $1`,
    [full],
  );
  await server.ok('create_page', { title: 'One more', body: 'It rains.', brain_id });
  await expect.poll(() => listStatuses(other)).toEqual(['succeeded']);
  const [{ count } = {}] = await database.rows(
    'select count(*)::int as count from automation_runs where automation_id = $1',
    [full],
  );
  expect(count).toBe(1000);
  await database.rows('delete from automation_runs where automation_id = $1', [full]);
  await server.ok('update_automation', { automation_id: full, state: 'paused' });
});

/** Waits until no event of automations and no run is left. */
async function waitUntilQuiet(): Promise<void> {
  const left = async () =>
    (
      await database.rows(`select ((select count(*) from jobs.job where name like 'automations.%' and state < 'completed')
        + (select count(*) from automation_runs where status in ('queued', 'running')))::int as left`)
    )[0]?.['left'];
  await expect.poll(left, { timeout: 20_000 }).toBe(0);
}

test('automations do not start each other in circles, neither by pages nor by boards', async () => {
  const { brain_id } = await server.ok('create_brain', { name: 'Circle' });
  const { board_id } = await server.ok('create_board', { name: 'Circle', brain_id });
  const row = `await brains.append_board_rows({ board_id: "${board_id}", rows: [{ seen: args.run_id }] })`;
  const page = `await brains.create_page({ title: args.run_id, body: "Seen.", brain_id: "${brain_id}" })`;
  const circle = [
    await createActive('Row after page', row, {
      triggers: [{ kind: 'page_ingested', brain_id }],
      tool_grants: [{ tool: 'append_board_rows' }],
    }),
    await createActive('Page after row', page, {
      triggers: [{ kind: 'board_change', board_id }],
      tool_grants: [{ tool: 'create_page' }],
    }),
    await createActive('Page after page', page, {
      triggers: [{ kind: 'page_ingested', brain_id }],
      tool_grants: [{ tool: 'create_page' }],
    }),
  ];
  await server.ok('append_board_rows', { board_id, rows: [{ seen: 'by a person' }] });
  await waitUntilQuiet();
  // The row starts "Page after row". Its page starts the other two, and the page of one starts the other again.
  const runs = await Promise.all(circle.map(listStatuses));
  expect(runs).toEqual([['succeeded', 'succeeded'], ['succeeded'], ['succeeded']]);
});

test.for([
  [['a', 'b'], 'c', null],
  [['a', 'b'], 'a', 'itself'],
  [['a', 'b', 'c', 'd'], 'e', '4 automations'],
] as const)('after %j, automation %s starts or not: %s', ([chain, next, reason]) => {
  if (reason === null) expect(findReasonToStop(next, chain)).toBeNull();
  else expect(findReasonToStop(next, chain)).toContain(reason);
});

test('a failed run is tried again as often as its policy allows, and no more', async () => {
  const triggers = [monday];
  const id = await createActive('Fails', 'throw new Error("storm")', { triggers, max_retries: 1 });
  await makeDue(id);
  await expect.poll(() => listStatuses(id)).toContain('failed');
  await database.rows(`update automation_runs set due_at = now() where automation_id = '${id}' and status = 'queued'`);
  await expect.poll(() => listStatuses(id)).toEqual(['failed', 'failed']);
});

test('the playbook asks one question at a time, and begins with the purpose that is known', async () => {
  const { playbook, purpose_hint } = await server.ok('create_automation_flow', { purpose_hint: 'Count the ships' });
  expect(purpose_hint).toBe('Count the ships');
  expect(playbook).toContain('Count the ships');
  expect(playbook).toMatch(/one question at a time/i);
  for (const step of ['find_overlapping_automations', 'save_automation_draft', 'run_automation_once'])
    expect(playbook).toContain(step);
});

test('an owner with many due runs keeps no other owner waiting', async () => {
  const source = 'await new Promise((done) => setTimeout(done, 50))';
  const many = await createActive('Many', source, { triggers: [monday], overlap: 'parallel' });
  const person = await addPerson(database);
  const as = { key: person.key };
  const given = {
    name: 'One',
    source: 'return 1',
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'add_memory' }],
  };
  const { automation_id: one } = await server.ok('save_automation_draft', given, as);
  await server.ok('run_automation_once', { automation_id: many });
  await server.ok('run_automation_once', { automation_id: one }, as);
  // Forty runs of the first have been due for a minute, one of the other just now.
  const copy = (id: string, count: number, age: string) =>
    database.rows(
      `insert into automation_runs select (jsonb_populate_record(model, jsonb_build_object('id', gen_random_uuid(),
         'slot', 'copy ' || n, 'status', 'queued', 'due_at', now() - $3::interval, 'is_serial', false,
         'started_at', null, 'ended_at', null))).* from automation_runs model, generate_series(1, $2) n
       where model.id = (select id from automation_runs where automation_id = $1 limit 1)`,
      [id, count, age],
    );
  await copy(many, 40, '1 minute');
  await copy(one, 1, '0 seconds');
  const begun = async () =>
    (
      await database.rows(
        `select automation_id from automation_runs where slot like 'copy %' and started_at is not null order by started_at`,
      )
    ).map(({ automation_id }) => automation_id);
  await expect.poll(begun).toHaveLength(41);
  expect((await begun()).indexOf(one), 'by due time alone it would be the last').toBeLessThan(25);
});

test('a run keeps its grants while it runs, and a waiting run loses grants that are removed', async () => {
  const source = `while (!(await brains.automation_kv({ op: "get", key: "go" })).value) await new Promise((done) => setTimeout(done, 50));
    try { return (await brains.add_memory({ content: "Tide " + args.run_id })) && "stored" } catch (e) { return e.code }`;
  const both = [{ tool: 'automation_kv' }, { tool: 'add_memory' }];
  const id = await createActive('Narrowed', source, { triggers: [monday], overlap: 'queue', tool_grants: both });
  await makeDue(id);
  await expect.poll(() => listStatuses(id)).toEqual(['running']);
  await makeDue(id);
  await server.ok('update_automation', { automation_id: id, tool_grants: both.slice(0, 1) });
  await database.rows(`insert into automation_kv (automation_id, workspace_id, key, value, updated_at)
    select id, workspace_id, 'go', 'true', now() from automations where id = '${id}'`);
  await expect.poll(() => listStatuses(id)).toEqual(['succeeded', 'succeeded']);
  const results = (await listRuns(id)).map(({ run_id }) => server.ok('get_automation_run', { run_id }));
  expect((await Promise.all(results)).map(({ result }) => result)).toEqual(['forbidden', 'stored']);
});

test('a retry has no grant that was removed, and none starts once the automation is paused', async () => {
  const source = `throw new Error(await brains.add_memory({ content: "Wave " + args.run_id }).then(() => "stored", (e) => e.code))`;
  const given = { triggers: [monday], max_retries: 2, tool_grants: [{ tool: 'add_memory' }, { tool: 'search' }] };
  const id = await createActive('Tried again', source, given);
  const errors = async () => (await listRuns(id)).map(({ error }) => error).toReversed();
  const next = () =>
    database.rows(`update automation_runs set due_at = now() where automation_id = '${id}' and status = 'queued'`);
  await makeDue(id);
  await expect.poll(errors).toEqual(['stored', null]);
  await server.ok('update_automation', { automation_id: id, tool_grants: [{ tool: 'search' }] });
  await next();
  await expect.poll(errors).toEqual(['stored', 'forbidden', null]);
  await server.ok('update_automation', { automation_id: id, state: 'paused' });
  await next();
  await expect.poll(errors).toEqual(['stored', 'forbidden', expect.stringContaining('paused')]);
});

test('many processes at once start a slot once, and claim a run once', async () => {
  const id = await createActive('Claimed', 'return 1', { triggers: [monday], overlap: 'queue' });
  const db = createKysely<Tables>(createOwnerPool({ connectionString: server.connectionString }, 8));
  const automation = await db.selectFrom('automations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const due = new Date(Date.now() + 3_600_000); // so that the server does not start it
  const times = Array.from({ length: 8 });
  const queue = (slot: string) =>
    queueRun({ now: () => due, newId }, db, automation, { kind: 'cron', slot, due, payload: null });
  const claim = (run: string) => db.transaction().execute((tx) => claimRun(tx, run, 60_000));
  const queued = (await Promise.all(times.map(() => queue('cron:one')))).filter((each) => each !== null);
  expect(queued).toHaveLength(1);
  const [run = ''] = queued;
  expect((await Promise.all(times.map(() => claim(run)))).filter(Boolean)).toHaveLength(1);
  const other = await queue('cron:two');
  await expect(claim(String(other)), 'one of its runs is under way').rejects.toMatchObject({ code: '23505' });
  await server.ok('delete_automation', { automation_id: id });
  await db.destroy();
});
