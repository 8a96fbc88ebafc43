import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { connectorOutput } from '../connector-fields.ts';
import { presentConnector } from '../connector.ts';
import { outcomes } from '../outcomes.ts';
import { findVersions, listConnectors } from '../store/connectors.ts';
import { readActivity } from '../store/events.ts';

const dayMs = 24 * 60 * 60 * 1_000;

const listed = connectorOutput.extend({
  last_event_at: z.iso.datetime().nullable(),
  last_outcome: z.enum(outcomes).nullable(),
  failures_last_day: z.number().int().describe('Events of the last 24 hours that failed or were refused.'),
});

export function listWebhookConnectors({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'list_webhook_connectors',
    summary: 'List webhook connectors with their addresses, states, versions and last events.',
    toolset: 'webhooks',
    effect: 'read',
    access: { scope: 'connectors:read', isForPeople: true },
    rest: [{ method: 'GET', path: '/v1/webhook-connectors' }],
    input: z.strictObject({}),
    output: z.object({ webhook_connectors: z.array(listed) }),
    errors: [],
    examples: [{ title: 'All', input: {} }],
    async run(ctx) {
      const rows = await listConnectors(ctx.db, ctx.caller);
      const ids = rows.flatMap(({ head_version_id, active_version_id }) =>
        [head_version_id, active_version_id ?? []].flat(),
      );
      const versions = await findVersions(ctx.db, ids);
      const activity = await readActivity(
        ctx.db,
        rows.map(({ id }) => id),
        new Date(ctx.now.getTime() - dayMs),
      );
      return {
        webhook_connectors: rows.flatMap((row) => {
          const head = versions.get(row.head_version_id);
          if (!head) return [];
          const { last_event_at, last_outcome = null, failures = 0 } = activity.get(row.id) ?? {};
          return {
            ...presentConnector(row, head, versions.get(row.active_version_id ?? ''), publicUrl),
            last_event_at: last_event_at?.toISOString() ?? null,
            last_outcome,
            failures_last_day: failures,
          };
        }),
      };
    },
  });
}
