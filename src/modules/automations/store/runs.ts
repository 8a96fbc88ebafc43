import type { Caller } from '#kernel/caller';
import type { ItemLocation } from '#kernel/resource';
import { computeTimeFromNow, toJsonColumn } from '#platform/database';
import { isLeaseHeld, buildExtendedLease, released } from '#platform/lease';
import { sql, type UpdateObject } from 'kysely';
import type { ReachedCap } from '../reached-cap.ts';
import { locateAutomations } from './automations.ts';
import type { Db, RunRow, RunStatus, Tables } from './tables.ts';

/** Only its owner sees a run, because its output may contain everything that the owner may read. */
export async function locateRuns(db: Db, ids: readonly string[], caller: Caller): Promise<ItemLocation[]> {
  const runs = await db
    .selectFrom('automation_runs')
    .select(['id', 'automation_id'])
    .where('id', 'in', ids)
    .where('person_id', '=', caller.personId)
    .execute();
  if (!runs.length) return [];
  const seen = await locateAutomations(db, [...new Set(runs.map((run) => run.automation_id))], caller);
  const visible = new Set(seen.map(({ id }) => id));
  return runs.filter((run) => visible.has(run.automation_id)).map(({ id }) => ({ id, brainId: null }));
}

export type NewRun = Pick<
  RunRow,
  | 'id'
  | 'workspace_id'
  | 'automation_id'
  | 'version_id'
  | 'person_id'
  | 'trigger_kind'
  | 'payload'
  | 'slot'
  | 'mode'
  | 'grants'
  | 'starter'
  | 'is_serial'
  | 'due_at'
  | 'created_at'
> &
  Partial<Pick<RunRow, 'attempt' | 'replay_of' | 'chain' | 'is_trial' | 'turn'>>;

/** Queues a run. False: its slot already has one. */
export async function insertRun(db: Db, run: NewRun): Promise<boolean> {
  const texts = {
    payload: toJsonColumn(run.payload),
    grants: toJsonColumn(run.grants),
    starter: run.starter && toJsonColumn(run.starter),
  };
  const inserted = await db
    .insertInto('automation_runs')
    .values({ ...run, ...texts, status: 'queued' } as never) // the database fills columns that have a default
    .onConflict((oc) => oc.columns(['automation_id', 'slot']).doNothing())
    .executeTakeFirst();
  return Boolean(inserted.numInsertedOrUpdatedRows);
}

export async function findRun(db: Db, id: string): Promise<RunRow | undefined> {
  return db.selectFrom('automation_runs').selectAll().where('id', '=', id).executeTakeFirst();
}

const listed = [
  'id',
  'automation_id',
  'version_id',
  'trigger_kind',
  'mode',
  'status',
  'attempt',
  'due_at',
  'created_at',
  'started_at',
  'finished_at',
  'kill_reason',
  'error',
  'exit_code',
  'duration_ms',
  'cost_micro_usd',
  'llm_tokens',
  'replay_of',
] as const satisfies (keyof RunRow)[];

export type ListedRun = Pick<RunRow, (typeof listed)[number]>;

/** Runs of an automation before a time, newest first. */
export async function listRuns(
  db: Db,
  automationId: string,
  page: { before?: string | undefined; limit: number },
): Promise<ListedRun[]> {
  return db
    .selectFrom('automation_runs')
    .select(listed)
    .where('automation_id', '=', automationId)
    .$if(page.before !== undefined, (query) => query.where('id', '<', page.before ?? ''))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
}

