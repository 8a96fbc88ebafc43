import type { Context } from '#kernel/context';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { findCallerKeyId } from '#modules/accounts';
import { generateSigningSecret } from '#modules/webhooks';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import { checkCallerIsPerson, buildDestinationSecretColumn } from '../destination.ts';
import { generateFeedToken } from '../feed/token.ts';
import { destinationId } from '../ids.ts';
import { lockUndeleted, updateDestination } from '../store/destinations.ts';
import type { DestinationRow } from '../store/tables.ts';

const overlapMs = 24 * 60 * 60 * 1_000;

export function rotateOutputSecret({ vault }: { vault: Vault }) {
  return defineOperation({
    name: 'rotate_output_secret',
    summary:
      'Create a new signing secret for a destination; for 24 hours the previous one signs, too. A feed gets a new token at once.',
    toolset: 'webhooks',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true,
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/output-destinations/{output_destination_id}/rotate' }],
    aliases: { id: 'output_destination_id' },
    input: z.strictObject({ output_destination_id: destinationId }),
    output: z.object({
      output_destination_id: z.uuid(),
      signing_secret: z.string().nullable().describe('Shown only now. Null for a feed.'),
      signing_scheme: z.literal('standard_webhooks').nullable(),
      previous_until: z.iso.datetime().nullable(),
      feed_token: z.string().nullable().describe('For a feed, shown only now. The previous token no longer works.'),
    }),
    errors: ['not_found', 'forbidden'],
    examples: [{ title: 'A new secret', input: { output_destination_id: createExampleId('output_destination') } }],
    async run(ctx, { output_destination_id: id }) {
      checkCallerIsPerson(ctx, 'Only a person may see a secret.');
      const before = await lockUndeleted(ctx.db, id);
      const none = { output_destination_id: id, signing_secret: null, signing_scheme: null, previous_until: null };
      if (before.secret !== null) return { ...none, ...(await rotateSecret(ctx, vault, before, before.secret)) };
      const { token, token_hash } = generateFeedToken();
      await updateDestination(ctx.db, id, {
        token_hash,
        secret_made_by_key: await findCallerKeyId(ctx),
        updated_at: ctx.now,
      });
      return { ...none, feed_token: token };
    },
  });
}

async function rotateSecret(ctx: Context, vault: Vault, destination: DestinationRow, sealed: string) {
  const place = buildDestinationSecretColumn(destination);
  const old = await vault.open(ctx.db, place, sealed);
  const secret = generateSigningSecret();
  const previous_until = new Date(ctx.now.getTime() + overlapMs);
  await updateDestination(ctx.db, destination.id, {
    secret: await vault.seal(ctx.db, place, secret),
    previous_secret: await vault.seal(ctx.db, { ...place, column: 'previous_secret' }, old),
    previous_until,
    secret_made_by_key: await findCallerKeyId(ctx),
    updated_at: ctx.now,
  });
  return {
    signing_secret: secret,
    signing_scheme: 'standard_webhooks' as const,
    previous_until: previous_until.toISOString(),
    feed_token: null,
  };
}
