// Deliveries as operations return them.
import { z } from 'zod';
import { buildMessageId } from './message-id.ts';
import type { DeliverySummary } from './store/deliveries.ts';

export const deliveryOutput = z.object({
  delivery_id: z.uuid(),
  webhook_id: z.string().describe('The header webhook-id, the same at every attempt and replay.'),
  output_destination_id: z.uuid(),
  output_route_id: z.uuid(),
  webhook_event_id: z.uuid().describe('The webhook event, or the event of the product.'),
  status: z.enum(['waiting', 'delivered', 'failed']),
  delivered: z.boolean(),
  http_status: z.number().int().nullable(),
  error: z.string().nullable(),
  attempts: z.number().int(),
  next_attempt_at: z.iso.datetime().nullable(),
  payload_bytes: z.number().int(),
  document_count: z.number().int().describe('Documents that match the filters.'),
  duration_ms: z.number().int().nullable(),
  created_at: z.iso.datetime(),
  delivered_at: z.iso.datetime().nullable(),
});

export function presentDelivery(row: DeliverySummary): z.input<typeof deliveryOutput> {
  const { id, status, http_status, error, attempts, payload_bytes, document_count, duration_ms } = row;
  return {
    delivery_id: id,
    webhook_id: buildMessageId(id),
    output_destination_id: row.destination_id,
    output_route_id: row.route_id,
    webhook_event_id: row.event_id,
    status,
    delivered: status === 'delivered',
    http_status,
    error,
    attempts,
    next_attempt_at: status === 'waiting' ? row.next_attempt_at.toISOString() : null,
    payload_bytes,
    document_count,
    duration_ms,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
  };
}
