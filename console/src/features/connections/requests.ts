import { queryOptions } from '@tanstack/react-query';
import type { Input, Output } from '#sdk';
import { call } from '../../api/call.ts';
import type { Access } from './access-field.tsx';

/** A linked account or token from `list_connections`. */
export type Connection = Output<'list_connections'>['connections'][number];

/** A provider's settings from `list_provider_configs`. */
export type ProviderConfig = Output<'list_provider_configs'>['providers'][number];

export type Owner = 'person' | 'workspace';

/** Everything that is linked, and that the person may use. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections', 'linked'],
  queryFn: ({ signal }) => call('list_connections', {}, { signal }),
  select: (answer) => answer.connections,
});

/** All providers, with their missing settings. */
export const providersQuery = queryOptions({
  queryKey: ['connections', 'providers'],
  queryFn: ({ signal }) => call('list_provider_configs', {}, { signal }),
  select: (answer) => answer.providers,
});

/** Invalidates the queries that depend on accounts. */
export const staleKeys = [['connections'], ['integrations']] as const;

/** `sync`: starts syncing once it is linked; the page that the person leaves says so. */
type ConsentStart = {
  provider: string;
  source: string;
  returnTo: string;
  owner?: Owner;
  access?: Access;
  sync?: boolean;
};

/** Begins linking an account and leaves for the provider's consent page, which comes back to `returnTo`. */
export async function leaveForConsent({
  provider,
  source,
  returnTo,
  owner = 'person',
  access = 'act',
  sync = false,
}: ConsentStart): Promise<void> {
  const input = { provider, source, return_to: returnTo, owner, access, sync };
  const { authorization_url } = await call('start_oauth', input);
  location.assign(authorization_url);
}

export type ProviderClient = Input<'configure_oauth_provider'>;

export function configureProvider(client: ProviderClient): Promise<Output<'configure_oauth_provider'>> {
  return call('configure_oauth_provider', client);
}

/** Removes an OAuth client of the workspace, with the accounts linked by it. */
export function removeProvider(provider: string): Promise<Output<'remove_oauth_provider'>> {
  return call('remove_oauth_provider', { provider, end_accounts: true });
}

export type PastedToken = Input<'connect_with_token'>;

export function connectWithToken(pasted: PastedToken): Promise<Output<'connect_with_token'>> {
  return call('connect_with_token', pasted);
}

export type ConnectionTest = Output<'test_connection'>;

export function testConnection(connectionId: string): Promise<Output<'test_connection'>> {
  return call('test_connection', { connection_id: connectionId });
}

export type UnlinkResult = Output<'revoke_connected_account'>;

export function unlinkAccount(connectionId: string): Promise<Output<'revoke_connected_account'>> {
  return call('revoke_connected_account', { connection_id: connectionId });
}
