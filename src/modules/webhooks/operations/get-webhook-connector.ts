import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import { connectorOutput } from '../connector-fields.ts';
import { presentAddress } from '../connector-address.ts';
import { presentConnector } from '../connector.ts';
import { webhookConnectorId } from '../ids.ts';
import { listSetupSteps } from '../setup-steps.ts';
import { githubStarter } from '../starters/github.ts';
import { findConnector, listVersions } from '../store/connectors.ts';

export function getWebhookConnector(deps: { publicUrl: string; vault: Vault }) {
  return defineOperation({
    name: 'get_webhook_connector',
    summary: 'Show a webhook connector with its translator, its versions and the setup steps for the sender.',
    toolset: 'webhooks',
    effect: 'read',
    access: { scope: 'connectors:read', isForPeople: true },
    rest: [{ method: 'GET', path: '/v1/webhook-connectors/{webhook_connector_id}' }],
    aliases: { connector_id: 'webhook_connector_id', id: 'webhook_connector_id' },
    input: z.strictObject({ webhook_connector_id: webhookConnectorId }),
    output: connectorOutput.extend({
      translator_code: z.string().nullable(),
      starter_code: z.string().nullable().describe('A translator to start from, if there is one for the sender.'),
      setup_steps: z.array(z.string()),
      versions: z.array(
        z.object({
          version: z.number().int(),
          translator_code: z.string().nullable(),
          created_by: z.string(),
          created_at: z.iso.datetime(),
        }),
      ),
    }),
    errors: ['not_found'],
    examples: [{ title: 'One', input: { webhook_connector_id: createExampleId('webhook_connector') } }],
    async run(ctx, { webhook_connector_id }) {
      const connector = await findConnector(ctx.db, webhook_connector_id);
      const versions = await listVersions(ctx.db, webhook_connector_id);
      const head = versions.find(({ id }) => id === connector?.head_version_id);
      if (!connector || !head) throw new Error('the connector was found before');
      const active = versions.find(({ id }) => id === connector.active_version_id);
      const address = await presentAddress(ctx, deps, connector, [head, active]);
      return {
        ...presentConnector(connector, head, active, deps.publicUrl),
        ...address,
        translator_code: head.code,
        starter_code: head.provider === 'github' ? githubStarter : null,
        setup_steps: listSetupSteps(head, address.ingest_url ?? 'the address of this connector'),
        versions: versions.map(({ number, code, created_by_label, created_at }) => ({
          version: number,
          translator_code: code,
          created_by: created_by_label,
          created_at: created_at.toISOString(),
        })),
      };
    },
  });
}
