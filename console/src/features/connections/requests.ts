import { call } from '../../api/call.ts';

/** Begins linking an account and leaves for the provider's consent page, which comes back to `returnTo`. */
export async function leaveForConsent(input: { provider: string; source: string; returnTo: string }): Promise<void> {
  const { provider, source, returnTo } = input;
  const { authorization_url } = await call<{ authorization_url: string }>('start_oauth', {
    provider,
    source,
    return_to: returnTo,
  });
  location.assign(authorization_url);
}

export type ProviderClient = { provider: string; client_id: string; client_secret: string };

export function configureProvider(client: ProviderClient): Promise<{ redirect_uri: string }> {
  return call('configure_oauth_provider', client);
}

export function unlinkAccount(connectionId: string): Promise<{ revoked_at_provider?: boolean }> {
  return call('revoke_connected_account', { connection_id: connectionId });
}
