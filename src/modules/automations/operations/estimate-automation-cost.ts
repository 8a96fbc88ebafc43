import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { readCostEstimate, estimateOutput } from '../estimate.ts';
import { automationId } from '../ids.ts';
import { findAutomation } from '../store/automations.ts';

export const estimateAutomationCost = defineOperation({
  name: 'estimate_automation_cost',
  summary:
    'Estimate what an automation costs in US dollars a month, before it is activated: model calls × price × runs, from its schedule, dry runs and history.',
  toolset: 'automations',
  effect: 'read',
  access: { scope: 'automations:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/automations/{automation_id}/estimate' }],
  input: z.strictObject({ automation_id: automationId }),
  output: estimateOutput.extend({ automation_id: z.uuid() }),
  errors: ['not_found'],
  examples: [{ title: 'What will it cost?', input: { automation_id: createExampleId('automation') } }],
  async run(ctx, { automation_id }) {
    const automation = await findAutomation(ctx.db, automation_id);
    if (!automation) throw createNotFoundError('automation');
    return { automation_id, ...(await readCostEstimate(ctx.db, automation, ctx.now)) };
  },
});
