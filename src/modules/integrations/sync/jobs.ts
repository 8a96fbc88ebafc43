import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import type { Jobs } from '#platform/jobs';
import { dueSyncs, wakeSyncs } from '../store/syncs.ts';
import { runSync, type Syncing } from './run-sync.ts';

const jobName = 'integrations.sync';
const mostAtOnce = 100;

/**
 * Says how a reading is done, and has syncs whose time has come read, once a minute. A workspace in which they cannot be found is
 * told of, and the others go on.
 */
export function defineSyncJobs(jobs: Jobs, syncing: Syncing & { listWorkspaces: () => Promise<string[]> }): void {
  jobs.define<{ workspaceId: string; syncId: string }>(jobName, ({ workspaceId, syncId }) =>
    runSync(syncing, workspaceId, syncId),
  );
  jobs.schedule('integrations.due', '* * * * *', async () => {
    for (const workspaceId of await syncing.listWorkspaces())
      await enqueueDue(jobs, syncing, workspaceId).catch((err: unknown) =>
        syncing.log.warn({ err, workspace_id: workspaceId }, 'the due syncs of a workspace could not be begun'),
      );
  });
}

async function enqueueDue(jobs: Jobs, { transactions, now }: Syncing, workspaceId: string): Promise<void> {
  await transactions.run(workspaceId, 'write', async (db) => {
    for (const id of await dueSyncs(db, now(), mostAtOnce)) await enqueueSync(jobs, db, workspaceId, id);
  });
}

/** Has a sync read as soon as the transaction has committed. */
export async function enqueueSync(jobs: Jobs, db: Db, workspaceId: string, syncId: string): Promise<void> {
  await jobs.enqueue(db, jobName, { workspaceId, syncId });
}

/** Reads at once what failed through an account, now that it is linked again; it would wait for its next try otherwise. */
export function resumeSyncs(jobs: Jobs): (ctx: Context, connectionId: string) => Promise<void> {
  return async ({ db, caller, now }, connectionId) => {
    for (const id of await wakeSyncs(db, connectionId, now)) await enqueueSync(jobs, db, caller.workspaceId, id);
  };
}
