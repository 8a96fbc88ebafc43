// Uninstalled workflows. Row level security hides them from every other query; these run with `withVisibleUninstalled`.
import { sql } from 'kysely';
import type { Db, WorkflowRow } from './tables.ts';

type NamedWorkflow = Pick<WorkflowRow, 'id' | 'brain_id' | 'title' | 'state'>;

/** Marks installed workflows, and pauses those that are active. Returns those that were marked now. */
export async function markUninstalled(db: Db, ids: readonly string[], at: Date): Promise<NamedWorkflow[]> {
  const { rows } = await sql<NamedWorkflow>`
    update workflows set uninstalled_at = ${at}, state = case state when 'active' then 'paused' else state end,
      version = version + 1, updated_at = ${at}
     where id in (select id from workflows where id = any(${[...ids]}::uuid[]) and uninstalled_at is null order by id for update)
    returning id, brain_id, title, state`.execute(db);
  return rows;
}

/** Shows uninstalled workflows again. Returns those that were hidden. */
export async function markRecovered(db: Db, ids: readonly string[], at: Date): Promise<NamedWorkflow[]> {
  const { rows } = await sql<NamedWorkflow>`
    update workflows set uninstalled_at = null, version = version + 1, updated_at = ${at}
     where id in (select id from workflows where id = any(${[...ids]}::uuid[]) and uninstalled_at is not null order by id for update)
    returning id, brain_id, title, state`.execute(db);
  return rows;
}

/** Deletes the workflows that were uninstalled before a time. */
export async function removeWorkflowsUninstalledBefore(db: Db, at: Date): Promise<void> {
  await sql`delete from workflows where uninstalled_at < ${at}`.execute(db);
}
