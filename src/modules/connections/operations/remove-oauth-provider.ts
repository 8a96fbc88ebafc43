import type { AfterCommitContext } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { workspaceId } from '#modules/accounts';
import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import type { Clients } from '../clients/clients.ts';
import { buildClientChanged, buildConnectionChanged } from '../events.ts';
import { readRevocation, revokeAtProvider, type Revocation } from '../tokens/revoke.ts';
import { endConnection, listLinked } from '../store/connections.ts';
import { deleteProviderConfig, lockProviderConfig } from '../store/provider-configs.ts';

/** How many accounts are revoked at the same time. */
const atOnce = 8;

const output = z.object({
  provider: z.string(),
  accounts_ended: z.number().int(),
  ended_at_provider: z.number().int().describe('How many were revoked at the provider.'),
  own_page: z
    .object({ label: z.string(), url: uri() })
    .nullable()
    .describe('Where people can revoke the others themselves.'),
});

type Options = { clients: Clients; vault: Vault; egress: Egress };

export function removeOauthProvider(options: Options) {
  return defineOperation({
    name: 'remove_oauth_provider',
    summary: "Remove the workspace's OAuth client at a provider, or a custom provider.",
    toolset: 'accounts',
    effect: 'write',
    isDestructive: true,
    access: { scope: 'workspace:admin', isForPeople: true },
    rest: [
      { method: 'DELETE', path: '/v1/oauth-provider-configs/{provider}' },
      { method: 'DELETE', path: '/api/workspaces/{workspace_id}/oauth-provider-configs/{provider}' },
    ],
    input: z.strictObject({
      provider: z.string().min(1).max(60),
      end_accounts: z
        .boolean()
        .default(false)
        .describe('Also unlink its accounts, here and at the provider. Their people must link them again.'),
      workspace_id: workspaceId.optional(),
    }),
    aliases: { wId: 'workspace_id', providerConfigId: 'provider' },
    output,
    errors: ['forbidden', 'not_found', 'conflict'],
    examples: [{ title: 'A provider you no longer use', input: { provider: 'gitea' } }],
    async run(ctx, { provider, end_accounts }) {
      const row = await lockProviderConfig(ctx.db, provider);
      if (!row) throw new AppError('not_found', `This workspace has no OAuth client at ${provider}.`);
      const linked = await listLinked(ctx.db, provider);
      if (linked.length && !end_accounts) throw createProviderInUseError(provider, linked.length);
      const reason = `The OAuth client that ${row.label ?? provider} was linked with was removed. Link it again.`;
      const ended: (Revocation | null)[] = [];
      for (const account of linked) {
        ended.push(await readRevocation(options, ctx.db, account));
        await endConnection(ctx.db, account.id, { status: 'reconnect_needed', reason, lease: null, at: ctx.now });
        await ctx.emit(buildConnectionChanged(account));
      }
      await deleteProviderConfig(ctx.db, provider);
      await ctx.emit(buildClientChanged(provider));
      return ended;
    },

    async afterCommit(ctx, ended, { provider }) {
      const ended_at_provider = await endAll(options, ctx, ended);
      const ownPage = ended[0]?.provider.ownPage ?? null;
      const own_page = ended_at_provider < ended.length ? ownPage : null;
      return { provider, accounts_ended: ended.length, ended_at_provider, own_page };
    },
  });
}

/** Revokes every account at the provider. Returns how many revocations succeeded. */
async function endAll(
  { egress }: Options,
  ctx: AfterCommitContext,
  ended: readonly (Revocation | null)[],
): Promise<number> {
  const end = async (ending: Revocation | null) =>
    ending !== null && (await revokeAtProvider(egress, ending)).isRevoked;
  let revoked = 0;
  for (let done = 0; done < ended.length; done += atOnce) {
    ctx.progress(done, ended.length, `Unlinking account ${done + 1} of ${ended.length}`);
    const isRevoked = await Promise.all(ended.slice(done, done + atOnce).map(end));
    revoked += isRevoked.filter(Boolean).length;
  }
  return revoked;
}

function createProviderInUseError(provider: string, accounts: number): AppError {
  return new AppError(
    'conflict',
    `${accounts} ${accounts === 1 ? 'account is' : 'accounts are'} linked with it. Unlink them first, or repeat with end_accounts.`,
    { provider, accounts },
  );
}
