import type { Context } from '#kernel/context';
import { defineEvent } from '#kernel/event';
import { z } from 'zod';
import type { WorkflowRow } from './store/tables.ts';
import { workflowStates } from './workflow-states.ts';

/** A workflow was created, changed, paused, resumed, closed or deleted. */
export const workflowChanged = defineEvent(
  'workflow.changed',
  'workflows:read',
  z.object({ workflow_id: z.uuid(), brain_id: z.uuid(), state: z.enum([...workflowStates, 'deleted']) }),
);

/** An open deadline of an active workflow passed. */
export const workflowDeadlinePassed = defineEvent(
  'workflow.deadline_passed',
  'workflows:read',
  z.object({ workflow_id: z.uuid(), brain_id: z.uuid(), name: z.string(), due: z.string() }),
);

/** Emits that a workflow changed. `state` is its new one. */
export async function emitWorkflowChanged(
  ctx: Context,
  { id, brain_id }: Pick<WorkflowRow, 'id' | 'brain_id'>,
  state: WorkflowRow['state'] | 'deleted',
): Promise<void> {
  await ctx.emit(workflowChanged({ workflow_id: id, brain_id, state }, { brainId: brain_id }));
}
