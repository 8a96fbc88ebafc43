// What creating and changing a workflow have in common: its automations, team and figures.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { ExtraScope } from '#kernel/operation';
import { automationInput, listWorkflowAutomations, saveAutomation, type SaveDeps } from '#modules/automations';
import { z } from 'zod';
import { limits } from './limits.ts';
import { measureKpi } from './measure-kpi.ts';
import { type Kpi } from './parts.ts';

export const ownAutomations = z
  .array(automationInput)
  .max(limits.automationsPerCall)
  .describe(
    'Automations of its own, as `save_automation_draft` takes them. They are saved paused, and a person activates each.',
  );

type Input = { automations?: unknown[] | undefined };

/** A workflow with automations needs what saving an automation needs. */
export const automationScopes: ExtraScope<Input> = {
  scope: 'automations:write',
  when: (_ctx, { automations = [] }) => automations.length > 0,
};

/** Saves automations of a workflow, paused. Throws `forbidden` for a key of one brain, as automations act for a person. */
export async function saveOwnAutomations(
  ctx: Context,
  workflowId: string,
  automations: readonly z.output<typeof automationInput>[],
  deps: SaveDeps,
): Promise<void> {
  if (!automations.length) return;
  if (ctx.caller.reach !== 'owner')
    throw new AppError('forbidden', 'automations: a key of one brain saves none. Use a key that reaches all brains.');
  const present = await listWorkflowAutomations(ctx.db, [workflowId]);
  if (present.length + automations.length > limits.automations)
    throw new AppError('invalid_input', `automations: at most ${limits.automations} in a workflow.`);
  for (const automation of automations) await saveAutomation(ctx, automation, deps, { workflowId });
}

/** Throws `invalid_input` where a KPI's query cannot be computed. */
export async function checkKpis(ctx: Context, kpis: readonly Kpi[]): Promise<void> {
  for (const kpi of kpis) await measureKpi(ctx, kpi);
}
