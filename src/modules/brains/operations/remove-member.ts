import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { brainId, memberId } from '../ids.ts';
import { checkAdmin, findOnBrain, lockMembers, listInheritedMembers, emitMembersChanged } from '../membership.ts';
import { dropInvitation } from '../store/invitations.ts';
import { changeMember } from '../store/members.ts';

export const removeMember = defineOperation({
  name: 'remove_member',
  summary:
    'Remove a person from a brain, leave it yourself, or withdraw an invitation. What they stored stays, with their name.',
  toolset: 'brains',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'members:write', brain: { role: 'viewer', of: 'brain_id' }, isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/brains/{brain_id}/members/{user_id}' }],
  aliases: { id: 'brain_id' },
  input: z.strictObject({ brain_id: brainId, user_id: memberId }),
  output: z.object({ removed: z.literal(true), user_id: z.uuid(), message: z.string() }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [
    {
      title: 'A person left the team',
      input: { brain_id: createExampleId('brain'), user_id: createExampleId('member') },
    },
  ],
  async run(ctx, { brain_id, user_id }) {
    const { role } = await lockMembers(ctx, brain_id);
    if (user_id !== ctx.caller.personId) checkAdmin(role);
    const target = await findOnBrain(ctx, brain_id, user_id);
    if (target.access_level === 'owner') {
      throw new AppError(
        'conflict',
        'The owner cannot be removed from a brain. They give the role owner to another person first.',
      );
    }
    if (target.kind === 'invitation') {
      await dropInvitation(ctx.db, user_id);
      await emitMembersChanged(ctx, brain_id);
      return { removed: true as const, user_id, message: 'The invitation is withdrawn.' };
    }
    await changeMember(ctx.db, { brainId: brain_id, personId: user_id }, { removed_at: ctx.now });
    await emitMembersChanged(ctx, brain_id, user_id);
    const isStillHere = (await listInheritedMembers(ctx, brain_id)).some(({ person_id }) => person_id === user_id);
    const message = isStillHere
      ? 'Their role here was removed. A membership on a brain above still gives them access.'
      : 'What they stored stays, with their name.';
    return { removed: true as const, user_id, message };
  },
});
