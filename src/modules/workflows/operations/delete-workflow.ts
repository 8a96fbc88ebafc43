import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { pauseWorkflowAutomations } from '#modules/automations';
import { z } from 'zod';
import { emitWorkflowChanged } from '../events.ts';
import { workflowId } from '../ids.ts';
import { lockWorkflow, removeWorkflow } from '../store/workflows.ts';

export const deleteWorkflow = defineOperation({
  name: 'delete_workflow',
  summary: 'Delete a workflow permanently. Its automations are paused and stay with their owners; boards stay.',
  toolset: 'workflows',
  effect: 'write',
  isDestructive: true,
  access: {
    scope: 'workflows:write',
    brain: { role: 'admin', of: 'workflow_id' },
    // An agent closes a workflow; deleting takes the automations out of it, which is for who activates them.
    also: [{ scope: 'automations:activate' }],
  },
  rest: [{ method: 'DELETE', path: '/v1/workflows/{workflow_id}' }],
  input: z.strictObject({
    workflow_id: workflowId,
    confirm: z.string().max(200).describe('The exact title of the workflow.'),
  }),
  output: z.object({
    workflow_id: z.uuid(),
    deleted: z.literal(true),
    paused_automations: z.number().describe('How many of its automations this call paused.'),
  }),
  errors: ['not_found', 'forbidden', 'invalid_input'],
  examples: [
    { title: 'It was a trial', input: { workflow_id: createExampleId('deleted_workflow'), confirm: 'Deleted' } },
  ],
  async run(ctx, { workflow_id, confirm }) {
    const workflow = await lockWorkflow(ctx.db, workflow_id);
    if (!workflow) throw createNotFoundError('workflow');
    if (confirm !== workflow.title)
      throw new AppError('invalid_input', 'confirm: write the exact title of the workflow.');
    const paused_automations = await pauseWorkflowAutomations(ctx, [workflow_id], 'Its workflow was deleted.');
    await removeWorkflow(ctx.db, workflow_id);
    await emitWorkflowChanged(ctx, workflow, 'deleted');
    return { workflow_id, deleted: true as const, paused_automations };
  },
});
