import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { deliveryOutput, presentDelivery } from '../delivery-fields.ts';
import { deliveryId } from '../ids.ts';
import { findDelivery, listAttempts } from '../store/deliveries.ts';

export const getOutputDelivery = defineOperation({
  name: 'get_output_delivery',
  summary: 'Show one delivery with its payload and every attempt.',
  toolset: 'webhooks',
  effect: 'read',
  access: { scope: 'connectors:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/output-deliveries/{delivery_id}' }],
  aliases: { id: 'delivery_id' },
  input: z.strictObject({ delivery_id: deliveryId }),
  output: deliveryOutput.extend({
    content_type: z.string(),
    payload: z.string().nullable().describe('Null: its storage time has passed.'),
    attempt_rows: z.array(
      z.object({
        number: z.number().int(),
        at: z.iso.datetime(),
        http_status: z.number().int().nullable(),
        error: z.string().nullable(),
        duration_ms: z.number().int(),
        delivered: z.boolean(),
      }),
    ),
  }),
  errors: ['not_found'],
  examples: [{ title: 'One', input: { delivery_id: createExampleId('output_delivery') } }],
  async run(ctx, { delivery_id }) {
    const row = await findDelivery(ctx.db, delivery_id);
    const attempts = await listAttempts(ctx.db, delivery_id);
    return {
      ...presentDelivery(row),
      content_type: row.content_type,
      payload: row.payload?.toString() ?? null,
      attempt_rows: attempts.map(({ number, at, http_status, error, duration_ms, delivered }) => ({
        number,
        at: at.toISOString(),
        http_status,
        error,
        duration_ms,
        delivered,
      })),
    };
  },
});
