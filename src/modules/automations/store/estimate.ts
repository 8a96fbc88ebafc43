import { sql } from 'kysely';
import type { Db } from './tables.ts';

type SpentTotals = { runs: number; calls: number; usd: number };

const mostRunsRead = 50;

/** Model calls and costs of the newest runs since a time, live and dry, and how many runs events started. */
export async function readRunTotals(
  db: Db,
  automationId: string,
  since: Date,
): Promise<{ live: SpentTotals; dry: SpentTotals; started: number }> {
  const of = (isLive: boolean) =>
    sql<{ runs: number; calls: number; micro: string }>`
    select count(*)::int as runs, coalesce(sum(llm_calls), 0)::int as calls, coalesce(sum(cost_micro_usd), 0)::text as micro from (
      select llm_calls, cost_micro_usd from automation_runs
       where automation_id = ${automationId} and finished_at >= ${since} and status in ('succeeded', 'failed') and (mode = 'live') = ${isLive}
       order by id desc limit ${mostRunsRead}) newest`.execute(db);
  const spent = (row: { runs: number; calls: number; micro: string } | undefined): SpentTotals => ({
    runs: row?.runs ?? 0,
    calls: row?.calls ?? 0,
    usd: Number(row?.micro ?? 0) / 1_000_000,
  });
  const events = await sql<{ started: number }>`select count(*)::int as started from automation_runs
    where automation_id = ${automationId} and created_at >= ${since} and mode = 'live' and replay_of is null and attempt = 1
      and trigger_kind in ('page_ingested', 'board_change', 'webhook')`.execute(db);
  const [live, dry] = [(await of(true)).rows[0], (await of(false)).rows[0]];
  return { live: spent(live), dry: spent(dry), started: events.rows[0]?.started ?? 0 };
}
