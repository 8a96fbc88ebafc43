// Workflows with a deadline that passed.
import type { Db, WorkflowRow } from './tables.ts';

/** Active workflows with a deadline that passed and is not yet an event. Other rounds leave them out meanwhile. */
export async function lockPassedWorkflows(db: Db, at: Date, most: number): Promise<WorkflowRow[]> {
  return db
    .selectFrom('workflows')
    .selectAll()
    .where('state', '=', 'active')
    .where('next_deadline_at', '<=', at)
    .orderBy('next_deadline_at')
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute();
}

export async function setNextDeadline(db: Db, id: string, at: Date | null): Promise<void> {
  await db.updateTable('workflows').set({ next_deadline_at: at }).where('id', '=', id).execute();
}
