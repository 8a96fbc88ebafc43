import { defineEvent } from '#kernel/event';
import { z } from 'zod';
import { outcomes } from './outcomes.ts';

/** An event of a webhook connector has its outcome. */
export const webhookEventEnded = defineEvent(
  'webhook.event',
  'connectors:read',
  z.object({ webhook_connector_id: z.uuid(), webhook_event_id: z.uuid(), outcome: z.enum(outcomes) }),
);

/** A webhook connector was created, changed, activated, paused or deleted. */
export const webhookConnectorChanged = defineEvent(
  'webhook_connector.changed',
  'connectors:read',
  z.object({ webhook_connector_id: z.uuid(), state: z.enum(['draft', 'active', 'paused', 'deleted']) }),
);
