import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { connectedClientShape, toConnectedClients } from '../connected-client.ts';
import { visibleTo } from '../ids.ts';
import { listGrants } from '../store/grants.ts';

export const listConnectedClients = defineOperation({
  name: 'list_connected_clients',
  summary: 'List the clients that people connected by OAuth, with what each may do and when it was last used.',
  toolset: 'accounts',
  effect: 'read',
  access: { scope: 'keys:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/connected_clients' }],
  input: z.strictObject({}),
  output: z.object({ clients: z.array(connectedClientShape) }),
  errors: ['forbidden'],
  examples: [{ title: 'Which clients are connected?', input: {} }],
  async run(ctx) {
    const grants = await listGrants(ctx.db, visibleTo(ctx.caller), ctx.now);
    return { clients: await toConnectedClients(ctx.db, grants) };
  },
});
