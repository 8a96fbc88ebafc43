import { defineOperation } from '#kernel/operation';
import { exampleId } from '#kernel/examples';
import { z } from 'zod';
import { keyId } from '../ids.ts';
import { revokeKey as endKey } from '../store/keys.ts';

export const revokeKey = defineOperation({
  name: 'revoke_key',
  summary: 'End a key; every server process refuses it within a second.',
  toolset: 'accounts',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'keys:write', isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/keys/{key_id}' }],
  input: z.strictObject({ key_id: keyId }),
  output: z.object({ key_id: z.uuid(), revoked: z.literal(true) }),
  errors: ['forbidden', 'not_found'],
  examples: [{ title: 'A key that leaked', input: { key_id: exampleId('key') } }],
  async run(ctx, { key_id }) {
    await endKey(ctx.db, key_id, ctx.now);
    return { key_id, revoked: true as const };
  },
});
