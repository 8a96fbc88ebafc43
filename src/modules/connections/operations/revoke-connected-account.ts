import { exampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { connectionChanged } from '../events.ts';
import { connectionId } from '../ids.ts';
import { revokeToken, type OAuthClient } from '../oauth-client.ts';
import { endConnection, findConnection } from '../store/connections.ts';

type Ended = { client: OAuthClient | null; token: string | null };

export function revokeConnectedAccount(options: { clients: Clients; vault: Vault; egress: Egress }) {
  const { clients, vault, egress } = options;
  return defineOperation({
    name: 'revoke_connected_account',
    summary: 'Unlink an account: its tokens are forgotten here and ended at the provider.',
    toolset: 'accounts',
    effect: 'write',
    isDestructive: true,
    access: { scope: 'connections:write' },
    rest: [{ method: 'DELETE', path: '/v1/connected-accounts/{connection_id}' }],
    input: z.strictObject({ connection_id: connectionId }),
    output: z.object({
      connection_id: z.uuid(),
      revoked: z.literal(true),
      revoked_at_provider: z
        .boolean()
        .describe('False: the provider could not be told; remove the access there by hand.'),
    }),
    errors: ['not_found'],
    examples: [{ title: 'Unlink a mailbox', input: { connection_id: exampleId('connection') } }],

    async run(ctx, { connection_id }): Promise<Ended> {
      const row = await findConnection(ctx.db, connection_id);
      if (!row) throw new Error('a connection that was resolved is not there');
      const column = row.refresh_token ? 'refresh_token' : 'access_token';
      const place = { workspaceId: row.workspace_id, table: 'connections', row: row.id, column };
      const sealed = row.refresh_token ?? row.access_token;
      const token = sealed && (await vault.open(ctx.db, place, sealed));
      await endConnection(ctx.db, row.id, `${row.account} was unlinked here.`, null, ctx.now);
      await ctx.emit(connectionChanged({ connection_id, status: 'revoked' }, { personId: row.person_id }));
      return { client: await clients.find(ctx.db, row.workspace_id, row.provider), token };
    },

    async settle(_ctx, { client, token }, { connection_id }) {
      const isTold =
        client && token
          ? await revokeToken(egress, client, token).then(
              () => true,
              () => false,
            )
          : false;
      return { connection_id, revoked: true as const, revoked_at_provider: isTold };
    },
  });
}
