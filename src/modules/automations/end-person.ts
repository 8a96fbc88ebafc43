import { pauseAutomationsOf } from './store/automations.ts';
import { stopRuns } from './store/runs.ts';
import type { Db } from './store/tables.ts';

/** Pauses a person's automations, ends their addresses and stops their runs. */
export async function endAutomationsOfPerson(db: Db, personId: string, at: Date): Promise<void> {
  for (const id of await pauseAutomationsOf(db, personId, at)) await stopRuns(db, { automation_id: id }, 'stopped');
}
