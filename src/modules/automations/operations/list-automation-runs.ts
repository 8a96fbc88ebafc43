import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { presentRun, runOutput } from '../fields.ts';
import { automationId } from '../ids.ts';
import { listRuns } from '../store/runs.ts';

export const listAutomationRuns = defineOperation({
  name: 'list_automation_runs',
  summary: 'List the runs of an automation, newest first.',
  toolset: 'automations',
  effect: 'read',
  access: { scope: 'automations:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/automations/{automation_id}/runs' }],
  input: z.strictObject({
    automation_id: automationId,
    before: z.uuid().optional().describe('`next` of the previous page.'),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  output: z.object({ runs: z.array(runOutput), next: z.uuid().nullable() }),
  errors: ['not_found'],
  examples: [{ title: 'How did it go?', input: { automation_id: createExampleId('automation') } }],
  async run(ctx, { automation_id, before, limit }) {
    const runs = (await listRuns(ctx.db, automation_id, { before, limit })).map(presentRun);
    return { runs, next: runs.length === limit ? (runs.at(-1)?.run_id ?? null) : null };
  },
});
