import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { invitedRoles } from '#modules/brains';
import { listInvited } from '../store/invitations.ts';
import { listPeople as findPeople } from '../store/people.ts';

export const listPeople = defineOperation({
  name: 'list_people',
  summary: 'List the people of the workspace and, for administrators, open invitations.',
  toolset: 'accounts',
  effect: 'read',
  access: { scope: 'brains:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/people' }],
  input: z.strictObject({}),
  output: z.object({
    people: z.array(
      z.object({
        person_id: z.uuid(),
        name: z.string(),
        email: z.string(),
        role: z.enum(['owner', 'admin', 'member']),
        is_you: z.boolean(),
        joined_at: z.iso.datetime(),
        last_seen_at: z.iso.datetime().nullable().describe('The last time at the console.'),
      }),
    ),
    invitations: z.array(
      z.object({
        invitation_id: z.uuid(),
        email: z.string(),
        role: z.enum(['admin', 'member']),
        brains: z.array(z.object({ brain_id: z.uuid(), access_level: z.enum(invitedRoles) })),
        invited_by: z.object({ id: z.uuid(), name: z.string() }),
        invited_at: z.iso.datetime(),
      }),
    ),
  }),
  errors: ['forbidden'],
  examples: [{ title: 'Who is here?', input: {} }],
  async run({ db, caller }) {
    const people = await findPeople(db);
    const invited = caller.role === 'member' ? [] : await listInvited(db);
    return {
      people: people.map((person) => ({
        person_id: person.id,
        name: person.name,
        email: person.email,
        role: person.role,
        is_you: person.id === caller.personId,
        joined_at: person.created_at.toISOString(),
        last_seen_at: person.last_seen_at?.toISOString() ?? null,
      })),
      invitations: invited.map((each) => ({
        invitation_id: each.id,
        email: each.email,
        role: each.role,
        brains: each.brains as { brain_id: string; access_level: (typeof invitedRoles)[number] }[], // the table allows only these
        invited_by: { id: each.invited_by, name: each.invited_by_name },
        invited_at: each.created_at.toISOString(),
      })),
    };
  },
});
