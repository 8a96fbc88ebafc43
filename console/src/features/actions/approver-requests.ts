import { queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

/** That somebody may decide about another's drafts. */
export type Naming = Approvers['approvers'][number] & { email?: string };

export type Approvers = Output<'list_approvers'>;

/** Whom the person named, and who named them. */
export const approversQuery = queryOptions({
  queryKey: ['approvers'],
  queryFn: ({ signal }) => call('list_approvers', {}, { signal }),
});

export type NewNaming = Input<'name_approver'>;

export function nameApprover(naming: NewNaming): Promise<Naming> {
  return call('name_approver', naming);
}

export function withdrawApprover(approverId: string): Promise<unknown> {
  return call('withdraw_approver', { approver_id: approverId });
}
