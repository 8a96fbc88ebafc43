import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import { checkAddress } from '../check-address.ts';
import { openDestination, sendMessage, type SendTarget } from '../delivering/send.ts';
import { checkCallerIsPerson, checkDestinationIsWebhook } from '../destination.ts';
import { destinationId } from '../ids.ts';
import { lockUndeleted } from '../store/destinations.ts';

export function testOutputDestination({ egress, vault }: { egress: Egress; vault: Vault }) {
  return defineOperation({
    name: 'test_output_destination',
    summary: 'Send a signed test message to one of your destinations, and return its answer.',
    toolset: 'webhooks',
    effect: 'write',
    isWidening: true,
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/output-destinations/{output_destination_id}/test' }],
    aliases: { id: 'output_destination_id' },
    input: z.strictObject({ output_destination_id: destinationId }),
    output: z.object({
      delivered: z.boolean(),
      http_status: z.number().int().nullable(),
      error: z.string().nullable(),
      duration_ms: z.number().int(),
    }),
    errors: ['not_found', 'forbidden', 'conflict'],
    examples: [{ title: 'Does it answer?', input: { output_destination_id: createExampleId('output_destination') } }],
    async run(ctx, { output_destination_id: id }): Promise<SendTarget> {
      checkCallerIsPerson(ctx, 'A test message leaves the server.');
      const destination = await lockUndeleted(ctx.db, id);
      checkDestinationIsWebhook(destination, 'Read it at its address.');
      const whyHuman = await checkAddress(ctx, destination.url);
      if (whyHuman !== null) throw new AppError('forbidden', `${whyHuman} Test it at the console.`);
      return openDestination(vault, ctx.db, destination, ctx.now);
    },
    async afterCommit(ctx, opened) {
      const data = { message: 'This is a test.' };
      const body = Buffer.from(JSON.stringify({ type: 'test', timestamp: ctx.now.toISOString(), data }));
      const message = { id: `msg_${ctx.newId()}`, contentType: 'application/json', body };
      const { httpStatus, error, durationMs } = await sendMessage(egress, opened, message, ctx.now);
      return { delivered: error === null, http_status: httpStatus, error, duration_ms: durationMs };
    },
  });
}
