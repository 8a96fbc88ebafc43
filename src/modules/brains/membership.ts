// Who may change who is on a brain.
import { isAtLeast, type BrainRole } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError, notFound } from '#kernel/errors';
import { brainAccess } from './access.ts';
import { membersChanged } from './events.ts';
import { holdBrain, lineageOf, type Brain } from './store/brains.ts';
import { findInvitation } from './store/invitations.ts';
import { findMember, listMembers } from './store/members.ts';

/**
 * Holds the brain, so that its members change one after the other, and answers the caller's role on it as it is from then
 * on: what they were when they asked may have ended meanwhile.
 */
export async function holdMembers(ctx: Context, brainId: string): Promise<{ brain: Brain; role: BrainRole }> {
  const brain = await holdBrain(ctx.db, brainId);
  const role = (await brainAccess(ctx.db, ctx.caller)).roles.get(brainId);
  if (!brain || !role) throw notFound('brain');
  return { brain, role };
}

/** Throws unless the role is that of an admin. */
export function checkAdmin(role: BrainRole): void {
  if (isAtLeast(role, 'admin')) return;
  throw new AppError('forbidden', `This needs the role admin on the brain; yours is ${role}. Ask one of its admins.`, {
    needed: 'admin',
    role,
  });
}

/** Somebody on a brain by their own membership, or on the way there by an invitation. */
export type OnBrain =
  | { kind: 'member'; access_level: BrainRole; cascades: boolean }
  | { kind: 'invitation'; access_level: BrainRole; cascades: boolean };

/** Whom an id names on a brain. Throws `not_found` for nobody, and `conflict` for who is there only by a brain above. */
export async function findOnBrain(ctx: Context, brainId: string, userId: string): Promise<OnBrain> {
  const member = await findMember(ctx.db, brainId, userId);
  if (member) return { kind: 'member', ...member };
  const invitation = await findInvitation(ctx.db, brainId, userId);
  if (invitation) return { kind: 'invitation', access_level: invitation.access_level, cascades: invitation.cascades };
  const from = (await inheritedMembers(ctx, brainId)).find(({ person_id }) => person_id === userId);
  if (!from) throw notFound('member');
  throw new AppError(
    'conflict',
    'This person has access by a membership on a brain above. Change it there, or invite them here to give them a separate role.',
    { inherited_from: from.brain_id },
  );
}

/** Members of the brains above whose membership reaches down to this one; only brains the caller may read are told. */
export async function inheritedMembers(ctx: Context, brainId: string) {
  const { roles } = await ctx.brains();
  const above = (await lineageOf(ctx.db, brainId)).slice(1).filter((id) => roles.has(id));
  return above.length ? (await listMembers(ctx.db, above)).filter(({ cascades }) => cascades) : [];
}

/** Tells those on the brain, and the person it is about, who may not be on it any more. */
export async function tellMembersChanged(ctx: Context, brainId: string, personId?: string): Promise<void> {
  await ctx.emit(membersChanged({ brain_id: brainId }, { brainId }));
  if (personId) await ctx.emit(membersChanged({ brain_id: brainId }, { personId }));
}
