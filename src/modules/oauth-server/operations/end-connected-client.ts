import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { connectedClientId } from '../ids.ts';
import { endGrant } from '../store/grants.ts';

export const endConnectedClient = defineOperation({
  name: 'end_connected_client',
  summary: 'Disconnect a client; every server process refuses its tokens within a second.',
  toolset: 'accounts',
  effect: 'write',
  isDestructive: true,
  access: { scope: 'keys:write', isForPeople: true },
  rest: [{ method: 'DELETE', path: '/v1/connected_clients/{id}' }],
  input: z.strictObject({ id: connectedClientId }),
  output: z.object({ id: z.uuid(), ended: z.literal(true) }),
  errors: ['forbidden', 'not_found'],
  examples: [{ title: 'A laptop that was sold', input: { id: createExampleId('connected_client') } }],
  async run(ctx, { id }) {
    await endGrant(ctx.db, { id, reason: 'person', at: ctx.now });
    return { id, ended: true as const };
  },
});
