import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { delegationOutput, presentApprover, presentDelegator } from '../approvers/present.ts';
import { listActiveDelegations } from '../store/approvers.ts';

export const listApprovers = defineOperation({
  name: 'list_approvers',
  summary: 'List your delegates, who may decide your drafts, and the people whose drafts you may decide.',
  toolset: 'accounts',
  effect: 'read',
  access: { scope: 'approvers:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/approvers' }],
  input: z.strictObject({}),
  output: z.object({
    approvers: z.array(delegationOutput).describe('Your delegates.'),
    named_by: z.array(delegationOutput).describe('People who named you as delegate.'),
  }),
  errors: ['forbidden'],
  examples: [{ title: 'Who may approve for me?', input: {} }],
  async run({ db, caller, now }) {
    const { personId } = caller;
    return {
      approvers: (await listActiveDelegations(db, { personId }, now)).map(presentApprover),
      named_by: (await listActiveDelegations(db, { approverId: personId }, now)).map(presentDelegator),
    };
  },
});
