import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { readPastedSecret } from '#kernel/pasted-secret';
import { defineOperation } from '#kernel/operation';
import { workspaceId } from '#modules/accounts';
import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { buildClientSecretColumn, type Clients } from '../clients/clients.ts';
import { buildClientChanged } from '../events.ts';
import { configFields, hasNewTokenAddress, hasNewSecretAddress, mergeSettings } from '../clients/provider-config.ts';
import { listLinked } from '../store/connections.ts';
import { lockProviderConfig, upsertProviderConfig, type ConfigRow } from '../store/provider-configs.ts';

const input = z.strictObject({
  provider: z
    .string()
    .max(60)
    .regex(/^[a-z][a-z0-9_-]*$/, 'must be lower-case letters, digits, - and _')
    .describe('A name from list_provider_configs, or a new one.'),
  client_id: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Default: the stored one stays. A custom provider may be described before it has one.'),
  client_secret: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .describe('Default: the stored one stays. A public client has none.'),
  ...configFields,
  workspace_id: workspaceId.optional(),
});
type Input = z.output<typeof input>;

const output = z.object({
  provider: z.string(),
  client_id: z.string().nullable(),
  is_configured: z.boolean().describe('Whether accounts can be linked: its client is set up.'),
  redirect_uri: uri().describe('Enter this at the provider as an authorized redirect URI.'),
});

export function configureOauthProvider(options: { clients: Clients; vault: Vault; egress: Egress }) {
  const { clients } = options;
  return defineOperation({
    name: 'configure_oauth_provider',
    summary:
      "Set or rotate the workspace's OAuth client at a provider, or describe a custom provider. This links no account: each person links their own.",
    toolset: 'accounts',
    effect: 'write',
    isWidening: true,
    access: { scope: 'workspace:admin', isForPeople: true },
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
      displayName: 'label',
      authorizationUrl: 'authorization_url',
      tokenUrl: 'token_url',
      tokenAuthMethod: 'token_auth_method',
      defaultAuthorizationParams: 'authorization_params',
      defaultTokenParams: 'token_params',
    },
    output,
    errors: ['forbidden', 'invalid_input', 'conflict'],
    examples: [
      {
        title: 'Google',
        input: { provider: 'google', client_id: '1234.apps.googleusercontent.com', client_secret: 'GOCSPX-EXAMPLE' },
      },
      {
        title: 'A custom provider',
        input: {
          provider: 'gitea',
          label: 'Our Gitea',
          authorization_url: 'https://git.example.com/login/oauth/authorize',
          token_url: 'https://git.example.com/login/oauth/access_token',
          userinfo_url: 'https://git.example.com/login/oauth/userinfo',
          scopes: ['openid', 'email', 'read:repository'],
          client_id: '8a7f',
          client_secret: 'gto_EXAMPLE',
        },
      },
    ],
    async run(ctx, asked) {
      const row = await buildConfigRow(options, ctx, asked);
      await upsertProviderConfig(ctx.db, row);
      await ctx.emit(buildClientChanged(row.provider));
      const { provider, client_id } = row;
      return { provider, client_id, is_configured: client_id !== null, redirect_uri: clients.redirectUri };
    },
  });
}

/** The secret is never returned, so changing the addresses does not reveal it. */
const secretAnew = 'client_secret: enter it again, because the addresses it is sent to change';

type ConfigureProviderDeps = { clients: Clients; vault: Vault; egress: Egress };

/** The new row. People linked accounts for the present addresses, so these cannot change while accounts exist. */
async function buildConfigRow(
  { clients, vault, egress }: ConfigureProviderDeps,
  ctx: Context,
  asked: Input,
): Promise<ConfigRow> {
  const { provider, workspace_id: _ours, client_id: _id, client_secret: _secret, ...given } = asked;
  const [client_id, client_secret] = [readPastedField(asked, 'client_id'), readPastedField(asked, 'client_secret')];
  const { workspaceId, personId } = ctx.caller;
  const stored = await lockProviderConfig(ctx.db, provider);
  const listed = clients.listed.find(({ name }) => name === provider);
  const said = mergeSettings(provider, given, { stored, listed, checkUrl: (url) => egress.check(url) });
  if (stored && hasNewTokenAddress(stored, said)) await checkUnlinked(ctx, provider);
  if (stored?.client_secret && !client_secret && hasNewSecretAddress(stored, said))
    throw new AppError('invalid_input', secretAnew);
  const clientId = client_id ?? stored?.client_id ?? null;
  if (!clientId && (listed || client_secret)) throw new AppError('invalid_input', 'client_id: required but missing');
  const sealed = client_secret
    ? await vault.seal(ctx.db, buildClientSecretColumn(workspaceId, provider), client_secret)
    : (stored?.client_secret ?? null);
  if (clientId && !sealed && needsSecret(listed, said))
    throw new AppError('invalid_input', 'client_secret: required but missing');
  return {
    ...said,
    workspace_id: workspaceId,
    provider,
    client_id: clientId,
    client_secret: sealed,
    created_at: stored?.created_at ?? ctx.now,
    configured_at: client_id || client_secret ? ctx.now : (stored?.configured_at ?? null),
    updated_by: personId,
    updated_at: ctx.now,
  };
}

function readPastedField(asked: Input, field: 'client_id' | 'client_secret'): string | undefined {
  const pasted = asked[field];
  return pasted === undefined ? undefined : readPastedSecret(pasted, { field, hasNoQuotes: true }).value;
}

/** A client without a secret needs PKCE, where the provider supports it. */
function needsSecret(
  listed: Clients['listed'][number] | undefined,
  said: Pick<ConfigRow, 'token_auth_method'>,
): boolean {
  if (said.token_auth_method) return said.token_auth_method === 'client_secret_basic';
  return listed?.oauth?.tokenAuthMethod !== 'none' && !listed?.oauth?.usesPkce;
}

async function checkUnlinked(ctx: Context, provider: string): Promise<void> {
  const { length } = await listLinked(ctx.db, provider);
  if (!length) return;
  throw new AppError(
    'conflict',
    `${length} linked ${length === 1 ? 'account' : 'accounts'} of ${provider} would then send tokens to other addresses. Set up the new addresses under another name, or remove this provider first.`,
    { provider, accounts: length },
  );
}
