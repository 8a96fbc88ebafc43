import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { pauseWorkflowAutomations } from '#modules/automations';
import { z } from 'zod';
import { emitWorkflowChanged } from '../events.ts';
import { workflowId } from '../ids.ts';
import { changeWorkflow, lockWorkflow } from '../store/workflows.ts';
import { moveToState } from '../workflow-states.ts';

export const closeWorkflow = defineOperation({
  name: 'close_workflow',
  summary: 'Close a workflow permanently: it can be read, and changes no more. Its automations are paused.',
  toolset: 'workflows',
  effect: 'write',
  access: { scope: 'workflows:write', brain: { role: 'editor', of: 'workflow_id' } },
  rest: [{ method: 'POST', path: '/v1/workflows/{workflow_id}/close' }],
  input: z.strictObject({ workflow_id: workflowId }),
  output: z.object({
    workflow_id: z.uuid(),
    state: z.literal('closed'),
    closed_at: z.iso.datetime(),
    paused_automations: z.number().describe('How many of its automations this call paused.'),
  }),
  errors: ['not_found', 'forbidden'],
  examples: [{ title: 'The goal is reached', input: { workflow_id: createExampleId('workflow') } }],
  async run(ctx, { workflow_id }) {
    const workflow = await lockWorkflow(ctx.db, workflow_id);
    if (!workflow) throw createNotFoundError('workflow');
    const { closed_at } = workflow;
    if (closed_at)
      return { workflow_id, state: 'closed' as const, closed_at: closed_at.toISOString(), paused_automations: 0 };
    const state = moveToState(workflow.state, 'closed');
    await changeWorkflow(ctx.db, workflow, { state, closed_at: ctx.now }, ctx.now);
    const paused_automations = await pauseWorkflowAutomations(ctx, [workflow_id], 'Its workflow was closed.');
    await emitWorkflowChanged(ctx, workflow, state);
    return { workflow_id, state: 'closed' as const, closed_at: ctx.now.toISOString(), paused_automations };
  },
});
