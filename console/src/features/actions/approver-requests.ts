import { queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

/** A delegation: one person may decide about another's drafts. */
export type Delegate = Approvers['approvers'][number] & { email?: string };

export type Approvers = Output<'list_approvers'>;

/** The person's delegates, and the people they are a delegate of. */
export const approversQuery = queryOptions({
  queryKey: ['approvers'],
  queryFn: ({ signal }) => call('list_approvers', {}, { signal }),
});

export type NewNaming = Input<'name_approver'>;

export function addDelegate(naming: NewNaming): Promise<Output<'name_approver'>> {
  return call('name_approver', naming);
}

export function withdrawApprover(approverId: string): Promise<unknown> {
  return call('withdraw_approver', { approver_id: approverId });
}
