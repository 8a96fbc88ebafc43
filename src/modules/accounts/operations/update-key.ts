import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { keyId } from '../ids.ts';
import { checkMayResume } from '../keys/may-resume.ts';
import { changeKey, lockKey } from '../store/keys.ts';

export const updateKey = defineOperation({
  name: 'update_key',
  summary: 'Rename a key, or pause and resume it.',
  toolset: 'accounts',
  effect: 'write',
  access: { scope: 'keys:write', isForPeople: true },
  rest: [{ method: 'PATCH', path: '/v1/keys/{key_id}' }],
  input: z.strictObject({
    key_id: keyId,
    label: z.string().trim().min(1).max(120).optional(),
    is_paused: z.boolean().optional().describe('A paused key is refused until it is resumed.'),
  }),
  output: z.object({ key_id: z.uuid(), label: z.string(), paused_at: z.iso.datetime().nullable() }),
  errors: ['not_found', 'forbidden'],
  examples: [{ title: 'Not while I am away', input: { key_id: createExampleId('key'), is_paused: true } }],
  async run(ctx, { key_id, label, is_paused }) {
    const key = await lockKey(ctx.db, key_id);
    if (!key) throw createNotFoundError('key');
    if (is_paused === false && key.paused_at) checkMayResume(ctx.caller, key);
    const paused_at = is_paused === undefined ? key.paused_at : is_paused ? (key.paused_at ?? ctx.now) : null;
    await changeKey(ctx.db, key_id, { label: label ?? key.label, paused_at });
    return { key_id, label: label ?? key.label, paused_at: paused_at?.toISOString() ?? null };
  },
});
