// Finds due work in all workspaces, and claims it in one of them.
import { fromNow } from '#platform/database';
import { taken } from '#platform/lease';
import { sql } from 'kysely';
import type { AutomationRow, Db, RunRow } from './tables.ts';

/** Workspaces with a due schedule, a waiting run, or a run whose process died. */
export async function workspacesWithWork(db: Db): Promise<{ scheduled: string[]; queued: string[]; lost: string[] }> {
  const { rows } = await sql<{ what: 'scheduled' | 'queued' | 'lost'; workspace_id: string }>`
    select distinct 'scheduled' as what, workspace_id from automations
     where state = 'active' and next_run_at <= clock_timestamp()
    union all
    select distinct 'queued', workspace_id from automation_runs where status = 'queued' and due_at <= clock_timestamp()
    union all
    select distinct 'lost', workspace_id from automation_runs where status = 'running' and lease_until < clock_timestamp()
  `.execute(db);
  const of = (what: string) => rows.filter((row) => row.what === what).map((row) => row.workspace_id);
  return { scheduled: of('scheduled'), queued: of('queued'), lost: of('lost') };
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

/** Waiting runs that may begin: the oldest of each owner, owners with the fewest active runs first. */
export async function candidates(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with waiting as (
      select distinct person_id from automation_runs where status = 'queued' and due_at <= clock_timestamp()
    ), busy as (
      select person_id, count(*) as runs from automation_runs where status = 'running' group by person_id
    )
    select next.id from waiting
      left join busy using (person_id)
      cross join lateral (
        select run.id, run.due_at from automation_runs run
         where run.status = 'queued' and run.person_id = waiting.person_id and run.due_at <= clock_timestamp()
           and (not run.is_serial or not exists (
             select from automation_runs other where other.automation_id = run.automation_id and other.status = 'running' and other.is_serial))
         order by run.due_at, run.id limit ${limit}
      ) next
     order by coalesce(busy.runs, 0), next.due_at limit ${limit}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Claims a run under a lease. Undefined: another process has it. Throws when an active run of its automation excludes
 * it.
 */
export async function claimRun(db: Db, id: string, leaseMs: number): Promise<RunRow | undefined> {
  const free = sql<string>`(select id from automation_runs where id = ${id} and status = 'queued' for update skip locked)`;
  return db
    .updateTable('automation_runs')
    .set({ status: 'running', started_at: fromNow(), ...taken(leaseMs) })
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
