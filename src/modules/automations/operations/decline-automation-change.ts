import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { automationChanged } from '../events.ts';
import { changeId } from '../ids.ts';
import { lockAutomation } from '../store/automations.ts';
import { decideChange, lockChange } from '../store/changes.ts';
import { checkWaits } from './accept-automation-change.ts';

export const declineAutomationChange = defineOperation({
  name: 'decline_automation_change',
  summary: 'Decline a pending change of an automation. The automation continues unchanged.',
  toolset: 'automations',
  effect: 'write',
  access: { scope: 'automations:write', isForPeople: true },
  rest: [{ method: 'POST', path: '/v1/automation-changes/{change_id}/decline' }],
  input: z.strictObject({ change_id: changeId }),
  output: z.object({ automation_id: z.uuid(), change_id: z.uuid() }),
  errors: ['not_found', 'conflict'],
  examples: [
    { title: 'The change is not wanted', input: { change_id: createExampleId('declined_automation_change') } },
  ],
  async run(ctx, { change_id }) {
    const change = await lockChange(ctx.db, change_id);
    checkWaits(change);
    const { id: automation_id, state, person_id: personId } = await lockAutomation(ctx.db, change.automation_id);
    const decision = { status: 'declined' as const, decided_by_label: ctx.caller.label, decided_at: ctx.now };
    await decideChange(ctx.db, change_id, decision);
    await ctx.emit(automationChanged({ automation_id, state }, { personId }));
    return { automation_id, change_id };
  },
});
