// Queues runs.
import type { Db } from '#kernel/database';
import { lockAutomation } from '../store/automations.ts';
import { hasOpenRun, insertRun } from '../store/runs.ts';
import type { AutomationRow, RunRow } from '../store/tables.ts';
import { frozenGrants, hostsForRun } from './caller-of-run.ts';
import type { RunDeps } from './run-deps.ts';

type Start = { kind: RunRow['trigger_kind']; slot: string; due: Date; payload: unknown };

/**
 * Queues a run of the active version. Returns its id, or null when its slot already has a run, or when it runs already
 * and skips.
 */
export async function queueRun(
  { now, newId }: Pick<RunDeps, 'now' | 'newId'>,
  db: Db,
  automation: AutomationRow,
  { kind, slot, due, payload }: Start,
  more: Partial<Pick<RunRow, 'mode' | 'starter' | 'version_id' | 'replay_of' | 'chain'>> = {},
): Promise<string | null> {
  const { id: automation_id, workspace_id, active_version_id, person_id, overlap } = automation;
  if (overlap === 'skip' && !more.starter && (await isOpen(db, automation_id))) return null;
  const id = newId();
  const isNew = await insertRun(db, {
    id,
    workspace_id,
    automation_id,
    person_id,
    slot,
    payload,
    version_id: active_version_id,
    trigger_kind: kind,
    mode: 'live',
    starter: null,
    grants: frozenGrants(automation, await hostsForRun(db, automation, more.starter ?? null)),
    is_serial: overlap !== 'parallel',
    due_at: due,
    created_at: now(),
    ...more,
  });
  return isNew ? id : null;
}

/** Whether it waits or runs. The lock lets no other start in between. */
async function isOpen(db: Db, automationId: string): Promise<boolean> {
  await lockAutomation(db, automationId);
  return hasOpenRun(db, automationId);
}
