import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { approverChanged } from '../events.ts';
import { approverId } from '../ids.ts';
import { endDelegation } from '../store/approvers.ts';

export const withdrawApprover = defineOperation({
  name: 'withdraw_approver',
  summary: 'End a delegation at once: one of yours, or one that names you.',
  toolset: 'accounts',
  effect: 'write',
  access: { scope: 'approvers:write', isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/approvers/{approver_id}' }],
  input: z.strictObject({ approver_id: approverId }),
  output: z.object({ approver_id: z.uuid(), withdrawn: z.literal(true) }),
  errors: ['forbidden', 'not_found'],
  examples: [{ title: 'Back from holiday', input: { approver_id: createExampleId('approver') } }],
  async run(ctx, { approver_id }) {
    const ended = await endDelegation(ctx.db, approver_id, ctx.now);
    for (const personId of [ended.person_id, ended.approver_id])
      await ctx.emit(approverChanged({ approver_id }, { personId }));
    return { approver_id, withdrawn: true as const };
  },
});
