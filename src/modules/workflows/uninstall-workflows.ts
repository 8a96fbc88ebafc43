// Uninstalls workflows with the automations they own, and recovers both paused.
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { getRecoveryLimit } from '#kernel/recovery';
import { recoverWorkflowAutomations, uninstallWorkflowAutomations } from '#modules/automations';
import { withVisibleUninstalled } from '#platform/database';
import { emitWorkflowChanged } from './events.ts';
import { markRecovered, markUninstalled, removeWorkflowsUninstalledBefore } from './store/uninstalled.ts';

/** Pauses and hides workflows with the automations they own. Those that were uninstalled before stay as they are. */
export async function uninstallWorkflows(ctx: Context, ids: readonly string[]): Promise<void> {
  if (!ids.length) return;
  await uninstallWorkflowAutomations(ctx, ids);
  const workflows = await withVisibleUninstalled(ctx.db, () => markUninstalled(ctx.db, ids, ctx.now));
  for (const workflow of workflows) await emitWorkflowChanged(ctx, workflow, workflow.state);
}

/** Shows uninstalled workflows again with the automations they own, all paused. Returns the recovered ones. */
export async function recoverWorkflows(ctx: Context, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  if (!ids.length) return [];
  const workflows = await withVisibleUninstalled(ctx.db, () => markRecovered(ctx.db, ids, ctx.now));
  await recoverWorkflowAutomations(ctx, ids);
  for (const workflow of workflows) await emitWorkflowChanged(ctx, workflow, workflow.state);
  return workflows.map(({ id, title: name }) => ({ id, name }));
}

/** Deletes workflows that can no longer be recovered. */
export async function purgeWorkflows(db: Db, at: Date): Promise<void> {
  await withVisibleUninstalled(db, () => removeWorkflowsUninstalledBefore(db, getRecoveryLimit(at)));
}
