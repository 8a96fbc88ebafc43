import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { agentScopes, scopes } from '#kernel/scopes';
import { z } from 'zod';
import { keyId } from '../ids.ts';
import { changeKey, lockKey } from '../store/keys.ts';

export const narrowKey = defineOperation({
  name: 'narrow_key',
  summary: 'Remove scopes from a key: all that a new agent would not get, or all except those you name.',
  toolset: 'accounts',
  effect: 'write',
  access: { scope: 'keys:write', isForPeople: true },
  rest: [{ method: 'POST', path: '/v1/keys/{key_id}/narrow' }],
  input: z.strictObject({
    key_id: keyId,
    scopes: z
      .array(z.enum(scopes))
      .min(1)
      .max(scopes.length)
      .optional()
      .describe('The scopes to keep. Default: those that a new agent gets, as far as the key has them.'),
  }),
  output: z.object({ key_id: z.uuid(), scopes: z.array(z.enum(scopes)), removed: z.array(z.enum(scopes)) }),
  errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
  examples: [{ title: 'Only what agents get today', input: { key_id: createExampleId('key') } }],
  async run(ctx, { key_id, scopes: asked = agentScopes }) {
    const key = await lockKey(ctx.db, key_id);
    if (!key) throw createNotFoundError('key');
    const kept = key.scopes.filter((scope) => asked.includes(scope));
    if (!kept.length) throw new AppError('conflict', 'The key would have no scopes left. Use revoke_key to end it.');
    const removed = key.scopes.filter((scope) => !kept.includes(scope));
    await changeKey(ctx.db, key_id, { scopes: kept });
    return { key_id, scopes: kept, removed };
  },
});
