import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { exampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { brainId } from '../ids.ts';
import { checkLimit, type ReadLimits } from '../limits.ts';
import { checkAdmin, holdMembers, tellMembersChanged } from '../membership.ts';
import type { People, Person } from '../people.ts';
import { countInvited, holdAddress, insertInvitation, invitedRoles } from '../store/invitations.ts';
import { findMember, restoreMember } from '../store/members.ts';

const input = z.strictObject({
  brain_id: brainId,
  email: z.email('must be a mail address').max(320),
  access_level: z.enum(invitedRoles).describe('viewer reads; editor reads and writes; admin also manages members.'),
  cascades: z.boolean().default(true).describe('Whether it reaches the brains below, too.'),
});
type Invitation = z.output<typeof input>;

export function inviteMember(options: { people: People; readLimits: ReadLimits }) {
  return defineOperation({
    name: 'invite_member',
    summary: 'Give somebody a role on a brain by their mail address; who is not here yet joins at their first sign-in.',
    toolset: 'brains',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true, // where no mail is sent, the link by which they join
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
        input: { brain_id: exampleId('brain'), email: 'sarah@company.com', access_level: 'editor' },
      },
    ],
    async run(ctx, given) {
      const invitation = { ...given, email: given.email.toLowerCase() };
      const limits = await options.readLimits(ctx);
      const { brain, role } = await holdMembers(ctx, given.brain_id);
      checkAdmin(role);
      if (brain.personal_to) {
        throw new AppError('conflict', 'A personal brain is for one person. Create a brain of its own to share.');
      }
      await holdAddress(ctx.db, invitation.email);
      const person = await options.people.findByEmail(ctx.db, invitation.email);
      if (person) return grant(ctx, invitation, person);
      if (limits.people !== null) {
        const taken = (await options.people.count(ctx.db)) + (await countInvited(ctx.db, invitation.email));
        checkLimit(limits, 'people', taken + 1);
      }
      return invite(ctx, invitation, options.people);
    },
  });
}

async function grant(ctx: Context, { brain_id, email, access_level, cascades }: Invitation, person: Person) {
  if (person.id === ctx.caller.personId)
    throw new AppError('conflict', 'This is your own address; you are here already.');
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
  await tellMembersChanged(ctx, brain_id, person.id);
  const message = 'They have access from now on.';
  return { status: 'granted' as const, user_id: person.id, email, access_level, cascades, message };
}

async function invite(ctx: Context, { brain_id, email, access_level, cascades }: Invitation, people: People) {
  const user_id = await insertInvitation(ctx.db, {
    id: ctx.newId(),
    workspace_id: ctx.caller.workspaceId,
    brain_id,
    email,
    access_level,
    cascades,
    invited_by: ctx.caller.personId,
    created_at: ctx.now,
  });
  await tellMembersChanged(ctx, brain_id);
  const link = await people.joinLink(ctx, email);
  const join_link = link && { url: link.url, expires_at: link.expiresAt.toISOString(), single_use: true as const };
  const message = link
    ? 'Will auto-join on first login. Hand them the link; whoever opens it signs in as them.'
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
