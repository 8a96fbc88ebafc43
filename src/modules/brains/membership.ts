// Checks who may change the members of a brain.
import { isAtLeast, type BrainRole } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { readBrainAccess } from './access.ts';
import { membersChanged } from './events.ts';
import { lockBrain, listBrainLineage, type Brain } from './store/brains.ts';
import { findInvitation } from './store/invitations.ts';
import { findMember, listMembers } from './store/members.ts';

/**
 * Locks the brain, so that changes of its members run one after another. Returns the caller's present role, which may
 * have changed since the request began.
 */
export async function lockMembers(ctx: Context, brainId: string): Promise<{ brain: Brain; role: BrainRole }> {
  const brain = await lockBrain(ctx.db, brainId);
  const role = (await readBrainAccess(ctx.db, ctx.caller)).roles.get(brainId);
  if (!brain || !role) throw createNotFoundError('brain');
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

/** A direct member of a brain, or a person with a pending invitation. */
export type OnBrain =
  | { kind: 'member'; access_level: BrainRole; cascades: boolean }
  | { kind: 'invitation'; access_level: BrainRole; cascades: boolean };

/** The member or invitation with an id. Throws `not_found`, or `conflict` for an inherited membership. */
export async function findOnBrain(ctx: Context, brainId: string, userId: string): Promise<OnBrain> {
  const member = await findMember(ctx.db, brainId, userId);
  if (member) return { kind: 'member', ...member };
  const invitation = await findInvitation(ctx.db, brainId, userId);
  if (invitation) return { kind: 'invitation', access_level: invitation.access_level, cascades: invitation.cascades };
  const from = (await listInheritedMembers(ctx, brainId)).find(({ person_id }) => person_id === userId);
  if (!from) throw createNotFoundError('member');
  throw new AppError(
    'conflict',
    'This person has access by a membership on a brain above. Change it there, or invite them here to give them a separate role.',
    { inherited_from: from.brain_id },
  );
}

/**
 * Inherited members: members of brains above whose membership includes this brain. Covers only brains that the caller
 * may read.
 */
export async function listInheritedMembers(ctx: Context, brainId: string) {
  const { roles } = await ctx.brains();
  const above = (await listBrainLineage(ctx.db, brainId)).slice(1).filter((id) => roles.has(id));
  return above.length ? (await listMembers(ctx.db, above)).filter(({ cascades }) => cascades) : [];
}

/** Emits the change to the members of the brain, and to the affected person, who may have been removed. */
export async function emitMembersChanged(ctx: Context, brainId: string, personId?: string): Promise<void> {
  await ctx.emit(membersChanged({ brain_id: brainId }, { brainId }));
  if (personId) await ctx.emit(membersChanged({ brain_id: brainId }, { personId }));
}
