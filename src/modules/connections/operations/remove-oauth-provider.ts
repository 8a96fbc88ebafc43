import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { workspaceId } from '#modules/accounts';
import { z } from 'zod';
import { clientChanged, connectionChanged } from '../events.ts';
import { endConnection, listLinked } from '../store/connections.ts';
import { deleteProviderConfig, holdProviderConfig } from '../store/provider-configs.ts';

export function removeOauthProvider() {
  return defineOperation({
    name: 'remove_oauth_provider',
    summary: "Remove the workspace's OAuth client at a provider, and the provider itself when it is of your own.",
    toolset: 'accounts',
    effect: 'write',
    isDestructive: true,
    access: { scope: 'workspace:admin' },
    rest: [
      { method: 'DELETE', path: '/v1/oauth-provider-configs/{provider}' },
      { method: 'DELETE', path: '/api/workspaces/{workspace_id}/oauth-provider-configs/{provider}' },
    ],
    input: z.strictObject({
      provider: z.string().min(1).max(60),
      end_accounts: z
        .boolean()
        .default(false)
        .describe('Also forgets the tokens of accounts that were linked with it; their people link them again.'),
      workspace_id: workspaceId.optional(),
    }),
    aliases: { wId: 'workspace_id', providerConfigId: 'provider' },
    output: z.object({ provider: z.string(), accounts_ended: z.number().int() }),
    errors: ['forbidden', 'not_found', 'conflict'],
    examples: [{ title: 'A provider that is no longer used', input: { provider: 'gitea' } }],
    async run(ctx, { provider, end_accounts }) {
      const row = await holdProviderConfig(ctx.db, provider);
      if (!row) throw new AppError('not_found', `This workspace has no OAuth client at ${provider}.`);
      const linked = await listLinked(ctx.db, provider);
      if (linked.length && !end_accounts) throw inUse(provider, linked.length);
      const reason = `The OAuth client that ${row.label ?? provider} was linked with was removed. Link it again.`;
      for (const account of linked) {
        await endConnection(ctx.db, account.id, { status: 'reconnect_needed', reason, lease: null, at: ctx.now });
        await ctx.emit(connectionChanged(account, 'reconnect_needed'));
      }
      await deleteProviderConfig(ctx.db, provider);
      await ctx.emit(clientChanged(provider));
      return { provider, accounts_ended: linked.length };
    },
  });
}

function inUse(provider: string, accounts: number): AppError {
  return new AppError(
    'conflict',
    `${accounts} ${accounts === 1 ? 'account is' : 'accounts are'} linked with it. Have them unlinked first, or repeat with end_accounts.`,
    { provider, accounts },
  );
}
