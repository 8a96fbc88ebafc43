// Estimates the monthly cost of an automation, and says what the estimate is based on.
import type { Db } from '#kernel/database';
import { z } from 'zod';
import { readRunTotals } from './store/estimate.ts';
import type { AutomationRow } from './store/tables.ts';
import { countTimesBetween } from './triggers.ts';

const dayMs = 24 * 60 * 60 * 1_000;
const monthDays = 30;

export const estimateOutput = z.object({
  usd_a_month: z.number().nullable().describe('null: nothing is known yet. Call run_automation_once first.'),
  most_usd_a_month: z.number().describe('The most it can cost, from its daily cap.'),
  runs_a_month: z.number().nullable(),
  basis: z.object({
    runs: z.enum(['schedule', 'history', 'schedule_and_history', 'none']),
    cost: z.enum(['no_model', 'live_runs', 'dry_runs', 'none']),
    runs_looked_at: z.number(),
    calls_a_run: z.number().nullable(),
    usd_a_call: z.number().nullable(),
  }),
  explanation: z.string(),
});
type Estimate = z.output<typeof estimateOutput>;

/**
 * Calls per run × price per call × runs per month. Each factor comes from live runs of the last 30 days, else from dry
 * runs.
 */
export async function readCostEstimate(db: Db, automation: AutomationRow, now: Date): Promise<Estimate> {
  const since = new Date(now.getTime() - monthDays * dayMs);
  return estimateCost(automation, await readRunTotals(db, automation.id, since), now);
}

type EstimatedAutomation = Pick<AutomationRow, 'triggers' | 'tool_grants' | 'cost_cap_daily_usd' | 'created_at'>;

async function estimateCost(automation: EstimatedAutomation, runs: Runs, now: Date): Promise<Estimate> {
  const perMonth = await estimateMonthlyRuns(automation, runs.started, now);
  const cost = estimateRunCost(automation, runs);
  const most = automation.cost_cap_daily_usd * monthDays;
  const each = cost.calls_a_run === null || cost.usd_a_call === null ? null : cost.calls_a_run * cost.usd_a_call;
  const usd = each === 0 ? 0 : each === null || perMonth.count === null ? null : Math.min(each * perMonth.count, most);
  const basis = { runs: perMonth.basis, ...cost };
  const known = { usd_a_month: usd, most_usd_a_month: most, runs_a_month: perMonth.count };
  return { ...known, basis, explanation: explain(known, basis) };
}

const noRuns = { runs: 0, calls: 0, usd: 0 };

/** As `readCostEstimate`, for an automation that is not saved yet: by its schedule, grants and cap. */
export async function estimateNewAutomation(
  automation: Omit<EstimatedAutomation, 'created_at'>,
  now: Date,
): Promise<Estimate> {
  return estimateCost({ ...automation, created_at: now }, { live: noRuns, dry: noRuns, started: 0 }, now);
}

type Runs = Awaited<ReturnType<typeof readRunTotals>>;

async function estimateMonthlyRuns({ triggers, created_at }: EstimatedAutomation, started: Runs['started'], now: Date) {
  const until = new Date(now.getTime() + monthDays * dayMs);
  const scheduled = await countTimesBetween(triggers, now, until);
  const byEvents = triggers.some(({ kind }) => ['page_ingested', 'board_change', 'webhook'].includes(kind));
  const days = Math.min(monthDays, Math.max(1, (now.getTime() - created_at.getTime()) / dayMs));
  const events = byEvents && started > 0 ? (started / days) * monthDays : null;
  const bases = [scheduled > 0 && 'schedule', events !== null && 'history'].filter((each) => each !== false);
  const basis = (bases.join('_and_') || 'none') as Estimate['basis']['runs']; // two words, joined as in the list
  return { count: bases.length ? Math.round(scheduled + (events ?? 0)) : null, basis };
}

function estimateRunCost({ tool_grants }: EstimatedAutomation, { live, dry }: Runs): Omit<Estimate['basis'], 'runs'> {
  if (!tool_grants.some(({ tool }) => tool === 'automation_llm_complete'))
    return { cost: 'no_model', runs_looked_at: 0, calls_a_run: 0, usd_a_call: 0 };
  const [cost, from] = live.runs > 0 ? (['live_runs', live] as const) : (['dry_runs', dry] as const);
  if (!from.runs) return { cost: 'none', runs_looked_at: 0, calls_a_run: null, usd_a_call: null };
  const usd_a_call = from.calls > 0 ? from.usd / from.calls : 0;
  return { cost, runs_looked_at: from.runs, calls_a_run: from.calls / from.runs, usd_a_call };
}

const noun = { live_runs: 'live', dry_runs: 'dry' } as const;

function explain(known: Omit<Estimate, 'basis' | 'explanation'>, basis: Estimate['basis']): string {
  const { usd_a_month, runs_a_month, most_usd_a_month } = known;
  if (basis.cost === 'no_model') return 'It may not call a language model, so it costs nothing.';
  if (basis.cost === 'none') return 'It has not run yet. Call run_automation_once, then estimate again.';
  const { calls_a_run, usd_a_call, runs_looked_at } = basis;
  const calls = `${round(calls_a_run)} model calls a run at $${round(usd_a_call)} each, from ${runs_looked_at} ${noun[basis.cost]} runs`;
  if (runs_a_month === null) return `${calls}. How often it will run is unknown.`;
  return `${calls}, × ${runs_a_month} runs a month: $${round(usd_a_month)}. Its cap limits this to $${round(most_usd_a_month)}.`;
}

function round(value: number | null): string {
  return String(Number((value ?? 0).toPrecision(3)));
}
