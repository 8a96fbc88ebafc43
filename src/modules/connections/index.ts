import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import type { Clients } from './clients.ts';
import { configureOauthProvider } from './operations/configure-oauth-provider.ts';
import { finishOauth } from './operations/finish-oauth.ts';
import { revokeConnectedAccount } from './operations/revoke-connected-account.ts';
import { startOauth, type SourceAccess } from './operations/start-oauth.ts';

export { createAskConsent } from './any-provider.ts';
export { createClients, type Clients } from './clients.ts';
export { connectionId, connectionResource } from './ids.ts';
export { placed, providers, type Provider, type ProviderSettings } from './providers.ts';
export { findConnection, listConnections, type ConnectionRow } from './store/connections.ts';
export { dropExpiredStates } from './store/oauth.ts';
export { createTokenSource, type TokenSource } from './tokens.ts';

type Options = {
  clients: Clients;
  vault: Vault;
  egress: Egress;
  sources: ReadonlyMap<string, SourceAccess>;
  publicUrl: string;
  now: () => Date;
};

/** What callers can do with linked accounts. */
export function connectionOperations(options: Options) {
  return [startOauth(options), finishOauth(options), configureOauthProvider(options), revokeConnectedAccount(options)];
}
