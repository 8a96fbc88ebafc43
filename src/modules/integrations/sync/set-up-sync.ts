// Creates syncs: on request, or when an account is linked.
import type { Context } from '#kernel/context';
import { checkRead } from '#modules/policy';
import type { BeginSync } from '#modules/connections';
import type { Jobs } from '#platform/jobs';
import { syncChanged } from '../events.ts';
import { chooseAccount } from '../linked-accounts.ts';
import { sources } from '#providers';
import type { Source } from '#providers/reading';
import { findAccountSync, upsertSync, type SyncRow } from '../store/syncs.ts';
import { enqueueSync } from './jobs.ts';

/** Sources that can be kept in sync. */
export const followed = sources.filter((source) => source.changes);

/** The default interval and window of a sync. */
export const usualSync = { every_minutes: 15, days: 90 } as const;

type SyncRequest = Pick<SyncRow, 'every_minutes' | 'days' | 'input'> & {
  account: string | undefined;
  brain_id: string | undefined;
};
type Deps = { jobs: Jobs; publicUrl: string };

/** Creates a sync of an account, or changes the sync of the same account and brain, and starts a reading. */
export async function setUpSync(
  ctx: Context,
  { jobs, publicUrl }: Deps,
  source: Source,
  { account, brain_id, ...settings }: SyncRequest,
): Promise<SyncRow> {
  const connection = await chooseAccount(ctx, source, { account, publicUrl });
  await checkRead(ctx, source.name, connection.account);
  const sync = await upsertSync(
    ctx.db,
    {
      id: ctx.newId(),
      workspace_id: ctx.caller.workspaceId,
      connection_id: connection.id,
      source: source.name,
      brain_id: brain_id ?? (await ctx.brains()).homeBrainId,
      person_id: ctx.caller.personId,
      ...settings,
    },
    ctx.now,
  );
  await enqueueSync(jobs, ctx.db, ctx.caller.workspaceId, sync.id);
  await ctx.emit(syncChanged({ sync_id: sync.id, status: sync.status }, { brainId: sync.brain_id }));
  return sync;
}

/**
 * Makes the function that starts a sync into the person's own brain when an account is linked. An existing sync stays
 * as it is.
 */
export function createBeginSync(deps: Deps): BeginSync {
  return async (ctx, { connectionId, source: name }) => {
    const source = followed.find((each) => each.name === name);
    if (!source || !ctx.caller.scopes.has('syncs:write')) return null;
    const known = await findAccountSync(ctx.db, { connectionId, source: name });
    if (known) return known.id;
    const wanted = { ...usualSync, input: {}, account: connectionId, brain_id: undefined };
    return (await setUpSync(ctx, deps, source, wanted)).id;
  };
}
