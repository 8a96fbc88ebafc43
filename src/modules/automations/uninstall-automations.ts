// Uninstalls automations, and recovers them paused, with their versions, state and runs.
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { chooseFreeName, getRecoveryLimit } from '#kernel/recovery';
import { withVisibleUninstalled } from '#platform/database';
import { automationChanged, buildRunChanged } from './events.ts';
import { stopRuns } from './store/runs.ts';
import {
  endAutomationsUninstalledBefore,
  listAutomationIdsOfWorkflows,
  listTakenNames,
  lockUninstalled,
  markRecovered,
  markUninstalled,
} from './store/uninstalled.ts';

const longestName = 200;
const recoveredReason = 'It was uninstalled and recovered. Check it and activate it again.';

/** Pauses and hides automations, and stops their runs. Automations that were uninstalled before stay as they are. */
export async function uninstallAutomations(ctx: Context, ids: readonly string[]): Promise<void> {
  if (!ids.length) return;
  const automations = await withVisibleUninstalled(ctx.db, () => markUninstalled(ctx.db, ids, ctx.now));
  for (const { id: automation_id, person_id: personId } of automations) {
    const { ended } = await stopRuns(ctx.db, { automation_id }, 'stopped');
    for (const run of ended) await ctx.emit(buildRunChanged(run));
    await ctx.emit(automationChanged({ automation_id, state: 'paused' }, { personId }));
  }
}

/**
 * Shows uninstalled automations again, paused, each under its name or, where that was taken meanwhile, its name with a
 * number. Returns the recovered ones. Throws `conflict` when somebody takes the name at the same moment.
 */
export async function recoverAutomations(
  ctx: Context,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  if (!ids.length) return [];
  const recovered = await withVisibleUninstalled(ctx.db, async () => {
    const named = [];
    for (const automation of await lockUninstalled(ctx.db, ids)) {
      const { id, person_id, name: before } = automation;
      const taken = await listTakenNames(ctx.db, person_id, before.slice(0, longestName / 2));
      const name = chooseFreeName(before, taken, longestName);
      await markRecovered(ctx.db, id, { name, reason: recoveredReason, at: ctx.now }).catch(throwAsConflict);
      named.push({ ...automation, name });
    }
    return named;
  });
  for (const { id: automation_id, person_id: personId } of recovered)
    await ctx.emit(automationChanged({ automation_id, state: 'paused' }, { personId }));
  return recovered;
}

/** As `uninstallAutomations`, for the automations that workflows own. */
export async function uninstallWorkflowAutomations(ctx: Context, workflowIds: readonly string[]): Promise<void> {
  await uninstallAutomations(ctx, await listAutomationIdsOfWorkflows(ctx.db, workflowIds));
}

/** As `recoverAutomations`, for the automations that workflows own. */
export async function recoverWorkflowAutomations(ctx: Context, workflowIds: readonly string[]): Promise<void> {
  const ids = await withVisibleUninstalled(ctx.db, () => listAutomationIdsOfWorkflows(ctx.db, workflowIds));
  await recoverAutomations(ctx, ids);
}

/** Ends automations that can no longer be recovered. */
export async function purgeAutomations(db: Db, at: Date): Promise<void> {
  await withVisibleUninstalled(db, () => endAutomationsUninstalledBefore(db, getRecoveryLimit(at), at));
}

function throwAsConflict(error: unknown): never {
  if ((error as { code?: unknown }).code === '23505')
    throw new AppError('conflict', 'Another automation took the name at this moment. Recover it again.');
  throw error;
}
