import { z } from 'zod';
import type { Delegation } from '../store/approvers.ts';

/** A delegation as operations return it. */
export const delegationOutput = z.object({
  approver_id: z.uuid().describe('Id of the delegation, for withdraw_approver.'),
  name: z.string(),
  email: z.string().optional(),
  sources: z.array(z.string()).nullable().describe('Null: all.'),
  actions: z.array(z.string()).nullable(),
  until: z.iso.datetime().nullable().describe('Null: until it is withdrawn.'),
  since: z.iso.datetime(),
});

/** The delegate. */
export function presentApprover(delegation: Delegation): z.input<typeof delegationOutput> {
  return { ...presentScope(delegation), name: delegation.approver_name, email: delegation.approver_email };
}

/** The owner of the drafts. */
export function presentDelegator(delegation: Delegation): z.input<typeof delegationOutput> {
  return { ...presentScope(delegation), name: delegation.person_name };
}

function presentScope({ id, sources, actions, until, created_at }: Delegation) {
  return {
    approver_id: id,
    sources,
    actions,
    until: until?.toISOString() ?? null,
    since: created_at.toISOString(),
  };
}
