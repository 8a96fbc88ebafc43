import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { Vault } from '#platform/vault';
import type { OAuthClient } from './oauth-client.ts';
import type { ProviderSettings } from './placed.ts';
import type { Provider } from './providers/provider.ts';
import { findProviderConfig, type ConfigRow } from './store/oauth.ts';

/** Where the OAuth client comes from that a workspace uses. */
export type ClientOrigin = 'workspace' | 'server' | 'none';

/** Finds the OAuth client a workspace uses at a provider: its own, or the one of the server's settings. */
export type Clients = {
  find(db: Db, workspaceId: string, provider: string): Promise<OAuthClient | null>;
  /** As `find`, but throws what to do when there is none. */
  get(db: Db, workspaceId: string, provider: string): Promise<OAuthClient>;
  /** The id of the client, without its secret, and whose it is. */
  describe(
    db: Db,
    provider: string,
  ): Promise<{ origin: ClientOrigin; clientId: string | null; configuredAt: Date | null }>;
  baseUrlOf(provider: string): string | null;
  provider(name: string): Provider | undefined;
  all: readonly Provider[];
  redirectUri: string;
};

export function createClients(options: {
  vault: Vault;
  providers: readonly Provider[];
  settings: Readonly<Record<string, ProviderSettings>>;
  publicUrl: string;
}): Clients {
  const { vault, settings, publicUrl } = options;
  const byName = new Map(options.providers.map((provider) => [provider.name, provider]));
  const redirectUri = `${publicUrl}/api/oauth/callback`;
  const baseUrlOf = (provider: string) => settings[provider]?.baseUrl ?? null;

  async function secretOf(db: Db, workspaceId: string, config: ConfigRow): Promise<string | null> {
    if (!config.client_secret) return null;
    const place = { workspaceId, table: 'provider_configs', row: config.provider, column: 'client_secret' };
    return vault.open(db, place, config.client_secret);
  }

  async function find(db: Db, workspaceId: string, name: string): Promise<OAuthClient | null> {
    const provider = byName.get(name);
    if (!provider?.oauth) return null;
    const own = await findProviderConfig(db, name);
    const client = own
      ? { clientId: own.client_id, clientSecret: await secretOf(db, workspaceId, own) }
      : fromSettings(settings[name]);
    return client && { ...client, provider, oauth: provider.oauth, baseUrl: baseUrlOf(name), redirectUri };
  }

  return {
    find,
    async get(db, workspaceId, name) {
      const client = await find(db, workspaceId, name);
      if (client) return client;
      const label = byName.get(name)?.label ?? name;
      throw new AppError(
        'unavailable',
        `No OAuth client is set up for ${label}. Set one with configure_oauth_provider, or on ${publicUrl}/integrations.`,
        { provider: name },
      );
    },
    async describe(db, name) {
      const own = await findProviderConfig(db, name);
      if (own) return { origin: 'workspace', clientId: own.client_id, configuredAt: own.updated_at };
      const ofServer = fromSettings(settings[name]);
      return { origin: ofServer ? 'server' : 'none', clientId: ofServer?.clientId ?? null, configuredAt: null };
    },
    baseUrlOf,
    provider: (name) => byName.get(name),
    all: options.providers,
    redirectUri,
  };
}

function fromSettings(settings: ProviderSettings | undefined) {
  if (!settings?.clientId || !settings.clientSecret) return null;
  return { clientId: settings.clientId, clientSecret: settings.clientSecret };
}
