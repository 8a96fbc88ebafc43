import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { destinationOutput, presentDestination } from '../destination.ts';
import { listDestinations } from '../store/destinations.ts';
import { mapDestinationHealth } from '../store/health.ts';

const dayMs = 24 * 60 * 60 * 1_000;

const listed = destinationOutput.extend({
  last_delivery_at: z.iso.datetime().nullable(),
  last_delivery_status: z.enum(['waiting', 'delivered', 'failed']).nullable(),
  waiting_deliveries: z.number().int(),
  failures_last_day: z.number().int().describe('Deliveries of the last 24 hours that failed permanently.'),
});

export const listOutputDestinations = defineOperation({
  name: 'list_output_destinations',
  summary: 'List destinations with their status and the success of deliveries.',
  toolset: 'webhooks',
  effect: 'read',
  access: { scope: 'connectors:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/output-destinations' }],
  input: z.strictObject({}),
  output: z.object({ destinations: z.array(listed) }),
  errors: [],
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const rows = await listDestinations(ctx.db, ctx.caller);
    const ids = rows.map(({ id }) => id);
    const health = await mapDestinationHealth(ctx.db, ids, new Date(ctx.now.getTime() - dayMs));
    return {
      destinations: rows.map((row) => {
        const { last_delivery_at, last_status = null, waiting = 0, failures = 0 } = health.get(row.id) ?? {};
        return {
          ...presentDestination(row),
          last_delivery_at: last_delivery_at?.toISOString() ?? null,
          last_delivery_status: last_status,
          waiting_deliveries: waiting,
          failures_last_day: failures,
        };
      }),
    };
  },
});
