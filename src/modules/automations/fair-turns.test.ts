import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';

let server: TestServer;
let database: OwnerDatabase;
let agent: string;

beforeAll(async () => {
  server = await startTestServer();
  database = await openAsOwner(server.connectionString);
  const scopes = ['automations:read', 'automations:write', 'memory:read'];
  agent = String((await server.ok('create_key', { label: 'Agent', scopes }))['key']);
});
afterEach(async () => {
  await database.rows(`update automation_runs set status = 'killed' where status = 'queued'`);
  for (const id of await listAutomationIds('running')) await stop(id);
  await expect.poll(() => listAutomationIds('running')).toEqual([]);
});
afterAll(async () => {
  await database.close();
  await server.close();
});

const idle = 'await new Promise(() => {})';
let made = 0;
async function save(source: string, more: Record<string, unknown> = {}, key?: string) {
  const input = {
    name: `Fair ${(made += 1)}`,
    source,
    triggers: [{ kind: 'manual' }],
    tool_grants: [{ tool: 'search_memory' }],
    max_wall_seconds: 60,
    ...more,
  };
  const { automation_id } = await server.ok('save_automation_draft', input, key ? { key } : {});
  return automation_id;
}
/** Starts a run, and does not wait for its end. */
async function start(automation_id: string, key?: string) {
  const count = async () => (await database.rows('select from automation_runs')).length;
  const before = await count();
  void server.call('run_automation_once', { automation_id, wait_seconds: 10 }, key ? { key } : {}).catch(() => {});
  await expect.poll(count).toBeGreaterThan(before);
}
/** The ids of automations with runs of a status. */
const listAutomationIds = async (status: string) =>
  (
    await database.rows('select automation_id as id from automation_runs where status = $1 order by started_at, id', [
      status,
    ])
  ).map(({ id }) => String(id));
async function stop(automationId: string) {
  await database.rows(
    `update automation_runs set stop_requested = 'stopped' where automation_id = $1 and status = 'running'`,
    [automationId],
  );
}

test('idle runs of one person leave a slot for another person, and for runs from schedules and events', async () => {
  const waiting = await save(idle, { overlap: 'parallel' });
  await server.ok('update_automation', { automation_id: waiting, state: 'active' });
  for (let n = 0; n < 6; n += 1) await start(waiting, agent);
  await expect.poll(async () => (await listAutomationIds('running')).length).toBeGreaterThanOrEqual(3);
  const grace = await addPerson(database);
  const hers = await save('return "hers"', {}, grace.key);
  const answer = await server.ok('run_automation_once', { automation_id: hers }, { key: grace.key });
  expect(answer).toMatchObject({ status: 'succeeded' });
  const hooked = await save('return "came"', { triggers: [{ kind: 'webhook' }] });
  await server.ok('update_automation', { automation_id: hooked, state: 'active' });
  const { webhook_url } = await server.ok('rotate_automation_webhook', { automation_id: hooked });
  await server.request(new URL(webhook_url).pathname, { method: 'POST', body: '{}' });
  await expect.poll(() => listAutomationIds('succeeded')).toEqual([hers, hooked]);
  expect(await listAutomationIds('queued')).toContain(waiting);
});

test('runs by hand of inactive automations run one at a time for each person, and keys take turns', async () => {
  const [first, second, third] = [await save(idle), await save(idle), await save(idle)];
  for (const id of [first, second, third]) await start(id, agent);
  const own = await save(idle);
  await start(own);
  await expect.poll(() => listAutomationIds('running')).toEqual([first]);
  await stop(first);
  await expect.poll(() => listAutomationIds('running')).toEqual([own]); // before the second run of the agent
  await stop(own);
  await expect.poll(() => listAutomationIds('running')).toEqual([second]);
});

test('a person can queue only a limited number of runs by hand', async () => {
  const id = await save(idle);
  await start(id);
  await database.rows(
    `insert into automation_runs (id, workspace_id, automation_id, version_id, person_id, trigger_kind, slot, mode, grants, starter, status, due_at, created_at)
     select gen_random_uuid(), workspace_id, automation_id, version_id, person_id, trigger_kind, 'manual:' || n, mode, grants, starter, 'queued', now(), now()
       from automation_runs, generate_series(1, 20) n where automation_id = $1`,
    [id],
  );
  const answer = await server.call('run_automation_once', { automation_id: id });
  expect(answer).toMatchObject({ status: 429, body: { detail: expect.stringContaining('20 runs') } });
});
