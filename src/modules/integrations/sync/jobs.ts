import { defineJob, type Job, type Round } from '#kernel/module';
import type { Calls } from '#kernel/calls';
import type { Db } from '#kernel/database';
import { findPerson } from '#modules/accounts';
import { findConnection } from '#modules/connections';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { queryWorkspaceIds } from '#platform/database';
import type { Jobs } from '#platform/jobs';
import { sql } from 'kysely';
import { providerClientOf } from '../server-client.ts';
import { createReaders } from '../reader.ts';
import { sources } from '#providers';
import { listDueSyncIds, wakeSyncs } from '../store/syncs.ts';
import { runSync } from './run-sync.ts';

const jobName = 'integrations.sync';
const mostAtOnce = 100;

/** The job: one reading of a sync. */
export function syncJob(ground: Ground, calls: Calls): Job {
  const { transactions, jobs, emitEvent, log, config } = ground;
  const syncing = {
    transactions,
    findSource: (name: string) => sources.find((source) => source.name === name),
    createReader: createReaders(providerClientOf(ground), ground.extraction),
    readRole: async (db: Db, personId: string) => (await findPerson(db, personId))?.role ?? null,
    attachmentRoom: config.attachmentRoom,
    jobs,
    calls,
    emitEvent,
    log,
    now,
    newId,
  };
  return defineJob<{ workspaceId: string; syncId: string }>(jobName, ({ workspaceId, syncId }) =>
    runSync(syncing, workspaceId, syncId),
  );
}

/** Starts due syncs once a minute. */
export function createDueSyncRound(ground: Ground): Round {
  return {
    name: 'integrations.due',
    findWorkspaces: (db) => queryWorkspaceIds(db, sql`workspaces_with_due_syncs()`),
    run: (workspaceId) => enqueueDue(ground, workspaceId),
  };
}

async function enqueueDue({ transactions, jobs }: Ground, workspaceId: string): Promise<void> {
  await transactions.run(workspaceId, 'write', async (db) => {
    for (const id of await listDueSyncIds(db, mostAtOnce)) await enqueueSync(jobs, db, workspaceId, id);
  });
}

/** Schedules a reading of a sync for when the transaction has committed. */
export async function enqueueSync(jobs: Jobs, db: Db, workspaceId: string, syncId: string): Promise<void> {
  await jobs.enqueue(db, jobName, { workspaceId, syncId });
}

/** Makes the failed syncs of a newly linked account due now, instead of at their next attempt. */
export async function resumeSyncs({ transactions, jobs }: Ground, workspaceId: string, connectionId?: string) {
  if (connectionId === undefined) return;
  await transactions.run(workspaceId, 'write', async (db) => {
    const account = await findConnection(db, connectionId);
    if (account?.status !== 'active') return;
    for (const id of await wakeSyncs(db, connectionId)) await enqueueSync(jobs, db, workspaceId, id);
  });
}
