import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { connectorOutput } from '../connector-fields.ts';
import { presentConnector } from '../connector.ts';
import { findVersions, listConnectors } from '../store/connectors.ts';

export function listWebhookConnectors({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'list_webhook_connectors',
    summary: 'List webhook connectors: their addresses, states and versions.',
    toolset: 'webhooks',
    effect: 'read',
    access: { scope: 'connectors:read', isForPeople: true },
    rest: [{ method: 'GET', path: '/v1/webhook-connectors' }],
    input: z.strictObject({}),
    output: z.object({ webhook_connectors: z.array(connectorOutput) }),
    errors: [],
    examples: [{ title: 'All', input: {} }],
    async run(ctx) {
      const rows = await listConnectors(ctx.db, ctx.caller);
      const ids = rows.flatMap(({ head_version_id, active_version_id }) =>
        [head_version_id, active_version_id ?? []].flat(),
      );
      const versions = await findVersions(ctx.db, ids);
      return {
        webhook_connectors: rows.flatMap((row) => {
          const head = versions.get(row.head_version_id);
          return head ? presentConnector(row, head, versions.get(row.active_version_id ?? ''), publicUrl) : [];
        }),
      };
    },
  });
}
