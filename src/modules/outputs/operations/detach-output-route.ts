import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { routeId } from '../ids.ts';
import { failWaiting } from '../store/deliveries.ts';
import { updateRoute } from '../store/destinations.ts';

export const detachOutputRoute = defineOperation({
  name: 'detach_output_route',
  summary: 'Detach a route: nothing more is sent along it, not even waiting deliveries.',
  toolset: 'webhooks',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'connectors:write', isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/output-routes/{output_route_id}' }],
  aliases: { id: 'output_route_id' },
  input: z.strictObject({ output_route_id: routeId }),
  output: z.object({ detached: z.literal(true), output_route_id: z.uuid() }),
  errors: ['not_found'],
  examples: [{ title: 'No longer needed', input: { output_route_id: createExampleId('output_route') } }],
  async run(ctx, { output_route_id }) {
    await updateRoute(ctx.db, output_route_id, 'detached');
    await failWaiting(ctx.db, { route_id: output_route_id }, 'The route was detached.');
    return { detached: true as const, output_route_id };
  },
});
