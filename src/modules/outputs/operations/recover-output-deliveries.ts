import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { checkCallerIsPerson, checkDestinationIsWebhook, activationRefused, rereadHint } from '../destination.ts';
import { destinationId } from '../ids.ts';
import { replayDeliveries } from '../store/deliveries.ts';
import { lockUndeleted, updateDestination } from '../store/destinations.ts';

const moment = z.iso.datetime({ offset: true }).optional();

export function recoverOutputDeliveries({ wake }: { wake: () => void }) {
  return defineOperation({
    name: 'recover_output_deliveries',
    summary:
      'Send all failed deliveries of a destination again with the same ids, and end its pause; only a person can end a pause.',
    toolset: 'webhooks',
    effect: 'write',
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/output-destinations/{output_destination_id}/recover' }],
    aliases: { id: 'output_destination_id' },
    input: z.strictObject({ output_destination_id: destinationId, since: moment, until: moment }),
    output: z.object({ output_destination_id: z.uuid(), recovered: z.number().int() }),
    errors: ['not_found', 'forbidden', 'conflict'],
    examples: [{ title: 'After an outage', input: { output_destination_id: createExampleId('output_destination') } }],
    async run(ctx, { output_destination_id, since, until }) {
      const destination = await lockUndeleted(ctx.db, output_destination_id);
      checkDestinationIsWebhook(destination, rereadHint);
      if (destination.state !== 'active') checkCallerIsPerson(ctx, activationRefused);
      const healthy = { state: 'active' as const, state_reason: null, failing_since: null, half_told: false };
      await updateDestination(ctx.db, output_destination_id, healthy);
      const times = { since: since ? new Date(since) : null, until: until ? new Date(until) : null };
      const of = { destinationId: output_destination_id, ...times };
      const recovered = await replayDeliveries(ctx.db, of, ctx.now);
      wake();
      return { output_destination_id, recovered };
    },
  });
}
