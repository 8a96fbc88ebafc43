import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { Vault } from '#platform/vault';
import type { OAuthClient } from './oauth-client.ts';
import type { Provider, ProviderSettings } from './providers.ts';
import { findProviderConfig } from './store/oauth.ts';

/** Finds the OAuth client a workspace uses at a provider: its own, or the one of the server's settings. */
export type Clients = {
  find(db: Db, workspaceId: string, provider: string): Promise<OAuthClient | null>;
  /** As `find`, but throws what to do when there is none. */
  get(db: Db, workspaceId: string, provider: string): Promise<OAuthClient>;
  baseUrlOf(provider: string): string | null;
  provider(name: string): Provider | undefined;
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

  async function find(db: Db, workspaceId: string, name: string): Promise<OAuthClient | null> {
    const provider = byName.get(name);
    if (!provider) return null;
    const place = { workspaceId, table: 'provider_configs', row: name, column: 'client_secret' };
    const own = await findProviderConfig(db, name);
    const client = own
      ? { clientId: own.client_id, clientSecret: await vault.open(db, place, own.client_secret) }
      : fromSettings(settings[name]);
    return client && { ...client, provider, baseUrl: baseUrlOf(name), redirectUri };
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
    baseUrlOf,
    provider: (name) => byName.get(name),
    redirectUri,
  };
}

function fromSettings(settings: ProviderSettings | undefined) {
  if (!settings?.clientId || !settings.clientSecret) return null;
  return { clientId: settings.clientId, clientSecret: settings.clientSecret };
}
