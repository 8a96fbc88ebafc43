import type { Db } from '#kernel/database';
import { stopWorkflowAutomations } from '#modules/automations';
import { dropFromRosters, pausePersonWorkflows } from './store/workflows.ts';

/** Pauses a person's workflows with their automations, and takes the person off every roster. */
export async function endWorkflowsOfPerson(db: Db, personId: string, at: Date): Promise<void> {
  const workflowIds = await pausePersonWorkflows(db, personId, at);
  await stopWorkflowAutomations(db, { workflowIds, reason: ownerLeft, at });
  await dropFromRosters(db, [personId], at);
}

const ownerLeft = 'Its workflow was paused, as the person who made the workflow left.';

/** Takes revoked keys off every roster. */
export async function endRosterKeys(db: Db, keyIds: readonly string[], at: Date) {
  return { rosters: await dropFromRosters(db, keyIds, at) };
}
