import { defineOperation } from '#kernel/operation';
import { uri } from '#kernel/uri';
import { listWorkflowAutomations, type SaveDeps } from '#modules/automations';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { emitWorkflowChanged } from '../events.ts';
import { buildRosterEntries } from '../join-roster.ts';
import { charter, deadlines, kpis, mergeDeadlines, mergeKpis, mergeRoster, roster, title } from '../parts.ts';
import { buildWorkflowUrl } from '../present-workflow.ts';
import { automationScopes, checkKpis, ownAutomations, saveOwnAutomations } from '../save-parts.ts';
import { changeWorkflow, insertWorkflow } from '../store/workflows.ts';

export function createWorkflow(deps: SaveDeps) {
  return defineOperation({
    name: 'create_workflow',
    summary: 'Create a workflow: a goal with a charter, a team, figures, deadlines and automations of its own.',
    toolset: 'workflows',
    effect: 'write',
    access: { scope: 'workflows:write', brain: { role: 'editor', of: 'brain_id' }, also: [automationScopes] },
    rest: [{ method: 'POST', path: '/v1/workflows' }],
    input: z.strictObject({
      title,
      charter,
      brain_id: brainId.optional().describe('Where it belongs; your home brain without it.'),
      roster: roster.default([]),
      kpis: kpis.default([]),
      deadlines: deadlines.default([]),
      automations: ownAutomations.default([]),
    }),
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
      const { workspaceId, personId, homeBrainId, label } = ctx.caller;
      const workflow = {
        id: ctx.newId(),
        workspace_id: workspaceId,
        brain_id: input.brain_id ?? homeBrainId,
        person_id: personId,
        title: input.title,
        charter: input.charter,
        roster: [],
        kpis: mergeKpis([], input.kpis, ctx.now),
        deadlines: mergeDeadlines([], input.deadlines),
        state: 'active' as const,
        version: 0, // the roster, which may name its automations, makes it 1
        closed_at: null,
        created_by: label,
        created_at: ctx.now,
        updated_at: ctx.now,
      };
      await checkKpis(ctx, workflow.kpis);
      await insertWorkflow(ctx.db, workflow);
      await saveOwnAutomations(ctx, workflow.id, input.automations, deps);
      const entries = await buildRosterEntries(ctx, input.roster, await listWorkflowAutomations(ctx.db, [workflow.id]));
      await changeWorkflow(ctx.db, workflow.id, { roster: mergeRoster([], entries) }, ctx.now);
      await emitWorkflowChanged(ctx, workflow, 'active');
      return { workflow_id: workflow.id, url: buildWorkflowUrl(deps.publicUrl, workflow.id) };
    },
  });
}
