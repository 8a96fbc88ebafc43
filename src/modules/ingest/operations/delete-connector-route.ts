import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { connectorId, routeId } from '../ids.ts';
import { deleteRoute } from '../store/connectors.ts';

export const deleteConnectorRoute = defineOperation({
  name: 'delete_connector_route',
  summary: 'Delete a route of a connector.',
  toolset: 'ingest',
  effect: 'write',
  access: { scope: 'connectors:write', isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/connectors/{connector_id}/routes/{route_id}' }],
  aliases: { id: 'connector_id' },
  input: z.strictObject({ connector_id: connectorId.optional(), route_id: routeId }),
  output: z.object({ deleted: z.literal(true), route_id: z.uuid() }),
  errors: ['not_found'],
  examples: [{ title: 'No longer wanted', input: { route_id: createExampleId('connector_route') } }],
  async run(ctx, { route_id }) {
    await deleteRoute(ctx.db, route_id);
    return { deleted: true as const, route_id };
  },
});
