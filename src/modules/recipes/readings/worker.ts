// Reads installs that are due, in any number of server processes, which share them by leases.
import { createCaller, isAtLeast, type Caller } from '#kernel/caller';
import type { Calls } from '#kernel/calls';
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { checkSyncRead } from '#modules/policy';
import { createWorker, type Tasks, type Worker } from '#platform/workers';
import { beginReading, listDueInstalls, type ReadingRow } from '../store/readings.ts';
import { MayNotEdit } from './may-not-edit.ts';
import { readInstall, readingLeaseMs, type InstallReadingDeps } from './read-install.ts';

const lookMs = 2_000;
const mostAtOnce = 4;
/** Of one workspace, so that others have their turn. */
const mostOfWorkspace = 2;
/** A reading that is not finished by then is repeated by another process. */
const finishWithinMs = 5_000;

export type ReadingWorkerDeps = InstallReadingDeps & {
  asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>;
  calls: Calls;
  readRole(db: Db, personId: string): Promise<Caller['role'] | null>;
};

export function createReadingWorker(deps: ReadingWorkerDeps): Worker {
  const onError = (err: unknown) => deps.log.warn({ err }, 'due installs could not be read');
  return createWorker({ look, everyMs: lookMs, finishWithinMs, longestStopMs: finishWithinMs, onError });

  async function look(tasks: Tasks, stopped: AbortSignal): Promise<void> {
    for (const { id, workspace_id: workspaceId } of await deps.asSystem((db) => listDueInstalls(db, mostAtOnce * 4))) {
      if (stopped.aborted || tasks.count() >= mostAtOnce) return;
      if (tasks.count(workspaceId) >= mostOfWorkspace || tasks.count(id)) continue;
      tasks.begin([workspaceId, id], () => readDue(deps, workspaceId, id));
    }
  }
}

/** Reads one install, unless another process does or it is not due any more. Errors are noted on its row. */
async function readDue(deps: ReadingWorkerDeps, workspaceId: string, id: string): Promise<void> {
  const { transactions } = deps;
  const install = await transactions.run(workspaceId, 'write', (db) =>
    beginReading(db, id, { forMs: readingLeaseMs, isDue: true }),
  );
  if (!install) return;
  await readInstall(deps, install, {
    // By the rules for what a person set up to be read again and again.
    judge: (db, host, targets) => checkSyncRead(db, 'http', host, targets),
    transact: (work) =>
      transactions.run(workspaceId, 'write', async (db) => work(await createReadingContext(deps, db, install))),
  });
}

/** The context for storing, in the name of the installer. Throws when they may no longer edit the brain. */
async function createReadingContext(
  { calls, readRole }: Pick<ReadingWorkerDeps, 'calls' | 'readRole'>,
  db: Db,
  install: ReadingRow,
): Promise<Context> {
  const role = await readRole(db, install.person_id);
  if (!role) throw new MayNotEdit();
  const caller = createCaller({
    kind: 'system',
    id: install.id,
    label: `recipe ${install.name}`,
    workspaceId: install.workspace_id,
    personId: install.person_id,
    role,
    scopes: new Set(['pages:read']),
    homeBrainId: install.brain_id,
  });
  const ctx = calls.systemContext(db, caller, install.id);
  const mine = (await ctx.brains()).roles.get(install.brain_id);
  if (!mine || !isAtLeast(mine, 'editor')) throw new MayNotEdit();
  return ctx;
}
