import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import { checkFresh } from '../sessions/human.ts';
import { withOwnIdentity } from '../sessions/own-identity.ts';
import { changeAuthenticator, findOfKind } from '../store/authenticators.ts';
import { acceptTotp, makeRecoveryCodes } from '../sign-in/totp.ts';

/** Needs the vault for the secret, so the composition root creates it. */
export function addTotp(vault: Vault) {
  return defineOperation({
    name: 'add_totp',
    summary: 'Turn on one-time codes: confirm the app of begin_totp with a code, and get recovery codes.',
    toolset: 'accounts',
    effect: 'write',
    hasSecretAnswer: true,
    access: { scope: 'keys:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/me/totp' }],
    input: z.strictObject({
      code: z
        .string()
        .max(20)
        .regex(/^\s*\d{3}\s*\d{3}\s*$/, 'must be 6 digits, as the app shows them'),
    }),
    output: z.object({
      authenticator_id: z.uuid(),
      recovery_codes: z.array(z.string()).describe('Recovery codes: each replaces the app once. Shown only now.'),
    }),
    errors: ['forbidden', 'conflict', 'invalid_input'],
    examples: [{ title: 'The code that the app shows', input: { code: '123456' } }],
    async run(ctx, { code }) {
      await checkFresh(ctx);
      const { db, now: at } = ctx;
      return withOwnIdentity(ctx, async (identityId) => {
        const totp = await findOfKind(db, identityId, 'totp');
        if (!totp) throw new AppError('conflict', 'Call begin_totp first.');
        if (totp.confirmed_at) throw new AppError('conflict', 'One-time codes are on already.');
        if (!(await acceptTotp(db, vault, totp, code.replaceAll(/\s/g, ''), at)))
          throw new AppError(
            'invalid_input',
            'code: is not the current code of the app. Check the clock of the phone.',
          );
        await changeAuthenticator(db, totp.id, { confirmed_at: at });
        return { authenticator_id: totp.id, recovery_codes: await makeRecoveryCodes(db, identityId) };
      });
    },
  });
}
