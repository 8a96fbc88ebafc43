import { AppError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { routeOutput, routeSignals } from '../connector-fields.ts';
import { allowBrain } from '../connector.ts';
import { connectorId } from '../ids.ts';
import { countRoutes, lockConnector, putRoute, updateConnector } from '../store/connectors.ts';

const mostRoutes = 500;

export const addConnectorRoute = defineOperation({
  name: 'add_connector_route',
  summary: 'Add a route: items with a certain sender, channel, mail domain or keyword go to a brain without scoring.',
  toolset: 'ingest',
  effect: 'write',
  access: { scope: 'connectors:write', brain: { role: 'editor', of: 'target_brain_id' }, isForPeople: true },
  rest: [{ method: 'POST', path: '/v1/connectors/{connector_id}/routes' }],
  aliases: { id: 'connector_id' },
  input: z.strictObject({
    connector_id: connectorId,
    signal_type: z.enum(routeSignals),
    signal_value: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .describe('Such as ada@example.com, #sales, example.com or invoice.'),
    target_brain_id: brainId,
  }),
  output: routeOutput,
  errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
  examples: [
    {
      title: 'Everything from one sender',
      input: {
        connector_id: createExampleId('connector'),
        signal_type: 'sender',
        signal_value: 'ceo@example.com',
        target_brain_id: createExampleId('brain'),
      },
    },
  ],
  async run(ctx, { connector_id, ...route }) {
    const connector = await lockConnector(ctx.db, connector_id);
    const config = allowBrain(connector.config, route.target_brain_id, 'target_brain_id');
    if (config !== connector.config) await updateConnector(ctx.db, connector_id, { config, at: ctx.now });
    if ((await countRoutes(ctx.db, connector_id)) >= mostRoutes)
      throw new AppError('conflict', `A connector has at most ${mostRoutes} routes. Delete some first.`);
    const row = { id: ctx.newId(), workspace_id: ctx.caller.workspaceId, connector_id, created_at: ctx.now };
    return { route_id: await putRoute(ctx.db, { ...row, ...route }), ...route };
  },
});
