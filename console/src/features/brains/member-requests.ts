import { queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';
import type { AccessLevel } from './requests.ts';

export type Member = Output<'list_members'>['members'][number];

/** The members and invitations of a brain. */
export function membersQuery(brainId: string) {
  return queryOptions({
    queryKey: ['brains', 'members', brainId],
    queryFn: ({ signal }) => call('list_members', { brain_id: brainId }, { signal }),
    select: (answer) => answer.members,
  });
}

export type Invitation = Input<'invite_member'>;

export type Invited = Output<'invite_member'>;

export function inviteMember(invitation: Invitation): Promise<Invited> {
  return call('invite_member', invitation);
}

export type AccessChange = Input<'change_member_access'>;

export function changeMemberAccess(change: AccessChange): Promise<{ your_role: AccessLevel }> {
  return call('change_member_access', change);
}

export function removeMember(input: { brain_id: string; user_id: string }): Promise<{ message: string }> {
  return call('remove_member', input);
}
