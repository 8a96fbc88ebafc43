import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { checkFresh } from '../sessions/human.ts';
import { withOwnIdentity } from '../sessions/own-identity.ts';
import { findOfKind } from '../store/authenticators.ts';
import { makeRecoveryCodes } from '../sign-in/totp.ts';

export const newRecoveryCodes = defineOperation({
  name: 'new_recovery_codes',
  summary: 'Create new recovery codes, for when your authenticator app is not at hand. Earlier codes end.',
  toolset: 'accounts',
  effect: 'write',
  hasSecretAnswer: true,
  access: { scope: 'keys:write', isForPeople: true },
  rest: [{ method: 'POST', path: '/v1/me/recovery-codes' }],
  input: z.strictObject({}),
  output: z.object({ recovery_codes: z.array(z.string()) }),
  errors: ['forbidden', 'conflict'],
  examples: [{ title: 'The paper is lost', input: {} }],
  async run(ctx) {
    await checkFresh(ctx);
    return withOwnIdentity(ctx, async (identityId) => {
      const totp = await findOfKind(ctx.db, identityId, 'totp');
      if (!totp?.confirmed_at) throw new AppError('conflict', 'One-time codes are off, so you need no recovery codes.');
      return { recovery_codes: await makeRecoveryCodes(ctx.db, identityId) };
    });
  },
});
