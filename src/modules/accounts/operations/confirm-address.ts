import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { withPresentedHashes } from '#platform/database';
import { z } from 'zod';
import { useAddressLink } from '../people/address-links.ts';
import type { EndPerson } from '../people/end-membership.ts';
import { proveAddress } from '../sign-in/enter.ts';
import { checkHuman } from '../sessions/human.ts';
import { findIdentityByAddress } from '../people/find-identity-by-address.ts';
import { readIdentityId } from '../store/people.ts';

export const confirmAddress = (ends: readonly EndPerson[]) =>
  defineOperation({
    name: 'confirm_address',
    summary: 'Prove a mail address by the link that was mailed to it.',
    toolset: 'accounts',
    effect: 'write',
    isWidening: true,
    access: { scope: 'keys:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/me/addresses/confirm' }],
    input: z.strictObject({
      email: z.email().max(320),
      token: z
        .string()
        .regex(/^ta_[A-Za-z0-9_-]{20,100}$/, 'must be the token of the link')
        .max(110)
        .describe('From the link.'),
    }),
    output: z.object({ email: z.string(), proved: z.literal(true) }),
    errors: ['forbidden', 'not_found', 'conflict', 'invalid_input'],
    examples: [{ title: 'The link was opened', input: { email: 'grace@example.org', token: `ta_${'x'.repeat(43)}` } }],
    async run(ctx, given) {
      checkHuman(ctx);
      const { db, caller, now: at, newId } = ctx;
      const email = given.email.toLowerCase();
      const identityId = await readIdentityId(db, caller.personId);
      if (!(await useAddressLink(db, { identityId, email, token: given.token, at })))
        throw new AppError(
          'not_found',
          'This link was used, has expired, or is for another account or workspace. Add the address again.',
        );
      await withPresentedHashes(db, [], () => proveAddress(db, { email, identityId }, { at, newId, ends }));
      if ((await findIdentityByAddress(db, email)) !== identityId)
        throw new AppError('conflict', 'Somebody else signs in with this address.');
      return { email, proved: true as const };
    },
  });
