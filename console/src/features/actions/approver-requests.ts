import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** That somebody may decide about another's drafts. */
export type Naming = {
  approver_id: string;
  name: string;
  email?: string;
  /** Null: all. */
  sources: string[] | null;
  actions: string[] | null;
  until: string | null;
  since: string;
};

export type Approvers = { approvers: Naming[]; named_by: Naming[] };

/** Whom the person named, and who named them. */
export const approversQuery = queryOptions({
  queryKey: ['approvers'],
  queryFn: ({ signal }) => call<Approvers>('list_approvers', {}, { signal }),
});

export type NewNaming = { email: string; sources?: string[]; actions?: string[]; until?: string };

export function nameApprover(naming: NewNaming): Promise<Naming> {
  return call('name_approver', naming);
}

export function withdrawApprover(approverId: string): Promise<unknown> {
  return call('withdraw_approver', { approver_id: approverId });
}
