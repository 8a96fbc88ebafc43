import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { brainId } from '#modules/brains';
import { webhookConnectorId } from '#modules/webhooks';
import { z } from 'zod';
import { destinationId } from '../ids.ts';
import { listRoutes } from '../store/destinations.ts';
import { formats, sourceKinds } from '../store/tables.ts';

export const listOutputRoutes = defineOperation({
  name: 'list_output_routes',
  summary: 'List routes with their filters and approval status.',
  toolset: 'webhooks',
  effect: 'read',
  access: { scope: 'connectors:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/output-routes' }],
  input: z.strictObject({
    output_source_id: webhookConnectorId.optional(),
    output_source_brain_id: brainId.optional(),
    output_destination_id: destinationId.optional(),
  }),
  output: z.object({
    routes: z.array(
      z.object({
        output_route_id: z.uuid(),
        output_source_kind: z.enum(sourceKinds),
        output_source_id: z.uuid().nullable().describe('The webhook connector, if the source is one.'),
        output_source_brain_id: z.uuid().nullable().describe('The brain, if the source is one.'),
        output_destination_id: z.uuid(),
        output_payload_format: z.enum(formats),
        output_type_filter: z.string().nullable(),
        output_tag_filter: z.array(z.string()),
        status: z.enum(['waiting', 'active', 'detached']),
        created_at: z.iso.datetime(),
      }),
    ),
  }),
  errors: ['not_found'],
  examples: [{ title: 'Of one destination', input: { output_destination_id: createExampleId('output_destination') } }],
  async run(ctx, { output_source_id, output_source_brain_id, output_destination_id }) {
    const of = {
      ...(output_source_id && { source_id: output_source_id }),
      ...(output_source_brain_id && { brain_id: output_source_brain_id }),
      ...(output_destination_id && { destination_id: output_destination_id }),
    };
    const rows = await listRoutes(ctx.db, ctx.caller, of);
    return {
      routes: rows.map((row) => ({
        output_route_id: row.id,
        output_source_kind: row.source_kind,
        output_source_id: row.source_id,
        output_source_brain_id: row.brain_id,
        output_destination_id: row.destination_id,
        output_payload_format: row.format,
        output_type_filter: row.type_filter,
        output_tag_filter: row.tag_filter,
        status: row.state,
        created_at: row.created_at.toISOString(),
      })),
    };
  },
});
