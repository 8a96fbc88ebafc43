import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { peopleChanged } from '../events.ts';
import { checkFresh } from '../sessions/human.ts';
import { personId } from '../ids.ts';
import { checkOwner } from '../people/roles.ts';
import { changePerson, findPerson } from '../store/people.ts';
import { lockPeople } from '../store/workspaces.ts';

export const handOverWorkspace = defineOperation({
  name: 'hand_over_workspace',
  summary: 'Make somebody else the owner of the workspace. You stay as an admin.',
  toolset: 'accounts',
  effect: 'write',
  isWidening: true,
  isDestructive: true,
  access: { scope: 'workspace:admin', isForPeople: true },
  rest: [{ method: 'POST', path: '/v1/workspace/hand-over' }],
  input: z.strictObject({ person_id: personId }),
  output: z.object({ owner_id: z.uuid(), your_role: z.literal('admin') }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [{ title: 'Somebody else manages it now', input: { person_id: createExampleId('person') } }],
  async run(ctx, { person_id }) {
    await checkFresh(ctx);
    checkOwner(ctx);
    const { db, caller } = ctx;
    if (person_id === caller.personId) throw new AppError('conflict', 'You are the owner already.');
    await lockPeople(db);
    const [next, now] = [await findPerson(db, person_id), await findPerson(db, caller.personId)];
    if (!next) throw createNotFoundError('person');
    if (now?.role !== 'owner') throw new AppError('conflict', 'You are not the owner any more.');
    await changePerson(db, caller.personId, { role: 'admin' });
    await changePerson(db, person_id, { role: 'owner' });
    for (const id of [caller.personId, person_id]) await ctx.emit(peopleChanged({ person_id: id }));
    return { owner_id: person_id, your_role: 'admin' as const };
  },
});
