import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { toPrintable } from '#kernel/printable';
import { z } from 'zod';
import { peopleChanged } from '../events.ts';
import { checkFresh, checkHuman } from '../sessions/human.ts';
import { withOwnIdentity } from '../sessions/own-identity.ts';
import { listProvedAddresses, findIdentity, renameIdentity } from '../store/identities.ts';
import { changePerson, findPerson, findPersonByEmail, createPersonRemovedError } from '../store/people.ts';

export const updateProfile = defineOperation({
  name: 'update_profile',
  summary: 'Change your name, or the proved address by which this workspace knows you.',
  toolset: 'accounts',
  effect: 'write',
  access: { scope: 'keys:write', isForPeople: true },
  rest: [{ method: 'PATCH', path: '/v1/me' }],
  input: z.strictObject({
    name: z
      .string()
      .trim()
      .max(120)
      .overwrite((name) => toPrintable(name))
      .min(1)
      .optional()
      .describe('Your name for others, here and in workspaces you join later.'),
    email: z.email().max(320).optional().describe('One of your proved addresses; see `list_authenticators`.'),
  }),
  output: z.object({ name: z.string(), email: z.string() }),
  errors: ['forbidden', 'conflict', 'invalid_input'],
  examples: [{ title: 'A new name', input: { name: 'Grace Hopper' } }],
  async run(ctx, { name, email }) {
    checkHuman(ctx);
    const { db, caller } = ctx;
    const address = email?.toLowerCase();
    if (address !== undefined) await checkFresh(ctx);
    await withOwnIdentity(ctx, async (identityId) => {
      if (name !== undefined) await renameIdentity(db, identityId, name);
      if (address !== undefined && (await findIdentity(db, identityId))?.is_handed_over)
        throw new AppError(
          'forbidden',
          'You joined through a link that proves no address. Prove the invited address with add_address first.',
        );
      if (address !== undefined && !(await listProvedAddresses(db, identityId)).includes(address))
        throw new AppError('invalid_input', 'email: you have not proved this address. Use add_address first.');
    });
    const other = address === undefined ? undefined : await findPersonByEmail(db, address);
    if (other && other.id !== caller.personId)
      throw new AppError('conflict', 'Somebody else in this workspace has this address.');
    const change = { ...(name !== undefined && { name }), ...(address !== undefined && { email: address }) };
    if (Object.keys(change).length) await changePerson(db, caller.personId, change);
    const person = await findPerson(db, caller.personId);
    if (!person) throw createPersonRemovedError();
    await ctx.emit(peopleChanged({ person_id: person.id }));
    return { name: person.name, email: person.email };
  },
});
