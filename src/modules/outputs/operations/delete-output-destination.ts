import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { destinationId } from '../ids.ts';
import { failWaiting } from '../store/deliveries.ts';
import { updateDestination } from '../store/destinations.ts';

export const deleteOutputDestination = defineOperation({
  name: 'delete_output_destination',
  summary: 'Delete a destination; nothing is sent there any more.',
  toolset: 'webhooks',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'connectors:write', isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/output-destinations/{output_destination_id}' }],
  aliases: { id: 'output_destination_id' },
  input: z.strictObject({ output_destination_id: destinationId }),
  output: z.object({ deleted: z.literal(true), output_destination_id: z.uuid() }),
  errors: ['not_found'],
  examples: [{ title: 'No longer needed', input: { output_destination_id: createExampleId('output_destination') } }],
  async run(ctx, { output_destination_id: id }) {
    await updateDestination(ctx.db, id, { state: 'deleted', updated_at: ctx.now });
    await failWaiting(ctx.db, { destination_id: id }, 'The destination was deleted.');
    return { deleted: true as const, output_destination_id: id };
  },
});
