import { brainRoles, isAtLeast, type BrainRole } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { brainId, memberId } from '../ids.ts';
import { checkAdmin, findOnBrain, lockMembers, emitMembersChanged, type OnBrain } from '../membership.ts';
import { changeInvitation } from '../store/invitations.ts';
import { changeMember, findMember } from '../store/members.ts';

export const changeMemberAccess = defineOperation({
  name: 'change_member_access',
  summary: 'Change the role of a member or of an invitation. An owner transfers the brain by giving the role owner.',
  toolset: 'brains',
  effect: 'write',
  isWidening: true,
  access: { scope: 'members:write', brain: { role: 'admin', of: 'brain_id' }, isForPeople: true },
  rest: [{ method: 'PATCH', path: '/v1/brains/{brain_id}/members/{user_id}' }],
  aliases: { id: 'brain_id' },
  input: z.strictObject({
    brain_id: brainId,
    user_id: memberId,
    access_level: z.enum(brainRoles),
    cascades: z.boolean().optional().describe('Whether it applies to the brains below too. Default: unchanged.'),
  }),
  output: z.object({
    user_id: z.uuid(),
    access_level: z.enum(brainRoles),
    cascades: z.boolean(),
    your_role: z.enum(brainRoles),
  }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [
    {
      title: 'A person who will manage members',
      input: { brain_id: createExampleId('brain'), user_id: createExampleId('member'), access_level: 'admin' },
    },
  ],
  async run(ctx, { brain_id, user_id, access_level, cascades: asked }) {
    const { role } = await lockMembers(ctx, brain_id);
    checkAdmin(role);
    const target = await findOnBrain(ctx, brain_id, user_id);
    const cascades = asked ?? target.cascades;
    const answer = { user_id, access_level, cascades, your_role: role };
    if (access_level === 'owner') {
      const your_role = await transferOwnership(ctx, { brainId: brain_id, userId: user_id, target, cascades });
      return { ...answer, your_role };
    }
    checkChange(ctx, user_id, target, access_level);
    if (target.kind === 'invitation') await changeInvitation(ctx.db, user_id, { access_level, cascades });
    else await changeMember(ctx.db, { brainId: brain_id, personId: user_id }, { access_level, cascades });
    await emitMembersChanged(ctx, brain_id, user_id);
    return { ...answer, your_role: user_id === ctx.caller.personId ? access_level : role };
  },
});

function checkChange(ctx: Context, userId: string, target: OnBrain, level: BrainRole): void {
  if (target.access_level === 'owner') {
    throw new AppError('conflict', 'A brain always has an owner. Give the role owner to another person first.');
  }
  if (userId === ctx.caller.personId && !isAtLeast(target.access_level, level)) {
    throw new AppError('forbidden', 'You cannot raise your own role. Ask another admin of the brain.');
  }
}

/** Makes a member the owner, and the owner an admin. Returns the caller's role afterwards. */
async function transferOwnership(
  ctx: Context,
  { brainId: brain, userId, target, cascades }: { brainId: string; userId: string; target: OnBrain; cascades: boolean },
): Promise<BrainRole> {
  const { personId } = ctx.caller;
  const own = await findMember(ctx.db, brain, personId);
  if (own?.access_level !== 'owner') {
    throw new AppError('forbidden', 'Only the owner can make another person the owner.');
  }
  if (target.kind === 'invitation') {
    throw new AppError('conflict', 'An invited person cannot own a brain. Wait until they have joined.');
  }
  if (userId !== personId) await changeMember(ctx.db, { brainId: brain, personId }, { access_level: 'admin' });
  await changeMember(ctx.db, { brainId: brain, personId: userId }, { access_level: 'owner', cascades });
  await emitMembersChanged(ctx, brain, userId);
  return userId === personId ? 'owner' : 'admin';
}
