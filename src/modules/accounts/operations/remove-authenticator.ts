import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { checkFresh } from '../sessions/human.ts';
import { withOwnIdentity } from '../sessions/own-identity.ts';
import { listAuthenticators, removeAuthenticator as remove, replaceRecoveryCodes } from '../store/authenticators.ts';

export const removeAuthenticator = defineOperation({
  name: 'remove_authenticator',
  summary: 'Remove a sign-in method: a password, a passkey or an account, or one-time codes with their recovery codes.',
  toolset: 'accounts',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'keys:write', isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/me/authenticators/{authenticator_id}' }],
  input: z.strictObject({ authenticator_id: z.uuid().describe('From `list_authenticators`.') }),
  output: z.object({ authenticator_id: z.uuid(), removed: z.literal(true) }),
  errors: ['not_found', 'forbidden'],
  examples: [{ title: 'The phone was lost', input: { authenticator_id: createExampleId('authenticator') } }],
  async run(ctx, { authenticator_id }) {
    await checkFresh(ctx);
    await withOwnIdentity(ctx, async (identityId) => {
      const removed = (await listAuthenticators(ctx.db, identityId)).find(({ id }) => id === authenticator_id);
      if (!removed) throw createNotFoundError('authenticator');
      await remove(ctx.db, authenticator_id);
      if (removed.kind === 'totp') await replaceRecoveryCodes(ctx.db, identityId, []);
    });
    return { authenticator_id, removed: true as const };
  },
});
