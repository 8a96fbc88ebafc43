import { queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';

export type People = Output<'list_people'>;
export type Person = People['people'][number];
export type Invitation = People['invitations'][number];
export type PersonInvitation = Output<'invite_person'>;
export type ResentInvitation = Output<'resend_invitation'>;

/** Everybody in the workspace and, for administrators, the invited people. */
export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: ({ signal }) => call('list_people', {}, { signal }),
});

export function invitePerson(invitation: Input<'invite_person'>): Promise<Output<'invite_person'>> {
  return call('invite_person', invitation);
}

export function resendInvitation(invitationId: string): Promise<Output<'resend_invitation'>> {
  return call('resend_invitation', { invitation_id: invitationId });
}

export function withdrawInvitation(invitationId: string): Promise<unknown> {
  return call('withdraw_invitation', { invitation_id: invitationId });
}

export function changePersonRole(change: Input<'change_person_role'>): Promise<unknown> {
  return call('change_person_role', change);
}

export function removePerson(personId: string): Promise<unknown> {
  return call('remove_person', { person_id: personId });
}
