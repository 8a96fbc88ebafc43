import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { checkHuman } from '../sessions/human.ts';
import { withOwnIdentity } from '../sessions/own-identity.ts';
import { authenticatorKinds, countRecoveryCodes, listAuthenticators as findAll } from '../store/authenticators.ts';
import { listProvedAddresses } from '../store/identities.ts';

export const listAuthenticators = defineOperation({
  name: 'list_authenticators',
  summary: 'List your sign-in methods: password, passkeys, one-time codes, accounts elsewhere, and proved addresses.',
  toolset: 'accounts',
  effect: 'read',
  access: { scope: 'keys:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/me/authenticators' }],
  input: z.strictObject({}),
  output: z.object({
    authenticators: z.array(
      z.object({
        authenticator_id: z.uuid(),
        kind: z.enum(authenticatorKinds),
        label: z.string(),
        created_at: z.iso.datetime(),
        last_used_at: z.iso.datetime().nullable(),
      }),
    ),
    recovery_codes_left: z.number().int(),
    addresses: z.array(z.string()).describe('Mail addresses that you have proved.'),
  }),
  errors: ['forbidden'],
  examples: [{ title: 'How do I sign in?', input: {} }],
  async run(ctx) {
    checkHuman(ctx);
    return withOwnIdentity(ctx, async (identityId) => {
      const confirmed = (await findAll(ctx.db, identityId)).filter(({ confirmed_at }) => confirmed_at);
      return {
        authenticators: confirmed.map((each) => ({
          authenticator_id: each.id,
          kind: each.kind,
          label: each.label,
          created_at: each.created_at.toISOString(),
          last_used_at: each.last_used_at?.toISOString() ?? null,
        })),
        recovery_codes_left: await countRecoveryCodes(ctx.db, identityId),
        addresses: await listProvedAddresses(ctx.db, identityId),
      };
    });
  },
});
