import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { buildRunChanged } from '../events.ts';
import { runId } from '../ids.ts';
import { stopRuns } from '../store/runs.ts';

export const stopAutomationRun = defineOperation({
  name: 'stop_automation_run',
  summary: 'Stop a waiting or active run. Effects until then stay.',
  toolset: 'automations',
  effect: 'write',
  access: { scope: 'automations:write', isForPeople: true },
  rest: [{ method: 'POST', path: '/v1/automation-runs/{run_id}/stop' }],
  input: z.strictObject({ run_id: runId }),
  output: z.object({ run_id: z.uuid(), stopping: z.boolean().describe('False: it had already ended.') }),
  errors: ['not_found'],
  examples: [{ title: 'Enough', input: { run_id: createExampleId('automation_run') } }],
  async run(ctx, { run_id }) {
    const { ended, isFound } = await stopRuns(ctx.db, { id: run_id }, 'stopped');
    for (const run of ended) await ctx.emit(buildRunChanged(run));
    return { run_id, stopping: isFound };
  },
});
