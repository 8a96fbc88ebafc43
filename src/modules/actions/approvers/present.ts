import { z } from 'zod';
import type { Naming } from '../store/approvers.ts';

/** A naming as answers show it. */
export const namingOutput = z.object({
  approver_id: z.uuid().describe('Id of the naming, for withdraw_approver.'),
  name: z.string(),
  email: z.string().optional(),
  sources: z.array(z.string()).nullable().describe('Null: all.'),
  actions: z.array(z.string()).nullable(),
  until: z.iso.datetime().nullable().describe('Null: until it is withdrawn.'),
  since: z.iso.datetime(),
});

/** Whom somebody named. */
export function presentApprover(naming: Naming): z.input<typeof namingOutput> {
  return { ...presentScope(naming), name: naming.approver_name, email: naming.approver_email };
}

/** By whom somebody was named. */
export function presentNamedBy(naming: Naming): z.input<typeof namingOutput> {
  return { ...presentScope(naming), name: naming.person_name };
}

function presentScope({ id, sources, actions, until, created_at }: Naming) {
  return {
    approver_id: id,
    sources,
    actions,
    until: until?.toISOString() ?? null,
    since: created_at.toISOString(),
  };
}
