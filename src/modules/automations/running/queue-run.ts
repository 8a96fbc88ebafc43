// Queues runs.
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { listAcceptedReads } from '../changes/accepted-reads.ts';
import { lockAutomation } from '../store/automations.ts';
import { countByHand, hasOpenRun, insertRun } from '../store/runs.ts';
import type { AutomationRow, RunRow } from '../store/tables.ts';
import { freezeGrants, listRunHosts } from './run-caller.ts';
import type { RunDeps } from './run-deps.ts';

/** The most runs by hand of one person that may wait. */
const mostWaiting = 20;
const retrySeconds = 30;

type RunStart = { kind: RunRow['trigger_kind']; slot: string; due: Date; payload: unknown };

/**
 * Queues a run of the active version. Returns its id, or null when its slot already has a run, or when the automation
 * is running and skips.
 */
export async function queueRun(
  { now, newId }: Pick<RunDeps, 'now' | 'newId'>,
  db: Db,
  automation: AutomationRow,
  { kind, slot, due, payload }: RunStart,
  more: Partial<Pick<RunRow, 'mode' | 'starter' | 'version_id' | 'replay_of' | 'chain'>> = {},
): Promise<string | null> {
  const { id: automation_id, workspace_id, active_version_id, person_id, overlap } = automation;
  if (overlap === 'skip' && !more.starter && (await isOpen(db, automation_id))) return null;
  const reads = listAcceptedReads(automation, more.version_id ?? active_version_id);
  const turn = more.starter ? await takeTurn(db, person_id, more.starter.label) : 0;
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
    grants: freezeGrants(automation, await listRunHosts(db, automation, more.starter ?? null), reads),
    is_serial: overlap !== 'parallel',
    turn,
    is_trial: Boolean(more.starter) && automation.state !== 'active',
    due_at: due,
    created_at: now(),
    ...more,
  });
  return isNew ? id : null;
}

/** The turn of a run by hand. Throws `rate_limited` when too many runs of its person wait. */
async function takeTurn(db: Db, personId: string, label: string): Promise<number> {
  const { waiting, own } = await countByHand(db, personId, label);
  if (waiting < mostWaiting) return own;
  const message = `${mostWaiting} runs that were started by hand are already waiting. Stop some of them, or start this one later.`;
  throw new AppError('rate_limited', message, { retry_after: retrySeconds });
}

/** Whether it waits or runs. The lock prevents another start in between. */
async function isOpen(db: Db, automationId: string): Promise<boolean> {
  await lockAutomation(db, automationId);
  return hasOpenRun(db, automationId);
}
