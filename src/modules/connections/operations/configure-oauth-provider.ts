import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { workspaceId } from '#modules/accounts';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { clientChanged } from '../events.ts';
import { findProviderConfig, upsertProviderConfig } from '../store/oauth.ts';

const input = z.strictObject({
  provider: z.string().min(1).max(60),
  client_id: z.string().trim().min(1).max(500),
  client_secret: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .optional()
    .describe('Without it the one that is stored stays; a public client has none.'),
  workspace_id: workspaceId.optional(),
});

export function configureOauthProvider({ clients, vault }: { clients: Clients; vault: Vault }) {
  return defineOperation({
    name: 'configure_oauth_provider',
    summary:
      "Set or rotate the workspace's OAuth client at a provider. Nobody's data is given away: each person links their own account.",
    toolset: 'accounts',
    effect: 'write',
    access: { scope: 'workspace:admin' },
    rest: [
      { method: 'PATCH', path: '/v1/oauth-provider-configs/{provider}' },
      { method: 'PATCH', path: '/api/workspaces/{workspace_id}/oauth-provider-configs/{provider}' },
    ],
    input,
    aliases: {
      wId: 'workspace_id',
      providerConfigId: 'provider',
      clientId: 'client_id',
      clientSecret: 'client_secret',
    },
    output: z.object({
      provider: z.string(),
      client_id: z.string(),
      redirect_uri: z.url().describe('Enter this at the provider as an authorized redirect URI.'),
    }),
    errors: ['forbidden', 'invalid_input'],
    examples: [
      {
        title: 'Google',
        input: { provider: 'google', client_id: '1234.apps.googleusercontent.com', client_secret: 'GOCSPX-…' },
      },
    ],
    async run(ctx, { provider, client_id, client_secret }) {
      const facts = clients.provider(provider)?.oauth;
      if (!facts) throw new AppError('invalid_input', `provider: there is no OAuth provider ${provider}.`);
      const { workspaceId, personId } = ctx.caller;
      const place = { workspaceId, table: 'provider_configs', row: provider, column: 'client_secret' };
      const kept = (await findProviderConfig(ctx.db, provider))?.client_secret ?? null;
      const sealed = client_secret ? await vault.seal(ctx.db, place, client_secret) : kept;
      if (!sealed && facts.tokenAuthMethod !== 'none' && !facts.usesPkce) {
        throw new AppError('invalid_input', 'client_secret: required, and missing');
      }
      await upsertProviderConfig(ctx.db, {
        workspace_id: workspaceId,
        provider,
        client_id,
        client_secret: sealed,
        updated_by: personId,
        updated_at: ctx.now,
      });
      await ctx.emit(clientChanged(provider));
      return { provider, client_id, redirect_uri: clients.redirectUri };
    },
  });
}
