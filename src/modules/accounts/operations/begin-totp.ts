import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import { checkFresh } from '../sessions/human.ts';
import { withOwnIdentity } from '../sessions/own-identity.ts';
import { findOfKind, insertAuthenticator, removeAuthenticator } from '../store/authenticators.ts';
import { findPerson } from '../store/people.ts';
import { keepTotp, generateTotp } from '../sign-in/totp.ts';

/** Needs the vault for the secret, so the composition root creates it. */
export function beginTotp(vault: Vault) {
  return defineOperation({
    name: 'begin_totp',
    summary: 'Begin to turn on one-time codes: get a secret for an authenticator app. Shown only now.',
    toolset: 'accounts',
    effect: 'write',
    hasSecretAnswer: true,
    access: { scope: 'keys:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/me/totp/begin' }],
    input: z.strictObject({}),
    output: z.object({
      secret: z.string().describe('For typing into the app.'),
      uri: z.string().describe('The same secret as the content of a QR code (otpauth://…).'),
    }),
    errors: ['forbidden', 'conflict'],
    examples: [{ title: 'An app on my phone', input: {} }],
    async run(ctx) {
      await checkFresh(ctx);
      const { db, caller, now: at } = ctx;
      const person = await findPerson(db, caller.personId);
      const { secret, uri } = generateTotp(person?.email ?? '');
      await withOwnIdentity(ctx, async (identityId) => {
        const before = await findOfKind(db, identityId, 'totp');
        if (before?.confirmed_at)
          throw new AppError('conflict', 'One-time codes are on already. Remove them first with remove_authenticator.');
        if (before) await removeAuthenticator(db, before.id);
        const id = ctx.newId();
        const row = {
          id,
          identity_id: identityId,
          kind: 'totp' as const,
          label: 'Authenticator app',
          lookup_hash: null,
        };
        await insertAuthenticator(db, { ...row, data: {}, confirmed_at: null, at });
        await keepTotp(db, vault, id, secret);
      });
      return { secret, uri };
    },
  });
}
