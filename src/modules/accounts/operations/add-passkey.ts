import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { checkFreshOrFirst } from '../sessions/human.ts';
import { withOwnIdentity } from '../sessions/own-identity.ts';
import { creationResponse, useChallenge, verifyCreation } from '../sign-in/passkeys.ts';
import { insertAuthenticator } from '../store/authenticators.ts';

/** Needs the address of the console, to which a passkey is bound, so the composition root creates it. */
export function addPasskey(publicUrl: string) {
  return defineOperation({
    name: 'add_passkey',
    summary: 'Add the passkey that the browser made after begin_passkey.',
    toolset: 'accounts',
    effect: 'write',
    access: { scope: 'keys:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/me/passkeys' }],
    input: z.strictObject({
      name: z.string().trim().min(1).max(80).describe('A name to recognise it by, such as «Laptop».'),
      response: creationResponse.describe('What navigator.credentials.create answered, as JSON.'),
    }),
    output: z.object({ authenticator_id: z.uuid(), name: z.string() }),
    errors: ['forbidden', 'unauthenticated', 'conflict'],
    examples: [
      {
        title: 'This laptop',
        input: {
          name: 'Laptop',
          response: {
            id: 'AQID',
            rawId: 'AQID',
            type: 'public-key',
            clientExtensionResults: {},
            response: { clientDataJSON: 'e30', attestationObject: 'oA' },
          },
        },
      },
    ],
    async run(ctx, { name, response }) {
      await checkFreshOrFirst(ctx);
      const { db, caller, now: at } = ctx;
      const asked = { response, purpose: 'passkey_creation', boundTo: caller.id, at } as const;
      const { lookupHash, data } = await verifyCreation(response, await useChallenge(db, asked), publicUrl);
      const id = ctx.newId();
      await withOwnIdentity(ctx, async (identityId) => {
        const row = { id, identity_id: identityId, kind: 'passkey' as const, label: name, lookup_hash: lookupHash };
        if (!(await insertAuthenticator(db, { ...row, data, confirmed_at: at, at })))
          throw new AppError('conflict', 'This passkey is in use already.');
      });
      return { authenticator_id: id, name };
    },
  });
}
