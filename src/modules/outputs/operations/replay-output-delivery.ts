import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { checkDestinationIsWebhook, rereadHint } from '../destination.ts';
import { deliveryId } from '../ids.ts';
import { findDelivery, replayDeliveries } from '../store/deliveries.ts';
import { findDestination } from '../store/destinations.ts';

export function replayOutputDelivery({ wake }: { wake: () => void }) {
  return defineOperation({
    name: 'replay_output_delivery',
    summary: 'Send a delivery again with the same id, so that a receiver that already has it recognises it.',
    toolset: 'webhooks',
    effect: 'write',
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/output-deliveries/{delivery_id}/replay' }],
    aliases: { id: 'delivery_id' },
    input: z.strictObject({ delivery_id: deliveryId }),
    output: z.object({ delivery_id: z.uuid() }),
    errors: ['not_found', 'conflict'],
    examples: [{ title: 'The receiver lost it', input: { delivery_id: createExampleId('output_delivery') } }],
    async run(ctx, { delivery_id }) {
      const { destination_id } = await findDelivery(ctx.db, delivery_id);
      const destination = await findDestination(ctx.db, destination_id);
      if (destination) checkDestinationIsWebhook(destination, rereadHint);
      const replayed = await replayDeliveries(ctx.db, { ids: [delivery_id] }, ctx.now);
      if (!replayed)
        throw new AppError(
          'conflict',
          'Its payload is no longer stored, or its route is detached. Attach the route again if needed, and replay its event.',
        );
      wake();
      return { delivery_id };
    },
  });
}
