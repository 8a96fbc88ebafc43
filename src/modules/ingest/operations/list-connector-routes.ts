import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { routeOutput } from '../connector-fields.ts';
import { connectorId } from '../ids.ts';
import { listRoutes } from '../store/connectors.ts';

export const listConnectorRoutes = defineOperation({
  name: 'list_connector_routes',
  summary: 'List the routes of a connector: which sender, channel, domain or keyword goes to which brain.',
  toolset: 'ingest',
  effect: 'read',
  access: { scope: 'connectors:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/connectors/{connector_id}/routes' }],
  aliases: { id: 'connector_id' },
  input: z.strictObject({ connector_id: connectorId }),
  output: z.object({ routes: z.array(routeOutput) }),
  errors: ['not_found'],
  examples: [{ title: 'Of one connector', input: { connector_id: createExampleId('connector') } }],
  async run(ctx, { connector_id }) {
    const routes = await listRoutes(ctx.db, connector_id);
    return {
      routes: routes.map(({ id, signal_type, signal_value, target_brain_id }) => ({
        route_id: id,
        signal_type,
        signal_value,
        target_brain_id,
      })),
    };
  },
});
