import { memoizePerServer } from '#kernel/module';
import type { Ground } from '#platform';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { Vault } from '#platform/vault';
import type { OAuthClient } from './oauth-client.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { buildCustomProvider } from './custom-provider.ts';
import type { Provider } from '#kernel/provider';
import type { ProviderDirectory } from '#kernel/provider-access';
import { findProviderConfig, listProviderConfigs, type ConfigRow } from '../store/provider-configs.ts';

/** The origin of a workspace's OAuth client. */
export type ClientOrigin = 'workspace' | 'server' | 'none';

/** A provider in a workspace, with its client but not the client secret. */
export type ProviderOfWorkspace = {
  provider: Provider;
  /** Whether the workspace described the provider itself, and not only its client. */
  isCustom: boolean;
  origin: ClientOrigin;
  clientId: string | null;
  configuredAt: Date | null;
};

/** Finds built-in and custom providers of a workspace, and their OAuth clients. */
export type Clients = ProviderDirectory & {
  /** The workspace's own client, or the one of the server's settings. */
  find(db: Db, workspaceId: string, provider: string): Promise<OAuthClient | null>;
  /** Only the client from the server's settings. */
  ofServer(provider: string): OAuthClient | null;
  /** As `find`. Throws an error with the next step when there is none. */
  get(db: Db, workspaceId: string, provider: string): Promise<OAuthClient>;
  provider(db: Db, name: string): Promise<Provider | undefined>;
  /** All providers of the workspace, built-in ones first. */
  all(db: Db): Promise<ProviderOfWorkspace[]>;
  isListed(name: string): boolean;
  redirectUri: string;
};

function createClients(options: {
  vault: Vault;
  providers: readonly Provider[];
  settings: Readonly<Record<string, ProviderSettings>>;
  publicUrl: string;
}): Clients {
  const { vault, settings, publicUrl, providers: listed } = options;
  const byName = new Map(listed.map((provider) => [provider.name, provider]));
  const redirectUri = `${publicUrl}/api/oauth/callback`;
  const findBaseUrl = (provider: string) => settings[provider]?.baseUrl ?? null;
  const ofServer = (provider: string) => getConfiguredClient(settings[provider]);
  const known = (name: string, row: ConfigRow | undefined) => mergeProvider(byName.get(name), row);

  async function openSecret(db: Db, workspaceId: string, config: ConfigRow): Promise<string | null> {
    if (!config.client_secret) return null;
    return vault.open(db, buildClientSecretColumn(workspaceId, config.provider), config.client_secret);
  }

  async function find(db: Db, workspaceId: string, name: string): Promise<OAuthClient | null> {
    const own = await findProviderConfig(db, name);
    const provider = known(name, own);
    if (!provider?.oauth) return null;
    const client = own?.client_id
      ? { clientId: own.client_id, clientSecret: await openSecret(db, workspaceId, own) }
      : ofServer(name);
    return client && { ...client, provider, oauth: provider.oauth, baseUrl: findBaseUrl(name), redirectUri };
  }

  return {
    find,
    ofServer(name) {
      const provider = byName.get(name);
      const client = ofServer(name);
      if (!provider?.oauth || !client) return null;
      return { ...client, provider, oauth: provider.oauth, baseUrl: findBaseUrl(name), redirectUri };
    },
    async get(db, workspaceId, name) {
      const client = await find(db, workspaceId, name);
      if (client) return client;
      const label = known(name, await findProviderConfig(db, name))?.label ?? name;
      throw new AppError(
        'unavailable',
        `No OAuth client is set up for ${label}. Set one with configure_oauth_provider, or on ${publicUrl}/integrations.`,
        { provider: name },
      );
    },
    provider: async (db, name) => byName.get(name) ?? known(name, await findProviderConfig(db, name)),
    async all(db) {
      const rows = new Map((await listProviderConfigs(db)).map((row) => [row.provider, row]));
      const names = new Set([...byName.keys(), ...rows.keys()]);
      return [...names].flatMap((name) => {
        const row = rows.get(name);
        const provider = known(name, row);
        return provider ? [{ provider, isCustom: !byName.has(name), ...getClientOrigin(row, ofServer(name)) }] : [];
      });
    },
    listed,
    isListed: (name) => byName.has(name),
    findBaseUrl,
    redirectUri,
  };
}

/** The vault context that binds a client secret. */
export function buildClientSecretColumn(workspaceId: string, provider: string) {
  return { workspaceId, table: 'provider_configs', row: provider, column: 'client_secret' };
}

/** A built-in provider with the workspace's extra parameters, or a custom provider. */
function mergeProvider(listed: Provider | undefined, row: ConfigRow | undefined): Provider | undefined {
  if (!listed) return isCustom(row) ? toCustomProvider(row) : undefined;
  if (!listed.oauth || !row) return listed;
  const { authorizeParams, tokenParams } = listed.oauth;
  const oauth = {
    ...listed.oauth,
    authorizeParams: { ...authorizeParams, ...row.authorization_params },
    tokenParams: { ...tokenParams, ...row.token_params },
  };
  return { ...listed, oauth };
}

type CustomRow = ConfigRow &
  Record<'label' | 'authorization_url' | 'token_url', string> & {
    token_auth_method: NonNullable<ConfigRow['token_auth_method']>;
  };

/** The table holds all four of these or none. */
function isCustom(row: ConfigRow | undefined): row is CustomRow {
  return row !== undefined && row.token_url !== null;
}

function toCustomProvider(row: CustomRow): Provider {
  return buildCustomProvider({
    name: row.provider,
    label: row.label,
    authorizeUrl: row.authorization_url,
    tokenUrl: row.token_url,
    tokenAuthMethod: row.token_auth_method,
    userinfoUrl: row.userinfo_url,
    revocationUrl: row.revocation_url,
    scopes: row.scopes,
    apiHosts: row.api_hosts,
    authorizeParams: row.authorization_params,
    tokenParams: row.token_params,
  });
}

function getClientOrigin(row: ConfigRow | undefined, ofServer: { clientId: string } | null) {
  if (row?.client_id) return { origin: 'workspace' as const, clientId: row.client_id, configuredAt: row.configured_at };
  const origin: ClientOrigin = ofServer ? 'server' : 'none';
  return { origin, clientId: ofServer?.clientId ?? null, configuredAt: null };
}

function getConfiguredClient(settings: ProviderSettings | undefined) {
  if (!settings?.clientId || !settings.clientSecret) return null;
  return { clientId: settings.clientId, clientSecret: settings.clientSecret };
}

/** The server's clients. */
export const getClients = memoizePerServer(({ modules, vault, config: { providers: settings, publicUrl } }: Ground) =>
  createClients({ vault, providers: modules.flatMap(({ providers = [] }) => providers), settings, publicUrl }),
);
