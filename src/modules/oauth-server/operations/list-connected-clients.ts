import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { connectedClientShape, toConnectedClients } from '../clients/connected-client.ts';
import { getVisibleClientOwner } from '../ids.ts';
import { listGrants, listReused } from '../store/grants.ts';

/** How long a client that lost its access is still listed, with the reason. */
const endedDays = 30;

export const listConnectedClients = defineOperation({
  name: 'list_connected_clients',
  summary:
    'List the clients that people connected by OAuth, with their permissions and last use; at the end, those that were disconnected because a token was used twice.',
  toolset: 'accounts',
  effect: 'read',
  access: { scope: 'keys:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/connected_clients' }],
  input: z.strictObject({}),
  output: z.object({ clients: z.array(connectedClientShape) }),
  errors: ['forbidden'],
  examples: [{ title: 'Which clients are connected?', input: {} }],
  async run(ctx) {
    const of = getVisibleClientOwner(ctx.caller);
    const since = new Date(ctx.now.getTime() - endedDays * 86_400_000);
    const grants = [...(await listGrants(ctx.db, of, ctx.now)), ...(await listReused(ctx.db, of, since))];
    return { clients: await toConnectedClients(ctx.db, grants) };
  },
});
