import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { checkContents } from '../check-contents.ts';
import { trimToWholeCharacters, createFieldFilter, presentBody } from '../event-fields.ts';
import { webhookConnectorId } from '../ids.ts';
import { listSamples } from '../store/events.ts';

const mostBytes = 100_000;

export const getWebhookSamples = defineOperation({
  name: 'get_webhook_samples',
  summary: 'Show one payload of each shape that a webhook connector received, to write a translator from.',
  toolset: 'webhooks',
  effect: 'read',
  access: { scope: 'connectors:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/webhook-connectors/{webhook_connector_id}/samples' }],
  aliases: { connector_id: 'webhook_connector_id', id: 'webhook_connector_id' },
  input: z.strictObject({
    webhook_connector_id: webhookConnectorId,
    limit: z.coerce.number().int().min(1).max(50).default(10),
  }),
  output: z.object({
    samples: z.array(
      z.object({
        shape_hash: z.string(),
        events: z.number().int().describe('How many events had this shape.'),
        webhook_event_id: z.uuid(),
        received_at: z.iso.datetime(),
        event_type: z.string().nullable(),
        content_type: z.string().nullable(),
        raw_body: z.string().nullable().describe('The first 100,000 bytes of the payload.'),
        is_cut: z.boolean(),
        raw_body_encoding: z.enum(['utf8', 'base64']),
        headers: z.record(z.string(), z.string()),
        query: z.record(z.string(), z.string()),
      }),
    ),
  }),
  errors: ['not_found', 'forbidden'],
  examples: [
    { title: 'Before writing a translator', input: { webhook_connector_id: createExampleId('webhook_connector') } },
  ],
  async run(ctx, { webhook_connector_id, limit }) {
    await checkContents(ctx, webhook_connector_id);
    const rows = await listSamples(ctx.db, webhook_connector_id, { limit, bytes: mostBytes });
    const shown = await createFieldFilter(ctx, webhook_connector_id);
    return {
      samples: rows.map(({ id, received_at, body, shape_hash, ...same }) => ({
        ...same,
        ...shown(same),
        shape_hash: shape_hash ?? '',
        webhook_event_id: id,
        received_at: received_at.toISOString(),
        ...presentBody(same.is_cut && body ? trimToWholeCharacters(body) : body),
      })),
    };
  },
});
