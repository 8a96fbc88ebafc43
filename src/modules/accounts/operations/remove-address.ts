import { AppError, createNotFoundError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { checkFresh } from '../sessions/human.ts';
import { withOwnIdentity } from '../sessions/own-identity.ts';
import { listProvedAddresses, removeAddress as remove } from '../store/identities.ts';
import { listPeopleByIdentity } from '../store/people.ts';

export const removeAddress = defineOperation({
  name: 'remove_address',
  summary: 'Stop signing in with one of your mail addresses.',
  toolset: 'accounts',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'keys:write', isForPeople: true },
  rest: [{ method: 'POST', path: '/v1/me/addresses/remove' }],
  input: z.strictObject({ email: z.email().max(320) }),
  output: z.object({ email: z.string(), removed: z.literal(true) }),
  errors: ['forbidden', 'not_found', 'conflict'],
  examples: [{ title: 'An address of a former employer', input: { email: 'grace@example.org' } }],
  async run(ctx, given) {
    await checkFresh(ctx);
    const email = given.email.toLowerCase();
    await withOwnIdentity(ctx, async (identityId) => {
      if (!(await listProvedAddresses(ctx.db, identityId)).includes(email)) throw createNotFoundError('address');
      // Otherwise a later owner of the address would enter a workspace as this person.
      if ((await listPeopleByIdentity(ctx.db, identityId)).some((person) => person.email.toLowerCase() === email))
        throw new AppError(
          'conflict',
          'A workspace knows you by this address. Choose another one there with update_profile first.',
        );
      await remove(ctx.db, identityId, email);
    });
    return { email, removed: true as const };
  },
});
