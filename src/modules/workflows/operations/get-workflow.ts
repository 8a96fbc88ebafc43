import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { workflowId } from '../ids.ts';
import { presentWorkflow, workflowOutput } from '../present-workflow.ts';
import { findWorkflow } from '../store/workflows.ts';

export function getWorkflow({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'get_workflow',
    summary: 'Read a workflow: charter, team, figures with their present values, deadlines, automations and boards.',
    toolset: 'workflows',
    effect: 'read',
    access: { scope: 'workflows:read', brain: { role: 'viewer', of: 'workflow_id' } },
    rest: [{ method: 'GET', path: '/v1/workflows/{workflow_id}' }],
    input: z.strictObject({ workflow_id: workflowId }),
    output: workflowOutput,
    errors: ['not_found'],
    examples: [{ title: 'How far is it?', input: { workflow_id: createExampleId('workflow') } }],
    async run(ctx, { workflow_id }) {
      const workflow = await findWorkflow(ctx.db, workflow_id);
      if (!workflow) throw createNotFoundError('workflow');
      return presentWorkflow(ctx, workflow, publicUrl);
    },
  });
}
