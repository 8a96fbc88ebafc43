import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { z } from 'zod';
import { connectorConfig, connectorName, connectorOutput } from '../connector-fields.ts';
import { allowBrain, mergeConnectorConfig, presentConnector } from '../connector.ts';
import { connectorId } from '../ids.ts';
import { lockConnector, updateConnector } from '../store/connectors.ts';
import { listTokens } from '../store/tokens.ts';

export const configureConnector = defineOperation({
  name: 'configure_connector',
  summary: 'Change where a connector writes: its brains, its default brain, and the brains of channels.',
  toolset: 'ingest',
  effect: 'write',
  isWidening: true,
  access: {
    scope: 'connectors:write',
    brain: { role: 'editor', of: 'brain_id', whenAbsent: 'allow' },
    isForPeople: true,
  },
  rest: [{ method: 'PUT', path: '/v1/connectors/{connector_id}' }],
  aliases: { config: 'connector_config', id: 'connector_id' },
  input: z.strictObject({
    connector_id: connectorId,
    name: connectorName.optional(),
    brain_id: brainId.optional(),
    connector_config: connectorConfig.optional().describe('Absent fields stay as they are.'),
  }),
  output: connectorOutput,
  errors: ['not_found', 'forbidden', 'invalid_input'],
  examples: [
    {
      title: 'Drop a channel',
      input: {
        connector_id: createExampleId('connector'),
        connector_config: { channel_mappings: { '#random': null } },
      },
    },
  ],
  async run(ctx, { connector_id, name, brain_id, connector_config = {} }) {
    const before = await lockConnector(ctx.db, connector_id);
    const home = brain_id ?? before.brain_id;
    const changed = await mergeConnectorConfig(ctx, before.config, connector_config, home);
    const config = allowBrain(changed, home, 'brain_id');
    const change = { ...(name !== undefined && { name }), brain_id: home, config };
    await updateConnector(ctx.db, connector_id, { ...change, at: ctx.now });
    const tokens = await listTokens(ctx.db, [connector_id]);
    return presentConnector({ ...before, ...change }, tokens.get(connector_id));
  },
});
