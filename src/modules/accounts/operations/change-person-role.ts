import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { peopleChanged } from '../events.ts';
import { personId } from '../ids.ts';
import { withdrawAdminInvitations } from '../people/invitations.ts';
import { checkAdministers, checkMayGiveRole, checkNotOwner } from '../people/roles.ts';
import { changePerson, findPerson } from '../store/people.ts';
import { lockPeople } from '../store/workspaces.ts';

export const changePersonRole = defineOperation({
  name: 'change_person_role',
  summary:
    'Make somebody an admin or a plain member of the workspace. Their keys lose rights beyond the new role at once.',
  toolset: 'accounts',
  effect: 'write',
  isWidening: true,
  access: { scope: 'workspace:admin', isForPeople: true },
  rest: [{ method: 'PATCH', path: '/v1/people/{person_id}' }],
  input: z.strictObject({ person_id: personId, role: z.enum(['admin', 'member']) }),
  output: z.object({ person_id: z.uuid(), role: z.enum(['admin', 'member']) }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [{ title: 'An admin becomes a member', input: { person_id: createExampleId('person'), role: 'member' } }],
  async run(ctx, { person_id, role }) {
    checkAdministers(ctx);
    await checkMayGiveRole(ctx, role);
    await lockPeople(ctx.db);
    const [person, self] = [await findPerson(ctx.db, person_id), await findPerson(ctx.db, ctx.caller.personId)];
    if (!person) throw createNotFoundError('person');
    if (!self || self.role === 'member')
      throw new AppError('forbidden', 'You do not administer this workspace any more.');
    checkNotOwner(person);
    await changePerson(ctx.db, person_id, { role });
    if (role === 'member') await withdrawAdminInvitations(ctx.db, person_id);
    await ctx.emit(peopleChanged({ person_id }));
    return { person_id, role };
  },
});
