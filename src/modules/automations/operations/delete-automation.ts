import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { automationChanged, buildRunChanged } from '../events.ts';
import { automationId } from '../ids.ts';
import { lockAutomation, updateAutomationRow } from '../store/automations.ts';
import { stopRuns } from '../store/runs.ts';

export const deleteAutomation = defineOperation({
  name: 'delete_automation',
  summary:
    'Delete an automation permanently: it stops at once and never runs again. Its runs and versions stay readable.',
  toolset: 'automations',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'automations:activate', isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/automations/{automation_id}' }],
  input: z.strictObject({ automation_id: automationId }),
  output: z.object({ automation_id: z.uuid(), state: z.literal('killed') }),
  errors: ['not_found'],
  examples: [{ title: 'It is no longer needed', input: { automation_id: createExampleId('ended_automation') } }],
  async run(ctx, { automation_id }) {
    const automation = await lockAutomation(ctx.db, automation_id);
    if (automation.state !== 'killed') {
      await updateAutomationRow(ctx.db, automation_id, {
        state: 'killed',
        next_run_at: null,
        webhook_hash: null,
        updated_at: ctx.now,
      });
      const { ended } = await stopRuns(ctx.db, { automation_id }, 'stopped');
      for (const run of ended) await ctx.emit(buildRunChanged(run));
      await ctx.emit(automationChanged({ automation_id, state: 'killed' }, { personId: automation.person_id }));
    }
    return { automation_id, state: 'killed' as const };
  },
});
