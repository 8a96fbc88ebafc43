import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { lockAddress } from '#modules/brains';
import { z } from 'zod';
import { peopleChanged } from '../events.ts';
import { invitationId } from '../ids.ts';
import { withdrawAddress } from '../people/invitations.ts';
import { checkAdministers } from '../people/roles.ts';
import { findInvitationAddress } from '../store/invitations.ts';

export const withdrawInvitation = defineOperation({
  name: 'withdraw_invitation',
  summary: 'Withdraw an invitation to the workspace and to all brains. Its links end.',
  toolset: 'accounts',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'members:write', isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/people/invitations/{invitation_id}' }],
  input: z.strictObject({ invitation_id: invitationId }),
  output: z.object({ invitation_id: z.uuid(), withdrawn: z.literal(true) }),
  errors: ['not_found', 'forbidden'],
  examples: [{ title: 'The wrong address', input: { invitation_id: createExampleId('invitation') } }],
  async run(ctx, { invitation_id }) {
    checkAdministers(ctx);
    const email = await findInvitationAddress(ctx.db, invitation_id);
    if (!email) throw createNotFoundError('invitation');
    await lockAddress(ctx.db, email);
    await withdrawAddress(ctx.db, email);
    await ctx.emit(peopleChanged({ person_id: null }));
    return { invitation_id, withdrawn: true as const };
  },
});
