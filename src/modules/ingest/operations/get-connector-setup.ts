import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { products, buildSetups, tokenPlace } from '../setups.ts';

export function getConnectorSetup({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'get_connector_setup',
    summary:
      "Get the text to copy into Make, Zapier, n8n or a script, so that it sends texts here with a connector's token.",
    toolset: 'ingest',
    effect: 'read',
    access: { scope: 'connectors:read', isForPeople: true },
    rest: [{ method: 'GET', path: '/v1/connector-setup' }],
    input: z.strictObject({ product: z.enum(products).optional().describe('Default: all.') }),
    output: z.object({
      token_place: z.string().describe('The placeholder for the token.'),
      setups: z.array(
        z.object({ product: z.enum(products), title: z.string(), steps: z.array(z.string()), copy: z.string() }),
      ),
    }),
    errors: [],
    examples: [{ title: 'For Make', input: { product: 'make' } }],
    async run(_ctx, { product }) {
      const all = buildSetups(`${publicUrl}/v1/ingest`);
      return {
        token_place: tokenPlace,
        setups: all.filter((each) => product === undefined || each.product === product),
      };
    },
  });
}
