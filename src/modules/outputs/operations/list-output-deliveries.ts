import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { deliveryOutput, presentDelivery } from '../delivery-fields.ts';
import { destinationId } from '../ids.ts';
import { listDeliveries } from '../store/deliveries.ts';

export const listOutputDeliveries = defineOperation({
  name: 'list_output_deliveries',
  summary: 'List deliveries with their status, newest first.',
  toolset: 'webhooks',
  effect: 'read',
  access: { scope: 'connectors:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/output-deliveries' }],
  input: z.strictObject({
    output_destination_id: destinationId.optional(),
    status: z.enum(['waiting', 'delivered', 'failed']).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(25),
    offset: z.coerce.number().int().min(0).max(100_000).default(0),
  }),
  output: z.object({ deliveries: z.array(deliveryOutput), has_more: z.boolean() }),
  errors: ['not_found'],
  examples: [
    { title: 'Of one destination', input: { output_destination_id: createExampleId('output_destination'), limit: 25 } },
  ],
  async run(ctx, { output_destination_id: destination, status, limit, offset }) {
    const query = { destinationId: destination, status, limit: limit + 1, offset };
    const rows = await listDeliveries(ctx.db, ctx.caller, query);
    return { deliveries: rows.slice(0, limit).map(presentDelivery), has_more: rows.length > limit };
  },
});