/** Whether the automation has a waiting or active run. */
export async function hasOpenRun(db: Db, automationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('automation_runs')
    .select('id')
    .where('automation_id', '=', automationId)
    .where('status', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Waiting and active runs of a person that were started by hand: how many wait, and how many of one starter wait or
 * run.
 */
export async function countByHand(db: Db, personId: string, label: string): Promise<{ waiting: number; own: number }> {
  const { rows } = await sql<{ waiting: number; own: number }>`
    select count(*) filter (where status = 'queued')::int as waiting, count(*) filter (where starter->>'label' = ${label})::int as own
      from automation_runs where person_id = ${personId} and status in ('queued', 'running') and starter is not null`.execute(
    db,
  );
  return rows[0] ?? { waiting: 0, own: 0 };
}

/** How many runs of one automation from deliveries and events may wait. */
export const mostWaiting = 1_000;

/** How many runs of an automation wait, counted up to a limit. */
export async function countWaiting(db: Db, automationId: string, upTo: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from automation_runs where automation_id = ${automationId} and status = 'queued' limit ${upTo}) waiting`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** The id of the run in a slot. */
export async function findRunOfSlot(db: Db, automationId: string, slot: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('automation_runs')
    .select('id')
    .where('automation_id', '=', automationId)
    .where('slot', '=', slot)
    .executeTakeFirst();
  return row?.id;
}

type LeasedRun = Pick<RunRow, 'id' | 'lease_token'>;
type Change = UpdateObject<Tables, 'automation_runs'>;

/** Changes a run that this process has claimed. False: it has lost the run. */
export async function updateLeasedRun(db: Db, { id, lease_token }: LeasedRun, change: Change): Promise<boolean> {
  const updated = await db
    .updateTable('automation_runs')
    .set(change)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where(isLeaseHeld({ lease_token }))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/**
 * Renews the lease of a run and stores its new output. Returns the requested stop, if any, with its message. Undefined: the run is
 * lost.
 */
export async function renewLease(
  db: Db,
  { id, lease_token }: LeasedRun,
  { leaseMs, stdout, stderr }: { leaseMs: number; stdout: string; stderr: string },
): Promise<{ stop: string | null; message: string | null } | undefined> {
  const row = await db
    .updateTable('automation_runs')
    .set({
      ...buildExtendedLease(leaseMs),
      ...(stdout && { stdout: sql<string>`stdout || ${stdout}` }),
      ...(stderr && { stderr: sql<string>`stderr || ${stderr}` }),
    })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where(isLeaseHeld({ lease_token }))
    .returning(['stop_requested as stop', sql<string | null>`error ->> 'message'`.as('message')])
    .executeTakeFirst();
  return row;
}

export type RunEnd = Pick<
  RunRow,
  'status' | 'stdout' | 'stderr' | 'result' | 'error' | 'kill_reason' | 'exit_code' | 'duration_ms'
> &
  Partial<Pick<RunRow, 'recording'>>;

export async function finishRun(db: Db, leasedRun: LeasedRun, end: RunEnd): Promise<boolean> {
  const { recording } = end;
  const texts = {
    result: toJsonColumn(end.result),
    error: end.error && toJsonColumn(end.error),
    recording: recording ? toJsonColumn(recording) : null,
  };
  return updateLeasedRun(db, leasedRun, {
    ...end,
    ...texts,
    finished_at: computeTimeFromNow(),
    ...released,
    reserved_micro_usd: 0,
    reserved_tokens: 0,
  });
}

/** Requeues a run that has made no call, so that it had no effect yet. */
export async function requeue(db: Db, leasedRun: LeasedRun, attempt: number): Promise<boolean> {
  return updateLeasedRun(db, leasedRun, {
    status: 'queued',
    attempt,
    ...released,
    stdout: '',
    stderr: '',
    started_at: null,
  });
}

/** Some runs to stop. */
type RunSelection = { id: string } | { automation_id: string };

/** Ends waiting runs, and requests the stop of active ones. Returns the ended runs, and whether there were any. */
export async function stopRuns(db: Db, of: RunSelection, why: string): Promise<{ ended: RunRow[]; isFound: boolean }> {
  const those = () => db.updateTable('automation_runs').where((eb) => eb.and(of));
  const ended = await those()
    .set({ status: 'killed', kill_reason: why, finished_at: computeTimeFromNow() })
    .where('status', '=', 'queued')
    .returningAll()
    .execute();
  const asked = await those().set({ stop_requested: why }).where('status', '=', 'running').executeTakeFirst();
  return { ended, isFound: ended.length > 0 || asked.numUpdatedRows > 0n };
}

/** Requests the stop of an active run that reached a cap. The first request counts. */
export async function requestStopByCap(db: Db, id: string, { cap, message }: ReachedCap): Promise<void> {
  await db
    .updateTable('automation_runs')
    .set({ stop_requested: cap, error: toJsonColumn({ name: 'CapReached', message }) })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('stop_requested', 'is', null)
    .execute();
}

/** An automation's costs today (UTC), including reservations of active calls, in millionths of a dollar. */
export async function readSpentToday(db: Db, automationId: string): Promise<number> {
  const { rows } = await sql<{ spent: string }>`
    select coalesce(sum(cost_micro_usd + reserved_micro_usd), 0)::text as spent from automation_runs
     where automation_id = ${automationId} and started_at >= date_trunc('day', clock_timestamp() at time zone 'UTC') at time zone 'UTC'
  `.execute(db);
  return Number(rows[0]?.spent ?? 0);
}

/** Changes the cost and the reservation of a run. */
export async function addSpending(
  db: Db,
  id: string,
  {
    micro = 0,
    tokens = 0,
    calls = 0,
    reservedMicro,
    reservedTokens,
  }: { micro?: number; tokens?: number; calls?: number; reservedMicro: number; reservedTokens: number },
): Promise<void> {
  await sql`update automation_runs set cost_micro_usd = cost_micro_usd + ${micro}, llm_tokens = llm_tokens + ${tokens},
    llm_calls = llm_calls + ${calls},
    reserved_micro_usd = greatest(reserved_micro_usd + ${reservedMicro}, 0), reserved_tokens = greatest(reserved_tokens + ${reservedTokens}, 0)
    where id = ${id}`.execute(db);
}

/** The newest run of each of these automations. */
export async function mapLastRuns(db: Db, automationIds: readonly string[]): Promise<Map<string, ListedRun>> {
  if (!automationIds.length) return new Map();
  const rows = await db
    .selectFrom('automation_runs')
    .distinctOn('automation_id')
    .select(listed)
    .where('automation_id', 'in', automationIds)
    .orderBy('automation_id')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.automation_id, row]));
}

/** Number and cost of the runs of an automation since a time, by outcome. */
export async function readCostByDay(db: Db, automationId: string, since: Date) {
  const { rows } = await sql<{ day: string; runs: number; micro: string }>`
    select to_char(started_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as runs, sum(cost_micro_usd)::text as micro
      from automation_runs where automation_id = ${automationId} and started_at >= ${since} group by 1 order by 1
  `.execute(db);
  return rows.map(({ day, runs, micro }) => ({ day, runs, cost_usd: Number(micro) / 1_000_000 }));
}

/** Deletes the recordings of runs that ended before a time. */
export async function dropRecordingsBefore(db: Db, at: Date): Promise<void> {
  await db
    .updateTable('automation_runs')
    .set({ recording: null })
    .where('recording', 'is not', null)
    .where('finished_at', '<', at)
    .execute();
}

export const terminal: readonly RunStatus[] = ['succeeded', 'failed', 'killed'];
