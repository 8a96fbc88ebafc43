import type { AutomationRow, Db } from './tables.ts';

/** An automation as its workflow shows it. */
export type WorkflowAutomation = Pick<
  AutomationRow,
  'id' | 'workflow_id' | 'person_id' | 'name' | 'state' | 'next_run_at' | 'paused_reason' | 'writes_to_boards'
>;

const shown = [
  'id',
  'workflow_id',
  'person_id',
  'name',
  'state',
  'next_run_at',
  'paused_reason',
  'writes_to_boards',
] as const;

/** The automations of these workflows by name, without ended ones. */
export async function listWorkflowAutomations(db: Db, workflowIds: readonly string[]): Promise<WorkflowAutomation[]> {
  if (!workflowIds.length) return [];
  return db
    .selectFrom('automations')
    .select(shown)
    .where('workflow_id', 'in', workflowIds)
    .where('state', '<>', 'killed')
    .orderBy('name')
    .orderBy('id')
    .execute();
}

/** As `listWorkflowAutomations`, with row locks, so that an activation under way ends first. */
export async function lockWorkflowAutomations(db: Db, workflowIds: readonly string[]): Promise<WorkflowAutomation[]> {
  if (!workflowIds.length) return [];
  return db
    .selectFrom('automations')
    .select(shown)
    .where('workflow_id', 'in', workflowIds)
    .where('state', '<>', 'killed')
    .orderBy('id') // locked in this order by all
    .forUpdate()
    .execute();
}

/** Pauses automations, with the reason that their page shows. */
export async function pauseAutomations(
  db: Db,
  ids: readonly string[],
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  if (!ids.length) return;
  await db
    .updateTable('automations')
    .set({ state: 'paused', next_run_at: null, paused_reason: reason, updated_at: at })
    .where('id', 'in', ids)
    .execute();
}
