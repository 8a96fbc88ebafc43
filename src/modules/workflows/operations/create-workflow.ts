import { defineOperation } from '#kernel/operation';
import { uri } from '#kernel/uri';
import type { SaveDeps } from '#modules/automations';
import { z } from 'zod';
import { saveWorkflow, workflowInput } from '../save-workflow.ts';
import { buildWorkflowUrl } from '../present-workflow.ts';
import { automationScopes } from '../save-parts.ts';

export function createWorkflow(deps: SaveDeps) {
  return defineOperation({
    name: 'create_workflow',
    summary: 'Create a workflow: a goal with a charter, a team, figures, deadlines and automations of its own.',
    toolset: 'workflows',
    effect: 'write',
    access: { scope: 'workflows:write', brain: { role: 'editor', of: 'brain_id' }, also: [automationScopes] },
    rest: [{ method: 'POST', path: '/v1/workflows' }],
    input: workflowInput,
    output: z.object({ workflow_id: z.uuid(), url: uri() }),
    errors: ['not_found', 'forbidden', 'invalid_input', 'conflict'],
    examples: [
      {
        title: 'A launch with a date and a figure',
        input: {
          title: 'Launch in Spain',
          charter: 'Find 20 pilot customers by the end of March.',
          kpis: [{ name: 'Pilot customers', target: 20, value: 3 }],
          deadlines: [{ name: 'Launch', due: '2027-03-31' }],
        },
      },
    ],
    async run(ctx, input) {
      const id = await saveWorkflow(ctx, input, deps);
      return { workflow_id: id, url: buildWorkflowUrl(deps.publicUrl, id) };
    },
  });
}
