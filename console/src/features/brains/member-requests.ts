import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { AccessLevel } from './requests.ts';

export type Member = {
  user_id: string;
  status: 'member' | 'invited';
  email: string;
  name: string | null;
  access_level: AccessLevel;
  cascades: boolean;
  inherited_from: { brain_id: string; brain_name: string } | null;
  since: string;
};

/** Who is on a brain, and who is invited. */
export function membersQuery(brainId: string) {
  return queryOptions({
    queryKey: ['brains', 'members', brainId],
    queryFn: ({ signal }) => call<{ members: Member[] }>('list_members', { brain_id: brainId }, { signal }),
    select: (answer) => answer.members,
  });
}

export type Invitation = { brain_id: string; email: string; access_level: AccessLevel; cascades: boolean };

export type Invited = {
  status: 'granted' | 'invited';
  email: string;
  message: string;
  /** Where no mail is sent: the link by which they join, once. */
  join_link?: { url: string; expires_at: string };
};

export function inviteMember(invitation: Invitation): Promise<Invited> {
  return call('invite_member', invitation);
}

export type AccessChange = { brain_id: string; user_id: string; access_level: AccessLevel; cascades: boolean };

export function changeMemberAccess(change: AccessChange): Promise<{ your_role: AccessLevel }> {
  return call('change_member_access', change);
}

export function removeMember(input: { brain_id: string; user_id: string }): Promise<{ message: string }> {
  return call('remove_member', input);
}
