// Makes a workflow with its team, figures, dates and automations.
import type { Context } from '#kernel/context';
import { listWorkflowAutomations, type SaveDeps } from '#modules/automations';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { findNextEnd } from './deadline-ends.ts';
import { emitWorkflowChanged } from './events.ts';
import { buildRosterEntries } from './join-roster.ts';
import {
  charter,
  deadlines as deadlinesInput,
  kpis,
  mergeDeadlines,
  mergeKpis,
  mergeRoster,
  roster,
  title,
} from './parts.ts';
import { checkKpis, ownAutomations, saveOwnAutomations } from './save-parts.ts';
import { changeWorkflow, insertWorkflow } from './store/workflows.ts';

/** What a new workflow is made of. */
export const workflowInput = z.strictObject({
  title,
  charter,
  brain_id: brainId.optional().describe('Where it belongs; your home brain without it.'),
  roster: roster.default([]),
  kpis: kpis.default([]),
  deadlines: deadlinesInput.default([]),
  automations: ownAutomations.default([]),
});

export type WorkflowInput = z.output<typeof workflowInput>;

/** Stores a workflow and its automations, which are paused. Returns its id. */
export async function saveWorkflow(
  ctx: Context,
  input: z.output<typeof workflowInput>,
  deps: SaveDeps,
): Promise<string> {
  const { workspaceId, personId, homeBrainId, label } = ctx.caller;
  const deadlines = mergeDeadlines([], input.deadlines);
  const workflow = {
    id: ctx.newId(),
    workspace_id: workspaceId,
    brain_id: input.brain_id ?? homeBrainId,
    person_id: personId,
    title: input.title,
    charter: input.charter,
    roster: [],
    kpis: mergeKpis([], input.kpis, ctx.now),
    deadlines,
    state: 'active' as const,
    version: 0, // the roster, which may name its automations, makes it 1
    closed_at: null,
    next_deadline_at: findNextEnd(deadlines, ctx.now),
    created_by: label,
    created_at: ctx.now,
    updated_at: ctx.now,
  };
  await checkKpis(ctx, workflow.kpis);
  await insertWorkflow(ctx.db, workflow);
  await saveOwnAutomations(ctx, workflow.id, input.automations, deps);
  const entries = await buildRosterEntries(ctx, input.roster, await listWorkflowAutomations(ctx.db, [workflow.id]));
  await changeWorkflow(ctx.db, workflow, { roster: mergeRoster([], entries) }, ctx.now);
  await emitWorkflowChanged(ctx, workflow, 'active');
  return workflow.id;
}
