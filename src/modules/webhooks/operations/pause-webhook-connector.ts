import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { webhookConnectorChanged } from '../events.ts';
import { webhookConnectorId } from '../ids.ts';
import type { KnownConnectors } from '../intake/known-connectors.ts';
import { lockConnector, updateConnector } from '../store/connectors.ts';

export function pauseWebhookConnector({ known }: { known: KnownConnectors }) {
  return defineOperation({
    name: 'pause_webhook_connector',
    summary: 'Pause a webhook connector. Its address answers 503, so that senders retry after it is activated again.',
    toolset: 'webhooks',
    effect: 'write',
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/webhook-connectors/{webhook_connector_id}/pause' }],
    aliases: { connector_id: 'webhook_connector_id', id: 'webhook_connector_id' },
    input: z.strictObject({ webhook_connector_id: webhookConnectorId }),
    output: z.object({ webhook_connector_id: z.uuid(), status: z.literal('paused') }),
    errors: ['not_found'],
    examples: [{ title: 'During maintenance', input: { webhook_connector_id: createExampleId('webhook_connector') } }],
    async run(ctx, { webhook_connector_id: id }) {
      const { person_id: personId } = await lockConnector(ctx.db, id);
      await updateConnector(ctx.db, id, { state: 'paused', state_reason: null, updated_at: ctx.now });
      known.forget(id);
      await ctx.emit(webhookConnectorChanged({ webhook_connector_id: id, state: 'paused' }, { personId }));
      return { webhook_connector_id: id, status: 'paused' as const };
    },
  });
}
