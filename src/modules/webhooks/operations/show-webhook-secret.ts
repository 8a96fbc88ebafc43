import { isAtConsole } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import { webhookConnectorId } from '../ids.ts';
import { findVersion, lockConnector, updateConnector } from '../store/connectors.ts';
import { openSecret } from '../version-secret.ts';

export function showWebhookSecret({ vault }: { vault: Vault }) {
  return defineOperation({
    name: 'show_webhook_secret',
    summary:
      'Show the secret of a webhook connector once, to its owner at the console: created for an agent, or sent by Notion.',
    toolset: 'webhooks',
    effect: 'write',
    isWidening: true,
    hasSecretAnswer: true,
    access: { scope: 'connectors:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/webhook-connectors/{webhook_connector_id}/secret' }],
    aliases: { connector_id: 'webhook_connector_id', id: 'webhook_connector_id' },
    input: z.strictObject({ webhook_connector_id: webhookConnectorId }),
    output: z.object({ webhook_connector_id: z.uuid(), webhook_secret: z.string().describe('Shown only now.') }),
    errors: ['not_found', 'forbidden', 'conflict'],
    examples: [
      {
        title: 'After an agent created the connector',
        input: { webhook_connector_id: createExampleId('webhook_connector') },
      },
    ],
    async run(ctx, { webhook_connector_id: id }) {
      const connector = await lockConnector(ctx.db, id);
      if (!isAtConsole(ctx.caller) || connector.person_id !== ctx.caller.personId)
        throw new AppError('forbidden', 'The secret is shown only to the owner of the connector, at the console.');
      const secret = await openSecret(vault, ctx.db, await findVersion(ctx.db, connector.head_version_id));
      if (!connector.has_unread_secret || secret === null)
        throw new AppError('conflict', 'There is no secret to show. A secret is shown once. Set another one.');
      await updateConnector(ctx.db, id, { has_unread_secret: false, updated_at: ctx.now });
      return { webhook_connector_id: id, webhook_secret: secret };
    },
  });
}
