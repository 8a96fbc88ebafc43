import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { workspaceId } from '#modules/accounts';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import type { Clients, ProviderOfWorkspace } from '../clients/clients.ts';
import type { FindAccountHolders } from '../holders.ts';
import type { Provider } from '#kernel/provider';
import { listConnections } from '../store/connections.ts';

const config = z.object({
  provider: z.string(),
  label: z.string(),
  is_custom: z
    .boolean()
    .describe('Whether this workspace describes the provider itself, with configure_oauth_provider.'),
  api_hosts: z.array(z.string()).describe('Where tokens of its accounts may be sent, in addition to the hosts below.'),
  lacks: z
    .enum(['nothing', 'client', 'account'])
    .describe('client: an admin must set up an OAuth client first. account: you have no linked account that works.'),
  oauth: z
    .object({
      is_configured: z.boolean(),
      client_of: z.enum(['workspace', 'server', 'none']).describe('Whose OAuth client is used.'),
      client_id: z.string().nullable(),
      configured_at: z.iso.datetime().nullable(),
      authorization_url: uri(),
      token_url: uri(),
      token_auth_method: z.enum(['client_secret_post', 'client_secret_basic', 'none']),
      userinfo_url: uri().nullable().describe('The address that names the owner of an account.'),
      revocation_url: uri()
        .nullable()
        .describe('The address that revokes an access. Without a client, %7Bclient_id%7D stands for its id.'),
      authorization_params: z.record(z.string(), z.string()),
      token_params: z.record(z.string(), z.string()),
      scopes: z.array(z.string()).describe('Requested at every consent, in addition to what a source needs.'),
      redirect_uri: uri().describe('Enter this at the provider as an authorized redirect URI.'),
      setup_url: uri(),
      setup_steps: z.array(z.string()),
      lifetime_note: z.string().nullable(),
      can_revoke: z.boolean().describe('Whether this server can revoke an access at the provider.'),
    })
    .nullable()
    .describe('Null: no OAuth; a token is pasted.'),
  token: z
    .object({
      label: z.string(),
      url: uri().nullable(),
      steps: z.array(z.string()),
      fields: z.array(z.enum(['url', 'header'])),
      is_optional: z.boolean(),
    })
    .nullable()
    .describe('The token that a person may paste on the page; null: none.'),
  own_page: z.object({ label: z.string(), url: uri() }).nullable().describe("The provider's page to revoke an access."),
  accounts: z.number().int().describe('Number of accounts you can use.'),
  connect_url: uri().describe('The page where a person links an account or pastes a token.'),
});

type Options = { clients: Clients; publicUrl: string; findHolders: FindAccountHolders };

export function listProviderConfigs({ clients, publicUrl, findHolders }: Options) {
  return defineOperation({
    name: 'list_provider_configs',
    summary: 'List the providers: how each is linked, whether its OAuth client is set up, and the redirect URI.',
    toolset: 'accounts',
    effect: 'read',
    access: { scope: 'connections:read' },
    rest: [
      { method: 'GET', path: '/v1/oauth-provider-configs' },
      { method: 'GET', path: '/api/workspaces/{workspace_id}/oauth-provider-configs' },
    ],
    input: z.strictObject({ workspace_id: workspaceId.optional() }),
    aliases: { wId: 'workspace_id' },
    output: z.object({ providers: z.array(config) }),
    errors: ['not_found'],
    examples: [
      { title: 'Which providers can be linked?', input: {} },
      { title: 'Of a workspace', input: { workspace_id: createExampleId('workspace') } },
    ],
    async run({ db, caller }) {
      const rows = await listConnections(db, await findHolders(db, caller));
      const active = rows.filter(({ status }) => status === 'active');
      const providers: z.input<typeof config>[] = [];
      for (const known of await clients.all(db)) {
        const { provider } = known;
        const accounts = active.filter((row) => row.provider === provider.name).length;
        const isReady = known.origin !== 'none' || provider.token !== null;
        providers.push({
          provider: provider.name,
          label: provider.label,
          is_custom: known.isCustom,
          api_hosts: [...provider.apiDomains],
          lacks: accounts ? 'nothing' : isReady ? 'account' : 'client',
          oauth: presentOAuth(known, clients.redirectUri),
          token: presentToken(provider),
          own_page: provider.ownPage,
          accounts,
          connect_url: `${publicUrl}/integrations/${provider.name}`,
        });
      }
      return { providers };
    },
  });
}

function presentOAuth({ provider, origin, clientId, configuredAt }: ProviderOfWorkspace, redirectUri: string) {
  const { oauth, identity } = provider;
  if (!oauth) return null;
  return {
    is_configured: origin !== 'none',
    client_of: origin,
    client_id: clientId,
    configured_at: configuredAt?.toISOString() ?? null,
    authorization_url: oauth.authorizeUrl,
    token_url: oauth.tokenUrl,
    token_auth_method: oauth.tokenAuthMethod,
    userinfo_url: identity?.request.url ?? null,
    revocation_url: oauth.revoke?.request.url.replaceAll('{client_id}', clientId ?? '{client_id}') ?? null,
    authorization_params: { ...oauth.authorizeParams },
    token_params: { ...oauth.tokenParams },
    scopes: [...oauth.scopes.always],
    redirect_uri: redirectUri,
    setup_url: oauth.setup.url,
    setup_steps: [...oauth.setup.steps],
    lifetime_note: oauth.lifetimeNote,
    can_revoke: oauth.revoke !== null,
  };
}

function presentToken({ token }: Provider) {
  if (!token) return null;
  const { label, url, steps, fields, isTokenOptional } = token;
  return { label, url, steps: [...steps], fields: [...fields], is_optional: isTokenOptional };
}
