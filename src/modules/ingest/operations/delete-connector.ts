import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { connectorId } from '../ids.ts';
import { deleteConnectorRow } from '../store/connectors.ts';

export const deleteConnector = defineOperation({
  name: 'delete_connector',
  summary: 'Delete a connector with its routes and its token. Its items stay.',
  toolset: 'ingest',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'connectors:write', isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/connectors/{connector_id}' }],
  aliases: { id: 'connector_id' },
  input: z.strictObject({ connector_id: connectorId }),
  output: z.object({ deleted: z.literal(true), connector_id: z.uuid() }),
  errors: ['not_found'],
  examples: [{ title: 'No longer needed', input: { connector_id: createExampleId('connector') } }],
  async run(ctx, { connector_id }) {
    await deleteConnectorRow(ctx.db, connector_id);
    return { deleted: true as const, connector_id };
  },
});
