// Many automations are due at once on three servers. One server dies half-way.
import { Client } from 'pg';
import { startBenchServer, type BenchServer } from './server-process.ts';
import type { Bench, Table } from './table.ts';
import { chooseSize } from './size.ts';

const many = chooseSize(10_000, 6);
const lookMs = 250;
const dueTimes = chooseSize(20, 1);

/** The bars: each runs exactly once, and none is lost; one that is due on an idle server starts within a second. */
export async function measureAutomations({ createDatabase, note }: Bench, count = many): Promise<Table> {
  const databaseUrl = await createDatabase();
  const servers: BenchServer[] = [];
  const database = new Client({ connectionString: databaseUrl });
  try {
    servers.push(await startBenchServer(databaseUrl));
    await database.connect();
    const id = await saveOne(servers[0]!); // it was just started
    note('one is due, again and again');
    const delays = await measureStartDelays(database, id);
    await fill(database, id, count);
    for (let more = 0; more < 2; more += 1) servers.push(await startBenchServer(databaseUrl));
    note(`${count} are due`);
    const begun = performance.now();
    await database.query(`update automations set next_run_at = now() where state = 'active'`);
    await waitUntilRunsEnded(database, count / 2);
    note('one server dies');
    await servers.pop()?.kill();
    await waitUntilRunsEnded(database, count);
    const seconds = (performance.now() - begun) / 1_000;
    const { rows } = await database.query<{ automations: string; runs: string; well: string; again: string }>(
      `select count(distinct automation_id) as automations, count(*) as runs, count(*) filter (where status = 'succeeded') as well,
        count(*) filter (where attempt > 1) as again from automation_runs`,
    );
    const { automations, runs, well, again } = rows[0] ?? { automations: '0', runs: '0', well: '0', again: '0' };
    const isMet = [automations, runs, well].every((each) => Number(each) === count);
    return {
      title: `${count} automations due at once, 3 servers, one killed half-way`,
      rows: [
        { name: 'took', value: `${seconds.toFixed(0)} s, ${(count / seconds).toFixed(0)} runs a second` },
        { name: 'begun again after the kill', value: String(again) },
        {
          name: `bar: one that is due starts within a second (${dueTimes} times)`,
          value: `median ${delays.median} ms, longest ${delays.longest} ms: ${delays.longest <= 1_000 ? 'met' : 'missed'}`,
        },
        {
          name: 'bar: each ran exactly once',
          value: `${automations} automations, ${runs} runs, ${well} succeeded: ${isMet ? 'met' : 'missed'}`,
        },
      ],
    };
  } finally {
    await database.end();
    for (const server of servers) await server.stop();
  }
}

/** An active automation. */
async function saveOne(server: BenchServer): Promise<string> {
  const { automation_id: id } = await server.call('save_automation_draft', {
    name: 'Bench',
    source: 'return 1',
    triggers: [{ kind: 'cron', cron: '0 0 1 1 *' }],
    tool_grants: [{ tool: 'add_memory' }],
  });
  await server.call('update_automation', { automation_id: id, state: 'active' });
  return String(id);
}

/** How long an automation waits from the time it is due until its run begins. Its runs are deleted. */
async function measureStartDelays(database: Client, id: string): Promise<{ median: number; longest: number }> {
  for (let time = 1; time <= dueTimes; time += 1) {
    await database.query('update automations set next_run_at = now() where id = $1', [id]);
    await waitUntilRunsEnded(database, time);
  }
  const { rows } = await database.query<{ ms: number }>(
    `select round(extract(epoch from started_at - due_at) * 1000)::int as ms from automation_runs order by ms`,
  );
  await database.query('delete from automation_runs');
  return { median: rows[Math.floor(rows.length / 2)]?.ms ?? NaN, longest: rows.at(-1)?.ms ?? NaN };
}

/** Copies of an automation in the database. */
async function fill(database: Client, id: string, count: number): Promise<void> {
  const columns = `workspace_id, person_id, brain_id, description, intent, state, active_version_id, triggers, tool_grants, write_policy,
    cost_cap_daily_usd, max_wall_seconds, max_llm_tokens, model, overlap, max_retries, next_run_at, created_by_label, created_at, updated_at`;
  await database.query(
    `insert into automations (id, name, ${columns})
     select gen_random_uuid(), 'Bench ' || number, ${columns} from automations, generate_series(2, $1::int) number where id = $2`,
    [count, id],
  );
  await database.query(
    `insert into automation_versions select gen_random_uuid(), one.workspace_id, each.id, 1, source, one.created_by_label, now()
       from automation_versions one, automations each where one.automation_id = $1 and each.id <> $1`,
    [id],
  );
  await database.query(
    `update automations set active_version_id = version.id from automation_versions version where version.automation_id = automations.id`,
  );
}

async function waitUntilRunsEnded(database: Client, count: number): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ ended: string }>(
      `select count(*) as ended from automation_runs where status not in ('queued', 'running')`,
    );
    if (Number(rows[0]?.ended) >= count) return;
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
}
