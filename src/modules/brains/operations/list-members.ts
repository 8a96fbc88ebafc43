import { brainRoles, isAtLeast } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { brainId } from '../ids.ts';
import { listInheritedMembers } from '../membership.ts';
import { findBrains } from '../store/brains.ts';
import { listInvitations } from '../store/invitations.ts';
import { listMembers as findMembers, type Member } from '../store/members.ts';

const memberOutput = z.object({
  user_id: z.uuid(),
  status: z.enum(['member', 'invited']),
  email: z.string(),
  name: z.string().nullable(),
  access_level: z.enum(brainRoles).describe('Their highest access level here.'),
  cascades: z.boolean(),
  inherited_from: z
    .object({ brain_id: z.uuid(), brain_name: z.string() })
    .nullable()
    .describe('The brain above that gives this level; null if it is given here.'),
  since: z.iso.datetime(),
});

export const listMembers = defineOperation({
  name: 'list_members',
  summary: 'List the members of a brain, including members of brains above, and the invitations.',
  toolset: 'brains',
  effect: 'read',
  access: { scope: 'brains:read', brain: { role: 'viewer', of: 'brain_id' }, isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/brains/{brain_id}/members' }],
  aliases: { id: 'brain_id' },
  input: z.strictObject({ brain_id: brainId }),
  output: z.object({ members: z.array(memberOutput), count: z.number().int() }),
  errors: ['not_found', 'forbidden'],
  examples: [{ title: 'Who is on this brain?', input: { brain_id: createExampleId('brain') } }],
  async run(ctx, { brain_id }) {
    const members = [...(await listHighestMembers(ctx, brain_id)), ...(await listInvitedToBrain(ctx, brain_id))];
    return { members, count: members.length };
  },
});

/** Each person once, with their highest role. Of equal roles, the direct one counts. */
async function listHighestMembers(ctx: Context, brainIdHere: string) {
  const byPerson = new Map<string, Member>();
  for (const member of [
    ...(await findMembers(ctx.db, [brainIdHere])),
    ...(await listInheritedMembers(ctx, brainIdHere)),
  ]) {
    const known = byPerson.get(member.person_id);
    if (!known || !isAtLeast(known.access_level, member.access_level)) byPerson.set(member.person_id, member);
  }
  const brains = await findBrains(ctx.db, [...new Set([...byPerson.values()].map((member) => member.brain_id))]);
  const names = new Map(brains.map(({ id, name }) => [id, name]));
  return [...byPerson.values()].map((member) => ({
    user_id: member.person_id,
    status: 'member' as const,
    email: member.email,
    name: member.name,
    access_level: member.access_level,
    cascades: member.cascades,
    inherited_from:
      member.brain_id === brainIdHere
        ? null
        : { brain_id: member.brain_id, brain_name: names.get(member.brain_id) ?? '' },
    since: member.created_at.toISOString(),
  }));
}

/** Only people who manage members see invitations. */
async function listInvitedToBrain(ctx: Context, brainIdHere: string) {
  const role = (await ctx.brains()).roles.get(brainIdHere) ?? 'viewer';
  if (!isAtLeast(role, 'admin')) return [];
  return (await listInvitations(ctx.db, brainIdHere)).map(({ id, email, access_level, cascades, created_at }) => ({
    user_id: id,
    status: 'invited' as const,
    email,
    name: null,
    access_level,
    cascades,
    inherited_from: null,
    since: created_at.toISOString(),
  }));
}
