// Finds due work in all workspaces, and claims it in one of them.
import { computeTimeFromNow } from '#platform/database';
import { buildTakenLease } from '#platform/lease';
import { sql } from 'kysely';
import type { AutomationRow, Db, RunRow } from './tables.ts';

/**
 * Workspaces with a due schedule, a waiting run, or a run whose process died. Each next workspace with queued runs is
 * found through the index, so that thousands of runs cost no more than one.
 */
export async function listWorkspacesWithWork(
  db: Db,
): Promise<{ scheduled: string[]; queued: string[]; lost: string[] }> {
  const { rows } = await sql<{ what: 'scheduled' | 'queued' | 'lost'; workspace_id: string }>`
    with recursive queued (workspace_id) as (
      (select workspace_id from automation_runs where status = 'queued' order by workspace_id limit 1)
      union all
      select (select run.workspace_id from automation_runs run where run.status = 'queued' and run.workspace_id > queued.workspace_id
               order by run.workspace_id limit 1) from queued where queued.workspace_id is not null
    )
    select distinct 'scheduled' as what, workspace_id from automations
     where state = 'active' and next_run_at <= clock_timestamp()
    union all
    select 'queued', workspace_id from queued where workspace_id is not null and exists (
      select from automation_runs run where run.status = 'queued' and run.workspace_id = queued.workspace_id
         and run.due_at <= clock_timestamp())
    union all
    select distinct 'lost', workspace_id from automation_runs where status = 'running' and lease_until < clock_timestamp()
  `.execute(db);
  const of = (what: string) => rows.filter((row) => row.what === what).map((row) => row.workspace_id);
  return { scheduled: of('scheduled'), queued: of('queued'), lost: of('lost') };
}

/** How many runs wait or are active, in all workspaces. */
export async function countOpenRuns(db: Db): Promise<{ state: 'queued' | 'running'; count: number }[]> {
  const { rows } = await sql<{ state: 'queued' | 'running'; count: number }>`
    select 'queued' as state, count(*)::integer as count from automation_runs where status = 'queued'
    union all
    select 'running', count(*)::integer from automation_runs where status = 'running'`.execute(db);
  return rows;
}

/** Due automations, with row locks. Rows that another process has locked are skipped. */
export async function lockDueAutomations(db: Db, limit: number): Promise<AutomationRow[]> {
  return db
    .selectFrom('automations')
    .selectAll()
    .where('state', '=', 'active')
    .where(sql<boolean>`next_run_at <= clock_timestamp()`)
    .orderBy('next_run_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** What starts a run: a person or agent by hand, or a schedule or an event. Each kind has its own slots. */
export const runKinds = ['by_hand', 'triggered'] as const;
export type RunKind = (typeof runKinds)[number];

export type Candidate = { id: string; personId: string };

/** How many runs by hand of one person are ordered by turn. Further runs are ordered by due time. */
const mostOrdered = 200;

/**
 * Waiting runs of a kind that may start, in fair order: a run comes after as many others as its person has running and
 * before it; runs of one person follow their turn. `except`: people whose slots are full. People are found one after
 * another through the index, like workspaces; the index begins with the workspace, so the query names it. Limits are
 * literals, so that PostgreSQL plans this once.
 */
export async function listRunCandidates(
  db: Db,
  workspaceId: string,
  { kind, except, limit }: { kind: RunKind; except: readonly string[]; limit: number },
): Promise<Candidate[]> {
  const isOfKind = kind === 'by_hand' ? sql`run.starter is not null` : sql`run.starter is null`;
  const isQueued = sql`run.workspace_id = ${workspaceId} and run.status = 'queued' and ${isOfKind}`;
  const isRunning = sql`other.workspace_id = ${workspaceId} and other.status = 'running'`;
  const { rows } = await sql<{ id: string; person_id: string }>`
    with recursive queued (person_id) as (
      (select run.person_id from automation_runs run where ${isQueued} order by run.person_id limit 1)
      union all
      select (select run.person_id from automation_runs run where ${isQueued} and run.person_id > queued.person_id
               order by run.person_id limit 1) from queued where queued.person_id is not null
    ), waiting as (
      select person_id from queued where person_id is not null and person_id <> all(${sql.val([...except])}::uuid[])
    ), busy as (
      select person_id, count(*) as runs from automation_runs other where ${isRunning} group by person_id
    )
    select next.id, waiting.person_id from waiting
      left join busy using (person_id)
      cross join lateral (
        select id, due_at, row_number() over (order by turn, due_at, id) as place from (
            select run.id, run.due_at, run.turn from automation_runs run
             where ${isQueued} and run.person_id = waiting.person_id and run.due_at <= clock_timestamp()
               and (not run.is_serial or not exists (
                 select from automation_runs other where other.automation_id = run.automation_id and ${isRunning} and other.is_serial))
               and (not run.is_trial or not exists (
                 select from automation_runs other where other.person_id = run.person_id and ${isRunning} and other.is_trial))
             order by run.due_at, run.id limit ${sql.lit(kind === 'by_hand' ? mostOrdered : limit)}
        ) open order by place limit ${sql.lit(limit)}
      ) next
     order by coalesce(busy.runs, 0) + next.place, next.due_at limit ${sql.lit(limit)}
  `.execute(db);
  return rows.map(({ id, person_id }) => ({ id, personId: person_id }));
}

/**
 * Claims a run with a lease. Undefined: another process has it. Throws when an active run of its automation, or another
 * trial of its person, excludes it.
 */
export async function claimRun(db: Db, id: string, leaseMs: number): Promise<RunRow | undefined> {
  const free = sql<string>`(select id from automation_runs where id = ${id} and status = 'queued' for update skip locked)`;
  return db
    .updateTable('automation_runs')
    .set({ status: 'running', started_at: computeTimeFromNow(), ...buildTakenLease(leaseMs) })
    .where('id', '=', free)
    .returningAll()
    .executeTakeFirst();
}

/** Runs whose process died, with row locks. */
export async function lockLostRuns(db: Db, limit: number): Promise<RunRow[]> {
  return db
    .selectFrom('automation_runs')
    .selectAll()
    .where('status', '=', 'running')
    .where(sql<boolean>`lease_until < clock_timestamp()`)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}
