import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { checkContents } from '../check-contents.ts';
import { eventOutput, presentEvent } from '../event-fields.ts';
import { webhookConnectorId } from '../ids.ts';
import { eventFilters } from '../outcomes.ts';
import { listEvents } from '../store/events.ts';

const moment = z.iso.datetime({ offset: true });

/** Filters of a connector's events. */
export const eventQuery = {
  webhook_connector_id: webhookConnectorId,
  webhook_event_filter: z.enum(eventFilters).default('all'),
  since: moment.optional(),
  until: moment.optional(),
  text: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Text in the body or the reason, or an exact event type or delivery id.'),
};

export const listWebhookEvents = defineOperation({
  name: 'list_webhook_events',
  summary: 'List events that a webhook connector received, newest first, by outcome, time or text.',
  toolset: 'webhooks',
  effect: 'read',
  access: { scope: 'connectors:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/webhook-connectors/{webhook_connector_id}/events' }],
  aliases: { connector_id: 'webhook_connector_id', filter: 'webhook_event_filter' },
  input: z.strictObject({
    ...eventQuery,
    limit: z.coerce.number().int().min(1).max(200).default(25),
    offset: z.coerce.number().int().min(0).max(100_000).default(0),
  }),
  output: z.object({ events: z.array(eventOutput), has_more: z.boolean() }),
  errors: ['not_found', 'forbidden'],
  examples: [
    {
      title: 'What went wrong',
      input: { webhook_connector_id: createExampleId('webhook_connector'), webhook_event_filter: 'errors', limit: 25 },
    },
  ],
  async run(ctx, { webhook_connector_id: connectorId, webhook_event_filter: filter, limit, offset, text, ...times }) {
    await checkContents(ctx, connectorId);
    const query = { connectorId, filter, text, ...parseTimes(times) };
    const rows = await listEvents(ctx.db, query, limit + 1, offset);
    return { events: rows.slice(0, limit).map(presentEvent), has_more: rows.length > limit };
  },
});

/** Moments as dates; absent ones stay absent. */
export function parseTimes({ since, until }: { since?: string | undefined; until?: string | undefined }) {
  return { since: since ? new Date(since) : undefined, until: until ? new Date(until) : undefined };
}
