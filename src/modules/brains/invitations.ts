// Invites people to a brain. A member of the workspace gets the role at once, everybody else a pending invitation.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { checkLimit, type Limits } from './limits.ts';
import { checkAdmin, lockMembers, emitMembersChanged } from './membership.ts';
import type { People, Person } from './people.ts';
import { countInvited, insertInvitation, type InvitedRole } from './store/invitations.ts';
import { findMember, restoreMember } from './store/members.ts';

/** A role on a brain for an address. */
export type BrainInvitation = { brain_id: string; email: string; access_level: InvitedRole; cascades: boolean };

/** Locks the members of a brain. Throws unless the caller may invite to it. */
export async function lockToInvite(ctx: Context, brainId: string): Promise<void> {
  const { brain, role } = await lockMembers(ctx, brainId);
  checkAdmin(role);
  if (brain.personal_to) {
    throw new AppError('conflict', 'A personal brain is for one person. Create a brain of its own to share.');
  }
}

/** Throws `plan_limit` when one more address would exceed the plan. */
export async function checkPeople(
  ctx: Context,
  limits: Limits,
  people: Pick<People, 'count'>,
  email: string,
): Promise<void> {
  if (limits.people === null) return;
  const taken = (await people.count(ctx.db)) + (await countInvited(ctx.db, email));
  checkLimit(limits, 'people', taken + 1);
}

/** Gives a person of the workspace a role on a brain. An existing role is not changed. */
export async function grantRole(ctx: Context, invitation: BrainInvitation, person: Pick<Person, 'id'>): Promise<void> {
  const { brain_id, access_level, cascades } = invitation;
  const member = await findMember(ctx.db, brain_id, person.id);
  if (member && (member.access_level !== access_level || member.cascades !== cascades)) {
    throw new AppError(
      'conflict',
      `This person is a member already, as ${member.access_level}. Use change_member_access to change that.`,
      { user_id: person.id, access_level: member.access_level, cascades: member.cascades },
    );
  }
  const { workspaceId: workspace_id } = ctx.caller;
  await restoreMember(ctx.db, { brain_id, workspace_id, person_id: person.id, access_level, cascades, at: ctx.now });
  await emitMembersChanged(ctx, brain_id, person.id);
}

/** Stores an invitation for an address without an account; `madeByKey`: the key behind the caller, if any. Returns its id. */
export async function storeInvitation(
  ctx: Context,
  invitation: BrainInvitation,
  madeByKey: string | null,
): Promise<string> {
  const id = await insertInvitation(ctx.db, {
    ...invitation,
    id: ctx.newId(),
    workspace_id: ctx.caller.workspaceId,
    invited_by: ctx.caller.personId,
    made_by_key: madeByKey,
    created_at: ctx.now,
  });
  await emitMembersChanged(ctx, invitation.brain_id);
  return id;
}
