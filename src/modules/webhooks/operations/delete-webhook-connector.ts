import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { webhookConnectorChanged } from '../events.ts';
import { webhookConnectorId } from '../ids.ts';
import type { KnownConnectors } from '../intake/known-connectors.ts';
import { lockConnector, updateConnector } from '../store/connectors.ts';

export function deleteWebhookConnector({ known }: { known: KnownConnectors }) {
  return defineOperation({
    name: 'delete_webhook_connector',
    summary: 'Delete a webhook connector. Its address answers 410; its documents and events stay.',
    toolset: 'webhooks',
    effect: 'write',
    isDestructive: true,
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'DELETE', path: '/v1/webhook-connectors/{webhook_connector_id}' }],
    aliases: { connector_id: 'webhook_connector_id', id: 'webhook_connector_id' },
    input: z.strictObject({ webhook_connector_id: webhookConnectorId }),
    output: z.object({ deleted: z.literal(true), webhook_connector_id: z.uuid() }),
    errors: ['not_found'],
    examples: [{ title: 'No longer needed', input: { webhook_connector_id: createExampleId('webhook_connector') } }],
    async run(ctx, { webhook_connector_id: id }) {
      const { person_id: personId } = await lockConnector(ctx.db, id);
      await updateConnector(ctx.db, id, { state: 'deleted', slug: null, sealed_slug: null, updated_at: ctx.now });
      known.forget(id);
      await ctx.emit(webhookConnectorChanged({ webhook_connector_id: id, state: 'deleted' }, { personId }));
      return { deleted: true as const, webhook_connector_id: id };
    },
  });
}
