import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { destinationOutput, presentDestination } from '../destination.ts';
import { listDestinations } from '../store/destinations.ts';

export const listOutputDestinations = defineOperation({
  name: 'list_output_destinations',
  summary: 'List destinations with their status.',
  toolset: 'webhooks',
  effect: 'read',
  access: { scope: 'connectors:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/output-destinations' }],
  input: z.strictObject({}),
  output: z.object({ destinations: z.array(destinationOutput) }),
  errors: [],
  examples: [{ title: 'All', input: {} }],
  run: async (ctx) => ({ destinations: (await listDestinations(ctx.db, ctx.caller)).map(presentDestination) }),
});
