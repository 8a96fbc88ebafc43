// Uninstalled automations. Row level security hides them from every other query; these run with `withVisibleUninstalled`.
import { sql } from 'kysely';
import type { AutomationRow, Db } from './tables.ts';

type NamedAutomation = Pick<AutomationRow, 'id' | 'person_id' | 'name'>;

/** Marks installed automations and pauses them. Returns those that were marked now. */
export async function markUninstalled(db: Db, ids: readonly string[], at: Date): Promise<NamedAutomation[]> {
  const { rows } = await sql<NamedAutomation>`
    update automations set uninstalled_at = ${at}, state = 'paused', next_run_at = null, updated_at = ${at}
     where id in (select id from automations where id = any(${[...ids]}::uuid[]) and uninstalled_at is null and state <> 'killed'
       order by id for update)
    returning id, person_id, name`.execute(db);
  return rows;
}

/** Uninstalled automations, with row locks. */
export async function lockUninstalled(db: Db, ids: readonly string[]): Promise<NamedAutomation[]> {
  const { rows } = await sql<NamedAutomation>`
    select id, person_id, name from automations
     where id = any(${[...ids]}::uuid[]) and uninstalled_at is not null order by id for update`.execute(db);
  return rows;
}

/** The names of a person's automations that begin like this. */
export async function listTakenNames(db: Db, personId: string, start: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from automations
     where person_id = ${personId} and uninstalled_at is null and state <> 'killed' and starts_with(lower(name), lower(${start}))`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/** Shows an automation again. Fails with 23505 when another one took the name meanwhile. */
export async function markRecovered(
  db: Db,
  id: string,
  { name, reason, at }: { name: string; reason: string; at: Date },
): Promise<void> {
  await sql`update automations set uninstalled_at = null, name = ${name}, paused_reason = ${reason}, updated_at = ${at}
    where id = ${id}`.execute(db);
}

/** Ends the automations that were uninstalled before a time, as their deletion does: runs and versions stay readable. */
export async function endAutomationsUninstalledBefore(db: Db, before: Date, at: Date): Promise<void> {
  await sql`update automations set uninstalled_at = null, state = 'killed', webhook_hash = null, updated_at = ${at}
    where uninstalled_at < ${before}`.execute(db);
}

/** The automations of workflows, installed or not. */
export async function listAutomationIdsOfWorkflows(db: Db, workflowIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from automations where workflow_id = any(${[...workflowIds]}::uuid[]) and state <> 'killed'`.execute(db);
  return rows.map(({ id }) => id);
}
