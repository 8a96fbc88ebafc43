import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import type { Vault } from '#platform/vault';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { upsertProviderConfig } from '../store/oauth.ts';

export function configureOauthProvider({ clients, vault }: { clients: Clients; vault: Vault }) {
  return defineOperation({
    name: 'configure_oauth_provider',
    summary:
      "Set or rotate the workspace's OAuth client at a provider. Nobody's data is given away: each person links their own account.",
    toolset: 'accounts',
    effect: 'write',
    access: { scope: 'workspace:admin' },
    rest: [{ method: 'PATCH', path: '/v1/oauth-provider-configs/{provider}' }],
    input: z.strictObject({
      provider: z.string().min(1).max(60),
      client_id: z.string().trim().min(1).max(500),
      client_secret: z.string().trim().min(1).max(2_000),
    }),
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
      if (!clients.provider(provider))
        throw new AppError('invalid_input', `provider: there is no OAuth provider ${provider}.`);
      const { workspaceId, personId } = ctx.caller;
      const place = { workspaceId, table: 'provider_configs', row: provider, column: 'client_secret' };
      await upsertProviderConfig(ctx.db, {
        workspace_id: workspaceId,
        provider,
        client_id,
        client_secret: await vault.seal(ctx.db, place, client_secret),
        updated_by: personId,
        updated_at: ctx.now,
      });
      return { provider, client_id, redirect_uri: clients.redirectUri };
    },
  });
}
