import { queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

export type Member = Output<'list_members'>['members'][number];

/** The members and invitations of a brain. */
export function buildMembersQuery(brainId: string) {
  return queryOptions({
    queryKey: ['brains', 'members', brainId],
    queryFn: ({ signal }) => call('list_members', { brain_id: brainId }, { signal }),
    select: (answer) => answer.members,
  });
}

export type Invitation = Input<'invite_member'>;

export type MemberInvitation = Output<'invite_member'>;

export function inviteMember(invitation: Invitation): Promise<Output<'invite_member'>> {
  return call('invite_member', invitation);
}

export type AccessChange = Input<'change_member_access'>;

export function changeMemberAccess(change: AccessChange): Promise<Output<'change_member_access'>> {
  return call('change_member_access', change);
}

export function removeMember(input: { brain_id: string; user_id: string }): Promise<Output<'remove_member'>> {
  return call('remove_member', input);
}
