import { hasAllOfPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { hashSecret } from '#platform/one-time-secrets';
import { z } from 'zod';
import { checkFreshPerson } from '../sessions/human.ts';
import { keyId } from '../ids.ts';
import { findCallerKeyExpiry, findCallerKeyId } from '../caller-key.ts';
import { generateKey, getVisiblePrefix } from '../secrets.ts';
import { changeKey, lockKey } from '../store/keys.ts';

export const rotateKey = defineOperation({
  name: 'rotate_key',
  summary:
    'Replace one of your keys by a new one with the same rights. The new key is shown once; the old one works a while longer.',
  toolset: 'accounts',
  effect: 'write',
  isWidening: true,
  hasSecretAnswer: true,
  access: { scope: 'keys:write', isForPeople: true },
  rest: [{ method: 'POST', path: '/v1/keys/{key_id}/rotate' }],
  input: z.strictObject({
    key_id: keyId,
    overlap_hours: z
      .number()
      .int()
      .min(0)
      .max(168)
      .default(24)
      .describe('How long the old key still works. 0: it ends now.'),
  }),
  output: z.object({
    key_id: z.uuid(),
    key: z.string(),
    previous_until: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    warning: z.string(),
  }),
  errors: ['not_found', 'forbidden', 'conflict'],
  examples: [{ title: 'Once a year', input: { key_id: createExampleId('key') } }],
  async run(ctx, { key_id, overlap_hours }) {
    await checkFreshPerson(ctx);
    const { db, now } = ctx;
    const old = await lockKey(db, key_id);
    if (!old) throw createNotFoundError('key');
    checkMay(ctx, old);
    const key = generateKey();
    const previousUntil = new Date(now.getTime() + overlap_hours * 3_600_000);
    const by = await findCallerKeyId(ctx);
    const ends = [old.expires_at, await findCallerKeyExpiry(ctx)].flatMap((end) => (end ? [end.getTime()] : []));
    const expiresAt = ends.length ? new Date(Math.min(...ends)) : null; // a key expires no later than the one that created it
    await changeKey(db, key_id, {
      prefix: getVisiblePrefix(key),
      key_hash: hashSecret(key),
      previous_hash: old.key_hash,
      previous_until: previousUntil,
      expires_at: expiresAt,
      // The holder of the key that rotates this one also has the new secret: both end together.
      ...(by !== null && by !== key_id && { made_by_key: by }),
    });
    return {
      key_id,
      key,
      previous_until: previousUntil.toISOString(),
      expires_at: expiresAt?.toISOString() ?? null,
      warning: 'Copy the key now: it is not stored and cannot be shown again.',
    };
  },
});

/** Anyone who sees a key can use it, so it is shown only to its own person, by a credential with at least its rights. */
function checkMay({ caller, now }: Context, key: NonNullable<Awaited<ReturnType<typeof lockKey>>>): void {
  if (key.revoked_at) throw new AppError('conflict', 'This key was revoked. Make a new one.');
  if (key.expires_at && key.expires_at <= now) throw new AppError('conflict', 'This key has expired. Make a new one.');
  if (key.person_id !== caller.personId)
    throw new AppError('forbidden', "Only the key's own person may replace it. Revoke it instead.");
  const missing = key.scopes.filter((scope) => !caller.scopes.has(scope));
  if (!hasAllOfPerson(caller) && missing.length)
    throw new AppError('forbidden', `You cannot grant scopes that you do not have: ${missing.join(', ')}.`, {
      missing,
    });
}
