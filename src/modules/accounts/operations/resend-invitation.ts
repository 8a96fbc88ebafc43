import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { invitationId } from '../ids.ts';
import { joinLinkOutput, sendInvitation, countInvitationMail, type InvitationDeps } from '../people/invitation-link.ts';
import { findCallerKeyId } from '../caller-key.ts';
import { checkAdministers } from '../people/roles.ts';
import { noteKeyOfInvitations } from '../people/invitations.ts';
import { findInvitationAddress } from '../store/invitations.ts';
import { dropLinksOfAddress } from '../store/sign-in-links.ts';

/** Needs the mail server and the address of the console, so the composition root creates it. */
export function resendInvitation(inviting: InvitationDeps) {
  return defineOperation({
    name: 'resend_invitation',
    summary: 'Send the link of an invitation again, or create a new link to pass on. Earlier links end.',
    toolset: 'accounts',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true,
    access: { scope: 'members:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/people/invitations/{invitation_id}/resend' }],
    input: z.strictObject({ invitation_id: invitationId }),
    output: z.object({ invitation_id: z.uuid(), email: z.string(), ...joinLinkOutput }),
    errors: ['not_found', 'forbidden', 'rate_limited'],
    examples: [{ title: 'The mail was lost', input: { invitation_id: createExampleId('invitation') } }],
    async run(ctx, { invitation_id }) {
      checkAdministers(ctx);
      const email = await findInvitationAddress(ctx.db, invitation_id);
      if (!email) throw createNotFoundError('invitation');
      await countInvitationMail(ctx, inviting, email);
      await dropLinksOfAddress(ctx.db, email);
      const key = await findCallerKeyId(ctx);
      if (key) await noteKeyOfInvitations(ctx.db, email, key);
      return { email };
    },
    async afterCommit(ctx, { email }, { invitation_id }) {
      return { invitation_id, email, ...(await sendInvitation(ctx, inviting, email)) };
    },
  });
}
