import { endHooksOfKeys, pausePersonAutomations, pauseAutomationsOfKeys } from './store/automations.ts';
import { stopRuns } from './store/runs.ts';
import type { Db } from './store/tables.ts';

/** Pauses a person's automations, ends their addresses and stops their runs. */
export async function endAutomationsOfPerson(db: Db, personId: string, at: Date): Promise<void> {
  for (const id of await pausePersonAutomations(db, personId, at)) await stopRuns(db, { automation_id: id }, 'stopped');
}

/** Ends the addresses that keys made, and pauses the automations that keys activated, with their runs. */
export async function endAutomationsOfKeys(db: Db, keyIds: readonly string[], at: Date) {
  const { hook_addresses } = await endHooksOfKeys(db, keyIds, at);
  const paused = await pauseAutomationsOfKeys(db, keyIds, at);
  for (const id of paused) await stopRuns(db, { automation_id: id }, 'stopped');
  return { hook_addresses, automations: paused.length };
}
