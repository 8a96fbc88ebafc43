// Starts due runs, in any number of server processes. The row of a run decides which process executes it.
import { availableParallelism } from 'node:os';
import type { Db } from '#kernel/database';
import type { Background } from '#kernel/module';
import { endRunSecrets } from '#modules/variables';
import { createWorker, type Tasks } from '#platform/workers';
import { findAutomation, updateAutomationRow } from '../store/automations.ts';
import {
  listRunCandidates,
  claimRun,
  lockLostRuns,
  lockDueAutomations,
  runKinds,
  listWorkspacesWithWork,
} from '../store/due.ts';
import { finishRun, requeue } from '../store/runs.ts';
import type { RunRow } from '../store/tables.ts';
import { nextTime } from '../triggers.ts';
import { queueRun } from './queue-run.ts';
import type { RunDeps } from './run-deps.ts';
import { executeRun, retryIfConfigured, emitRunChanged } from './execute-run.ts';
import { leaseMs } from './run-lease.ts';
import { createSlots, type Slots } from './slots.ts';

const lookMs = 250;
/** The slots of this process for each kind of runs. */
const slotsOfKind = Math.max(4, availableParallelism() * 2);
const batch = 200;
const finishWithinMs = 5_000;
/** A run that was active when two server processes ended may have caused it. */
const mostServersEnded = 2;

/** Runs automations in the background as long as the process runs. */
export function createRunner(running: RunDeps): Background {
  const { log, transactions } = running;
  const onError = (err: unknown) => log.warn({ err }, 'due automations could not be read');

  async function look(tasks: Tasks, stopped: AbortSignal): Promise<number | void> {
    const { scheduled, queued, lost } = await running.asSystem(listWorkspacesWithWork);
    for (const id of lost) await transactions.run(id, 'write', (db) => endLost(running, db));
    for (const id of scheduled) await transactions.run(id, 'write', (db) => startScheduled(running, db));
    const slots = createSlots(tasks, slotsOfKind);
    let isBusy = false;
    for (const id of new Set([...queued, ...scheduled])) isBusy = (await begin(id, slots, stopped)) || isBusy;
    return isBusy || scheduled.length ? 0 : lookMs;
  }

  /** Claims as many runs of a workspace as this process has room for. Returns whether there were any. */
  async function begin(workspaceId: string, slots: Slots, stopped: AbortSignal): Promise<boolean> {
    let hasBegun = false;
    for (const kind of runKinds) {
      const [limit, except] = [2 * slots.countFree(kind), slots.listFullPeople(kind)];
      if (limit <= 0) continue;
      const next = await transactions.run(workspaceId, 'read', (db) =>
        listRunCandidates(db, workspaceId, { kind, except, limit }),
      );
      for (const { id, personId } of next) {
        if (stopped.aborted) break;
        if (!slots.hasRoom(kind, personId)) continue;
        const run = await claim(workspaceId, id);
        if (!run) continue;
        hasBegun = true;
        const failed = (err: unknown) => {
          log.error({ err, run: run.id }, 'a run of an automation failed in the server');
          return false;
        };
        slots.begin(kind, personId, (ending) => executeRun(running, run, ending).catch(failed));
      }
    }
    return hasBegun;
  }

  async function claim(workspaceId: string, id: string): Promise<RunRow | undefined> {
    try {
      return await transactions.run(workspaceId, 'write', async (db) => {
        const run = await claimRun(db, id, leaseMs);
        if (run) await emitRunChanged(running, db, run);
        return run;
      });
    } catch (error) {
      if ((error as { code?: unknown }).code === '23505') return undefined; // another run that excludes it is under way
      throw error;
    }
  }

  return createWorker({ look, everyMs: lookMs, finishWithinMs, onError });
}

/** Queues one run for each due schedule, even when several times passed while no server ran. */
async function startScheduled(running: RunDeps, db: Db): Promise<void> {
  const at = running.now();
  for (const automation of await lockDueAutomations(db, batch)) {
    const due = automation.next_run_at ?? at;
    const [slot, payload] = [`cron:${due.toISOString()}`, { due_at: due.toISOString() }];
    await queueRun(running, db, automation, { kind: 'cron', slot, due, payload });
    await updateAutomationRow(db, automation.id, { next_run_at: nextTime(automation.triggers, at > due ? at : due) });
  }
}

const endedServers =
  'Two server processes ended while it was running, so it is not started again. Check its code before you run it by hand.';

/**
 * Handles runs whose process died. A run without any request is started again once; every other run ends. A run during
 * which two processes ended is not started again, not even as a retry.
 */
async function endLost(running: RunDeps, db: Db): Promise<void> {
  for (const run of await lockLostRuns(db, batch)) {
    await endRunSecrets(db, run.id);
    const hasEndedServers = !run.has_called && run.attempt >= mostServersEnded;
    if (!run.has_called && !hasEndedServers) {
      await requeue(db, run, run.attempt + 1);
      continue;
    }
    const message = hasEndedServers ? endedServers : 'The server process that ran it ended.';
    const error = { name: 'Interrupted', message: `${message} Effects until then stay.` };
    const { stdout, stderr, result } = run;
    const end = {
      status: 'failed' as const,
      stdout,
      stderr,
      result,
      error,
      kill_reason: null,
      exit_code: null,
      duration_ms: null,
    };
    await finishRun(db, run, end);
    await emitRunChanged(running, db, { ...run, status: 'failed' });
    const automation = await findAutomation(db, run.automation_id);
    if (automation && !hasEndedServers) await retryIfConfigured(running, db, automation, { ...run, ...end });
  }
}
