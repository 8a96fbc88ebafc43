import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { brainId, checkPeople, lockAddress, lockToInvite, invitedRoles, storeInvitation } from '#modules/brains';
import { z } from 'zod';
import { peopleChanged } from '../events.ts';
import { joinLinkOutput, sendInvitation, countInvitationMail, type InvitationDeps } from '../people/invitation-link.ts';
import { findCallerKeyId } from '../caller-key.ts';
import { lockPlanLimits } from '../workspaces/plans.ts';
import { checkAdministers, checkMayGiveRole } from '../people/roles.ts';
import { insertInvitation } from '../store/invitations.ts';
import { countPeople, findPersonByEmail } from '../store/people.ts';
import { dropLinksOfAddress } from '../store/sign-in-links.ts';

const input = z.strictObject({
  email: z.email('must be a mail address').max(320),
  role: z.enum(['admin', 'member']).default('member').describe('admin also manages people, rules and every brain.'),
  brain_id: brainId.optional().describe('A brain on which to give them a role, too.'),
  access_level: z.enum(invitedRoles).default('viewer').describe('The role on that brain.'),
  cascades: z.boolean().default(true).describe('Whether that role includes the brains below.'),
});
type Invitation = z.output<typeof input>;

/** Needs the mail server and the address of the console, so the composition root creates it. */
export function invitePerson(inviting: InvitationDeps) {
  return defineOperation({
    name: 'invite_person',
    summary: 'Invite somebody to the workspace by mail address, and optionally to a brain.',
    toolset: 'accounts',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true, // the join link, where no mail is sent
    access: {
      scope: 'members:write',
      brain: { role: 'admin', of: 'brain_id', whenAbsent: 'allow' },
      isForPeople: true,
    },
    rest: [{ method: 'POST', path: '/v1/people/invitations' }],
    input,
    output: z.object({
      invitation_id: z.uuid(),
      email: z.string(),
      role: z.enum(['admin', 'member']),
      brain_id: z.uuid().nullable(),
      ...joinLinkOutput,
    }),
    errors: ['not_found', 'forbidden', 'conflict', 'plan_limit', 'rate_limited'],
    examples: [
      { title: 'A colleague', input: { email: 'sarah@company.com' } },
      {
        title: 'A colleague who writes to a brain',
        input: { email: 'jo@company.com', brain_id: createExampleId('brain'), access_level: 'editor' },
      },
    ],
    async run(ctx, given) {
      checkAdministers(ctx);
      if (given.role === 'admin') await checkMayGiveRole(ctx, given.role);
      const invitation = { ...given, email: given.email.toLowerCase() };
      const limits = await lockPlanLimits(ctx);
      if (invitation.brain_id) await lockToInvite(ctx, invitation.brain_id);
      await lockAddress(ctx.db, invitation.email);
      await checkIsNew(ctx, invitation);
      await checkPeople(ctx, limits, { count: countPeople }, invitation.email);
      await countInvitationMail(ctx, inviting, invitation.email);
      return store(ctx, invitation);
    },
    async afterCommit(ctx, stored) {
      const { email, invitation_id, role, brain_id } = stored;
      return { invitation_id, email, role, brain_id, ...(await sendInvitation(ctx, inviting, email)) };
    },
  });
}

async function checkIsNew(ctx: Context, { email, brain_id }: Invitation): Promise<void> {
  const person = await findPersonByEmail(ctx.db, email);
  if (!person) return;
  const next = brain_id ? ' Use invite_member to give them a role on a brain.' : '';
  throw new AppError('conflict', `Somebody with this address is in the workspace already.${next}`, {
    person_id: person.id,
  });
}

async function store(ctx: Context, invitation: Invitation) {
  const { email, role, brain_id = null, access_level, cascades } = invitation;
  const invitation_id = await insertInvitation(ctx.db, {
    id: ctx.newId(),
    workspace_id: ctx.caller.workspaceId,
    email,
    role,
    invited_by: ctx.caller.personId,
    made_by_key: await findCallerKeyId(ctx),
    created_at: ctx.now,
  });
  // An earlier link would join with the new role, although its holder was trusted with less.
  if (role === 'admin') await dropLinksOfAddress(ctx.db, email);
  if (brain_id) await storeInvitation(ctx, { brain_id, email, access_level, cascades }, await findCallerKeyId(ctx));
  await ctx.emit(peopleChanged({ person_id: null }));
  return { invitation_id, email, role, brain_id };
}
