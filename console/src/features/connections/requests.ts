import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { Access } from './access-field.tsx';

/** An account or token that is linked, as `list_connections` tells. */
export type Connection = {
  connection_id: string;
  provider: string;
  provider_label: string;
  kind: 'oauth' | 'token';
  owner: 'person' | 'workspace';
  may_change: boolean;
  account: string;
  status: 'active' | 'reconnect_needed' | 'revoked';
  status_reason: string | null;
  scopes: string[];
  lost_scopes: string[];
  warnings: string[];
  ends_at: string | null;
  connected_at: string;
  last_refresh_at: string | null;
  last_used_at: string | null;
  last_sync_at: string | null;
};

/** How accounts of a provider are linked, as `list_provider_configs` tells. */
export type ProviderConfig = {
  provider: string;
  label: string;
  is_custom: boolean;
  api_hosts: string[];
  lacks: 'nothing' | 'client' | 'account';
  oauth: {
    is_configured: boolean;
    client_of: 'workspace' | 'server' | 'none';
    client_id: string | null;
    authorization_url: string;
    token_url: string;
    token_auth_method: 'client_secret_post' | 'client_secret_basic' | 'none';
    userinfo_url: string | null;
    revocation_url: string | null;
    scopes: string[];
    redirect_uri: string;
    setup_url: string;
    setup_steps: string[];
    lifetime_note: string | null;
    can_revoke: boolean;
  } | null;
  token: {
    label: string;
    url: string | null;
    steps: string[];
    fields: ('url' | 'header')[];
    is_optional: boolean;
  } | null;
  own_page: { label: string; url: string } | null;
  accounts: number;
};

export type Owner = 'person' | 'workspace';

/** Everything that is linked, and that the person may use. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections', 'linked'],
  queryFn: ({ signal }) => call<{ connections: Connection[] }>('list_connections', {}, { signal }),
  select: (answer) => answer.connections,
});

/** Every provider there is, and what it lacks. */
export const providersQuery = queryOptions({
  queryKey: ['connections', 'providers'],
  queryFn: ({ signal }) => call<{ providers: ProviderConfig[] }>('list_provider_configs', {}, { signal }),
  select: (answer) => answer.providers,
});

/** What becomes old when an account is linked, changed or ended. */
export const staleKeys = [['connections'], ['integrations']] as const;

type Leaving = { provider: string; source: string; returnTo: string; owner?: Owner; access?: Access };

/** Begins linking an account and leaves for the provider's consent page, which comes back to `returnTo`. */
export async function leaveForConsent({
  provider,
  source,
  returnTo,
  owner = 'person',
  access = 'act',
}: Leaving): Promise<void> {
  const input = { provider, source, return_to: returnTo, owner, access };
  const { authorization_url } = await call<{ authorization_url: string }>('start_oauth', input);
  location.assign(authorization_url);
}

export type ProviderClient = {
  provider: string;
  client_id: string;
  client_secret?: string;
  /** The rest describes a provider of one's own. */
  label?: string;
  authorization_url?: string;
  token_url?: string;
  token_auth_method?: 'client_secret_post' | 'client_secret_basic' | 'none';
  userinfo_url?: string | null;
  revocation_url?: string | null;
  scopes?: string[];
  api_hosts?: string[];
};

export function configureProvider(client: ProviderClient): Promise<{ provider: string; redirect_uri: string }> {
  return call('configure_oauth_provider', client);
}

/** Takes a client of the workspace away, with what was linked by it. */
export function removeProvider(provider: string): Promise<{ accounts_ended: number; ended_at_provider: number }> {
  return call('remove_oauth_provider', { provider, end_accounts: true });
}

export type PastedToken = {
  provider: string;
  token: string;
  url?: string;
  header?: { name: string; value: string };
  ends_at?: string;
  owner: Owner;
};

export function connectWithToken(pasted: PastedToken): Promise<Connection> {
  return call('connect_with_token', pasted);
}

export type Tested = { ok: boolean; message: string; took_ms: number };

export function testConnection(connectionId: string): Promise<Tested> {
  return call('test_connection', { connection_id: connectionId });
}

export type Unlinked = { revoked_at_provider: boolean; message: string };

export function unlinkAccount(connectionId: string): Promise<Unlinked> {
  return call('revoke_connected_account', { connection_id: connectionId });
}
