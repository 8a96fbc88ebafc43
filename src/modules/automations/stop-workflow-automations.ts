// Pauses the automations of workflows and stops their runs.
import type { Context } from '#kernel/context';
import { automationChanged, buildRunChanged } from './events.ts';
import { lockAutomation } from './store/automations.ts';
import { stopRuns } from './store/runs.ts';
import type { Db, RunRow } from './store/tables.ts';
import { lockWorkflowAutomations, pauseAutomations, type WorkflowAutomation } from './store/workflow-automations.ts';

type Stop = { workflowIds: readonly string[]; reason: string; at: Date };

/** Pauses the active automations of workflows and stops the runs of all of them. Emits nothing. */
export async function stopWorkflowAutomations(
  db: Db,
  { workflowIds, reason, at }: Stop,
): Promise<{ paused: WorkflowAutomation[]; ended: RunRow[] }> {
  const automations = await lockWorkflowAutomations(db, workflowIds);
  const paused = automations.filter(({ state }) => state === 'active');
  const ids = paused.map(({ id }) => id);
  await pauseAutomations(db, ids, { reason, at });
  const ended: RunRow[] = [];
  for (const { id } of automations) ended.push(...(await stopRuns(db, { automation_id: id }, 'stopped')).ended);
  return { paused, ended };
}

/** As `stopWorkflowAutomations`, with the events of what changed. Returns how many were paused. */
export async function pauseWorkflowAutomations(
  ctx: Context,
  workflowIds: readonly string[],
  reason: string,
): Promise<number> {
  const { paused, ended } = await stopWorkflowAutomations(ctx.db, { workflowIds, reason, at: ctx.now });
  for (const run of ended) await ctx.emit(buildRunChanged(run));
  for (const { id, person_id: personId } of paused)
    await ctx.emit(automationChanged({ automation_id: id, state: 'paused' }, { personId }));
  return paused.length;
}

/** Pauses one automation and stops its runs, with the reason that its page shows. One that is not active stays as it is. */
export async function pauseAutomation(ctx: Context, automationId: string, reason: string): Promise<void> {
  const { state, person_id: personId } = await lockAutomation(ctx.db, automationId);
  if (state !== 'active') return;
  await pauseAutomations(ctx.db, [automationId], { reason, at: ctx.now });
  const { ended } = await stopRuns(ctx.db, { automation_id: automationId }, 'stopped');
  for (const run of ended) await ctx.emit(buildRunChanged(run));
  await ctx.emit(automationChanged({ automation_id: automationId, state: 'paused' }, { personId }));
}
