import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { connectorOutput } from '../connector-fields.ts';
import { presentConnector } from '../connector.ts';
import { listVisibleConnectors } from '../ids.ts';
import { listTokens } from '../store/tokens.ts';

export const listConnectors = defineOperation({
  name: 'list_connectors',
  summary: 'List your connectors: the systems that send here, their brains, and their last use.',
  toolset: 'ingest',
  effect: 'read',
  access: { scope: 'connectors:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/connectors' }],
  input: z.strictObject({}),
  output: z.object({ connectors: z.array(connectorOutput) }),
  errors: [],
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const rows = await listVisibleConnectors(ctx.db, ctx.caller);
    const tokens = await listTokens(
      ctx.db,
      rows.map(({ id }) => id),
    );
    return { connectors: rows.map((row) => presentConnector(row, tokens.get(row.id))) };
  },
});
