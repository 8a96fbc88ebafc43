import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { brainId } from '../ids.ts';
import { checkPeople, grantRole, lockToInvite, storeInvitation } from '../invitations.ts';
import type { ReadLimits } from '../limits.ts';
import type { People, Person } from '../people.ts';
import { lockAddress, invitedRoles } from '../store/invitations.ts';

const input = z.strictObject({
  brain_id: brainId,
  email: z.email('must be a mail address').max(320),
  access_level: z.enum(invitedRoles).describe('viewer reads; editor reads and writes; admin also manages members.'),
  cascades: z.boolean().default(true).describe('Whether it applies to the brains below too.'),
});
type Invitation = z.output<typeof input>;

export function inviteMember(options: { people: People; readLimits: ReadLimits }) {
  return defineOperation({
    name: 'invite_member',
    summary:
      'Give a person a role on a brain by their mail address. A person without an account joins when they first sign in.',
    toolset: 'brains',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true, // if no mail is sent, the link with which they join
    access: { scope: 'members:write', brain: { role: 'admin', of: 'brain_id' }, isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/brains/{brain_id}/members' }],
    aliases: { id: 'brain_id' },
    input,
    output: z.object({
      status: z.enum(['granted', 'invited']),
      user_id: z.uuid(),
      email: z.string(),
      access_level: z.enum(invitedRoles),
      cascades: z.boolean(),
      message: z.string(),
      join_link: z.object({ url: z.string(), expires_at: z.iso.datetime(), single_use: z.literal(true) }).optional(),
    }),
    errors: ['not_found', 'forbidden', 'conflict', 'plan_limit'],
    examples: [
      {
        title: 'A colleague who writes',
        input: { brain_id: createExampleId('brain'), email: 'sarah@company.com', access_level: 'editor' },
      },
    ],
    async run(ctx, given) {
      const invitation = { ...given, email: given.email.toLowerCase() };
      const limits = await options.readLimits(ctx);
      await lockToInvite(ctx, given.brain_id);
      await lockAddress(ctx.db, invitation.email);
      const person = await options.people.findByEmail(ctx.db, invitation.email);
      if (person) return grant(ctx, invitation, person);
      await checkPeople(ctx, limits, options.people, invitation.email);
      return invite(ctx, invitation, options.people);
    },
  });
}

async function grant(ctx: Context, invitation: Invitation, person: Person) {
  if (person.id === ctx.caller.personId)
    throw new AppError('conflict', 'This is your own address. You are a member already.');
  await grantRole(ctx, invitation, person);
  const { email, access_level, cascades } = invitation;
  const message = 'They have access now.';
  return { status: 'granted' as const, user_id: person.id, email, access_level, cascades, message };
}

async function invite(ctx: Context, invitation: Invitation, people: People) {
  const { email, access_level, cascades } = invitation;
  const user_id = await storeInvitation(ctx, invitation, await people.keyBehind(ctx));
  const link = await people.joinLink(ctx, email);
  const join_link = link && { url: link.url, expires_at: link.expiresAt.toISOString(), single_use: true as const };
  const message = link
    ? 'Will auto-join on first login. Give them the link. The link signs in as them, so give it to nobody else.'
    : `Will auto-join on first login, with this address at ${people.signInUrl}.`;
  return {
    status: 'invited' as const,
    user_id,
    email,
    access_level,
    cascades,
    message,
    ...(join_link && { join_link }),
  };
}
