import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { endMembership, type EndPerson } from '../people/end-membership.ts';
import { personId } from '../ids.ts';
import { checkAdministers, checkNotOwner } from '../people/roles.ts';
import { findOwner, findPerson } from '../store/people.ts';
import { lockPeople } from '../store/workspaces.ts';

export const removePerson = (ends: readonly EndPerson[]) =>
  defineOperation({
    name: 'remove_person',
    summary:
      'Remove somebody from the workspace. Their sessions, keys and grants end at once; items that they stored stay.',
    toolset: 'accounts',
    effect: 'write',
    isDestructive: true,
    access: { scope: 'workspace:admin', isForPeople: true },
    rest: [{ method: 'DELETE', path: '/v1/people/{person_id}' }],
    input: z.strictObject({ person_id: personId }),
    output: z.object({ person_id: z.uuid(), removed: z.literal(true) }),
    errors: ['not_found', 'forbidden', 'conflict'],
    examples: [{ title: 'Somebody left the company', input: { person_id: createExampleId('person') } }],
    async run(ctx, { person_id }) {
      checkAdministers(ctx);
      if (person_id === ctx.caller.personId)
        throw new AppError('conflict', 'This is you. Use leave_workspace to leave the workspace.');
      await lockPeople(ctx.db);
      const [person, owner] = [await findPerson(ctx.db, person_id), await findOwner(ctx.db)];
      if (!person || !owner) throw createNotFoundError('person');
      checkNotOwner(person);
      await endMembership(ctx, { personId: person_id, heirId: owner.id, ends });
      return { person_id, removed: true as const };
    },
  });
