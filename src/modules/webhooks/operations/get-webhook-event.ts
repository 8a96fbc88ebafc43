import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { eventOutput, createFieldFilter, presentBody, presentEvent } from '../event-fields.ts';
import { webhookEventId } from '../ids.ts';
import { findVersions } from '../store/connectors.ts';
import { findEvent } from '../store/events.ts';

export const getWebhookEvent = defineOperation({
  name: 'get_webhook_event',
  summary:
    "Show one event of a webhook connector completely: the request, the translator's result, and the stored documents.",
  toolset: 'webhooks',
  effect: 'read',
  access: { scope: 'connectors:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/webhook-events/{webhook_event_id}' }],
  aliases: { id: 'webhook_event_id', event_id: 'webhook_event_id' },
  input: z.strictObject({ webhook_event_id: webhookEventId }),
  output: eventOutput.extend({
    webhook_connector_id: z.uuid(),
    version: z.number().int().nullable().describe('The version that translated it.'),
    raw_body: z.string().nullable().describe('Null: the body was too large, has expired, or belongs to a duplicate.'),
    raw_body_encoding: z.enum(['utf8', 'base64']),
    headers: z
      .record(z.string(), z.string())
      .describe('Credentials are redacted; signatures, too, except for a person and for keys that may create keys.'),
    query: z.record(z.string(), z.string()),
    translator_output: z.unknown(),
    ingested_doc_ids: z.array(z.uuid()),
    ingested_documents: z.array(
      z.object({
        id: z.uuid().nullable(),
        brain_id: z.uuid().nullable(),
        action: z.string(),
        source_id: z.string().nullable(),
        type: z.string().nullable(),
        tags: z.array(z.string()),
        error: z.string().nullable(),
      }),
    ),
  }),
  errors: ['not_found'],
  examples: [{ title: 'One', input: { webhook_event_id: createExampleId('webhook_event') } }],
  async run(ctx, { webhook_event_id }) {
    const event = await findEvent(ctx.db, webhook_event_id);
    if (!event) throw new Error('the event was found before');
    const { connector_id, version_id, body, translator_output = null } = event;
    const versions = await findVersions(ctx.db, version_id ? [version_id] : []);
    const documents = event.documents ?? [];
    return {
      ...presentEvent(event),
      webhook_connector_id: connector_id,
      version: versions.get(version_id ?? '')?.number ?? null,
      ...presentBody(body),
      ...(await createFieldFilter(ctx, connector_id))(event),
      translator_output,
      ingested_doc_ids: documents.flatMap(({ id }) => id ?? []),
      ingested_documents: documents,
    };
  },
});
