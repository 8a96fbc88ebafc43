import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { countTimesBetween } from './triggers.ts';

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

let made = 0;
async function save(more: Record<string, unknown>) {
  const { automation_id } = await server.ok('save_automation_draft', {
    name: `Costing ${(made += 1)}`,
    source: '1',
    triggers: [{ kind: 'cron', cron: '0 9 * * *', tz: 'UTC' }],
    tool_grants: [{ tool: 'automation_llm_complete' }],
    ...more,
  });
  return automation_id;
}
const estimate = (automation_id: string) => server.ok('estimate_automation_cost', { automation_id });

/** Stores runs that have ended. */
const insertRuns = (
  automation_id: string,
  mode: string,
  runs: number,
  calls: number,
  microUsd: number,
  kind = 'cron',
) =>
  database.rows(`insert into automation_runs (id, workspace_id, automation_id, version_id, person_id, trigger_kind, slot, mode, grants,
      status, due_at, created_at, started_at, finished_at, llm_calls, cost_micro_usd)
    select gen_random_uuid(), workspace_id, id, active_version_id, person_id, '${kind}', '${mode}${kind}' || number, '${mode}', '[]', 'succeeded',
      now(), now(), now(), now(), ${calls}, ${microUsd} from automations, generate_series(1, ${runs}) number where id = '${automation_id}'`);

test('the monthly cost is calls × price × schedule, from dry runs, then from live runs', async () => {
  const id = await save({});
  expect(await estimate(id)).toMatchObject({
    usd_a_month: null,
    runs_a_month: 30,
    basis: { runs: 'schedule', cost: 'none' },
  });
  await insertRuns(id, 'dry_run', 2, 3, 6_000);
  expect(await estimate(id)).toMatchObject({
    usd_a_month: expect.closeTo(0.18, 6),
    most_usd_a_month: 30,
    basis: { cost: 'dry_runs', runs_looked_at: 2, calls_a_run: 3, usd_a_call: expect.closeTo(0.002, 9) },
    explanation:
      '3 model calls a run at $0.002 each, from 2 dry runs, × 30 runs a month: $0.18. Its cap limits this to $30.',
  });
  await insertRuns(id, 'live', 1, 1, 10_000);
  expect(await estimate(id)).toMatchObject({ usd_a_month: expect.closeTo(0.3, 6), basis: { cost: 'live_runs' } });
});

test('the cap limits the estimated cost', async () => {
  const id = await save({ cost_cap_daily_usd: 0.5 });
  await insertRuns(id, 'dry_run', 1, 10, 5_000_000);
  expect(await estimate(id)).toMatchObject({ usd_a_month: 15, most_usd_a_month: 15 });
});

test('an automation without a model costs nothing, and one started by events counts how often they happened', async () => {
  expect(await estimate(await save({ tool_grants: [{ tool: 'add_memory' }] }))).toMatchObject({
    usd_a_month: 0,
    basis: { cost: 'no_model' },
  });
  const id = await save({ triggers: [{ kind: 'webhook' }] });
  await insertRuns(id, 'dry_run', 1, 1, 1_000);
  expect(await estimate(id)).toMatchObject({ usd_a_month: null, runs_a_month: null, basis: { runs: 'none' } });
  await database.rows(`update automations set created_at = now() - interval '10 days' where id = '${id}'`);
  await insertRuns(id, 'live', 5, 1, 2_000, 'webhook');
  expect(await estimate(id)).toMatchObject({
    usd_a_month: expect.closeTo(0.03, 6),
    runs_a_month: 15,
    basis: { runs: 'history' },
  });
});

test('times of a schedule are counted; a frequent schedule is estimated from its first 2,000 times', async () => {
  const [from, until] = [new Date('2026-05-01T00:00:00Z'), new Date('2026-05-31T00:00:00Z')];
  const count = (cron: string) => countTimesBetween([{ kind: 'cron', cron, tz: 'Europe/Paris' }], from, until);
  expect(await count('0 9 * * 1')).toBe(4);
  expect(await count('*/30 * * * *')).toBe(1_440);
  expect(await count('* * * * *')).toBe(43_200);
});
