import { isDeepStrictEqual } from 'node:util';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { findCallerKeyId } from '#modules/accounts';
import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import { checkAddress } from '../check-address.ts';
import {
  checkDeliveryUrl,
  destinationName,
  destinationOutput,
  destinationUrl,
  maxPerMinute,
  checkCallerIsPerson,
  checkDestinationIsWebhook,
  ownHeaders,
  activationRefused,
  presentDestination,
  resolveHeaderVariables,
} from '../destination.ts';
import { destinationId } from '../ids.ts';
import { lockUndeleted, updateDestination, type DestinationChange } from '../store/destinations.ts';

export function updateOutputDestination({ egress, vault }: { egress: Egress; vault: Vault }) {
  return defineOperation({
    name: 'update_output_destination',
    summary: 'Change, pause or resume a destination. Only a person can change its address or headers, or end a pause.',
    toolset: 'webhooks',
    effect: 'write',
    isWidening: true,
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'PATCH', path: '/v1/output-destinations/{output_destination_id}' }],
    aliases: { id: 'output_destination_id', url: 'output_destination_url' },
    input: z.strictObject({
      output_destination_id: destinationId,
      name: destinationName.optional(),
      output_destination_url: destinationUrl.optional(),
      headers: ownHeaders.optional(),
      max_per_minute: maxPerMinute.optional(),
      status: z.enum(['active', 'paused']).optional(),
    }),
    output: destinationOutput,
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
    examples: [
      {
        title: 'Pause it',
        input: { output_destination_id: createExampleId('output_destination'), status: 'paused' },
      },
    ],
    async run(ctx, { output_destination_id: id, name, output_destination_url, headers, max_per_minute, status }) {
      const before = await lockUndeleted(ctx.db, id);
      if (output_destination_url ?? headers ?? max_per_minute)
        checkDestinationIsWebhook(before, 'It has no address, headers or max_per_minute of its own.');
      const url = output_destination_url && checkDeliveryUrl(egress, output_destination_url);
      const isMoved = url !== undefined && url !== before.url;
      const isOther = headers !== undefined && !isDeepStrictEqual(headers, before.headers);
      if (isMoved || isOther) await checkChange(ctx, url ?? before.url);
      if (status === 'active' && before.state !== 'active') {
        checkCallerIsPerson(ctx, activationRefused);
        await checkAddress(ctx, url ?? before.url);
      }
      const change: DestinationChange = {
        updated_at: ctx.now,
        ...(name && { name }),
        ...(url && { url }),
        ...(headers && { headers }),
        // Deliveries send the values of handles to this address, so the caller must have these variables.
        ...((headers || isMoved) && { variables: await resolveHeaderVariables(ctx, vault, headers ?? before.headers) }),
        ...(max_per_minute && { max_per_minute }),
        ...((isMoved || isOther) && { made_by_key: await findCallerKeyId(ctx) }),
        ...(status && { state: status, state_reason: null }),
        ...(status === 'active' && { failing_since: null, half_told: false }),
      };
      await updateDestination(ctx.db, id, change);
      return presentDestination({ ...before, ...change });
    },
  });
}

/** Routes were approved for the former destination, so only a person may change it, within the policy. */
async function checkChange(ctx: Context, url: string): Promise<void> {
  checkCallerIsPerson(ctx, 'Routes were approved for this address and these headers.');
  const whyHuman = await checkAddress(ctx, url);
  if (whyHuman !== null) throw new AppError('forbidden', `${whyHuman} Change it at the console.`);
}
