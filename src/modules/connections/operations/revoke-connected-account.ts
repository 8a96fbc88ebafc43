import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { workspaceId } from '#modules/accounts';
import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import type { Clients } from '../clients/clients.ts';
import { buildConnectionChanged } from '../events.ts';
import { connectionId } from '../ids.ts';
import { checkMayChange } from '../accounts/ownership.ts';
import { readRevocation, revokeAtProvider, type Revocation } from '../tokens/revoke.ts';
import { endConnection, findConnection } from '../store/connections.ts';

const output = z.object({
  connection_id: z.uuid(),
  revoked: z.literal(true),
  revoked_at_provider: z.boolean().describe('False: it could not be revoked at the provider; see message.'),
  message: z.string(),
  own_page: z
    .object({ label: z.string(), url: uri() })
    .nullable()
    .describe('Where the person can revoke the access at the provider, if this server could not.'),
});

/** The data for revoking at the provider. Null: the provider is no longer configured. */
type EndedConnection = { ending: Revocation | null };

export function revokeConnectedAccount(options: { clients: Clients; vault: Vault; egress: Egress }) {
  const { egress } = options;
  return defineOperation({
    name: 'revoke_connected_account',
    summary: 'Unlink an account: its tokens are deleted here and revoked at the provider.',
    toolset: 'accounts',
    effect: 'write',
    isDestructive: true,
    access: { scope: 'connections:delete', isForPeople: true },
    rest: [
      { method: 'DELETE', path: '/v1/connected-accounts/{connection_id}' },
      { method: 'DELETE', path: '/api/workspaces/{workspace_id}/connected-accounts/{connection_id}' },
    ],
    input: z.strictObject({ connection_id: connectionId, workspace_id: workspaceId.optional() }),
    aliases: { wId: 'workspace_id', accountId: 'connection_id' },
    output,
    errors: ['not_found', 'forbidden'],
    examples: [{ title: 'Unlink a mailbox', input: { connection_id: createExampleId('connection') } }],

    async run(ctx, { connection_id }): Promise<EndedConnection> {
      const row = await findConnection(ctx.db, connection_id);
      if (!row) throw new Error('a connection that was just found is missing');
      checkMayChange(ctx.caller, row);
      const ending = await readRevocation(options, ctx.db, row);
      const reason = `${row.account} was unlinked.`;
      await endConnection(ctx.db, row.id, { status: 'revoked', reason, lease: null, at: ctx.now });
      await ctx.emit(buildConnectionChanged(row));
      return { ending };
    },

    async afterCommit(_ctx, { ending }, { connection_id }) {
      const { isRevoked, ownPage } = ending
        ? await revokeAtProvider(egress, ending)
        : { isRevoked: false, ownPage: null };
      const forgotten = 'Its tokens are deleted here';
      const where = ownPage ? ` Revoke it there too: ${ownPage.label}, ${ownPage.url}` : '';
      const message = isRevoked
        ? `${forgotten}, and ${ending?.provider.label} revoked them.`
        : `${forgotten}. ${ending?.provider.label ?? 'The provider'} could not be reached.${where}`;
      return { connection_id, revoked: true as const, revoked_at_provider: isRevoked, message, own_page: ownPage };
    },
  });
}
