import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import type { Clients } from './clients.ts';
import { configureOauthProvider } from './operations/configure-oauth-provider.ts';
import type { AccountKeeping } from './link-account.ts';
import { connectWithToken } from './operations/connect-with-token.ts';
import { finishOauth } from './operations/finish-oauth.ts';
import { getConnection } from './operations/get-connection.ts';
import { listConnections as listOfConnections } from './operations/list-connections.ts';
import { listProviderConfigs } from './operations/list-provider-configs.ts';
import { removeOauthProvider } from './operations/remove-oauth-provider.ts';
import { revokeConnectedAccount } from './operations/revoke-connected-account.ts';
import { startOauth, type SourceAccess } from './operations/start-oauth.ts';
import { testConnection } from './operations/test-connection.ts';
import type { HoldersOf } from './ownership.ts';
import type { TokenSource } from './tokens.ts';

export { createAskConsent } from './any-provider.ts';
export { createClients, type Clients, type ProviderOfWorkspace } from './clients.ts';
export { type Credential } from './credential.ts';
export { connectionId, connectionResource } from './ids.ts';
export { isHeldBy, missingScopes, type HoldersOf } from './ownership.ts';
export { placed, type ProviderSettings } from './placed.ts';
export { providers } from './providers/index.ts';
export { type Provider } from './providers/provider.ts';
export { createSignInConsents, type SignInConsents } from './sign-in-consents.ts';
export { findConnection, listConnections, noteSync, type ConnectionRow } from './store/connections.ts';
export { dropExpiredStates } from './store/oauth-states.ts';
export { dropExpiredSignInConsents } from './store/sign-in-consents.ts';
export { createTokenSource, type TokenSource } from './tokens.ts';

type Options = {
  clients: Clients;
  tokens: TokenSource;
  vault: Vault;
  egress: Egress;
  sources: ReadonlyMap<string, SourceAccess>;
  publicUrl: string;
  holdersOf: HoldersOf;
  now: () => Date;
  onLinked: AccountKeeping['onLinked'];
};

/** What callers can do with linked accounts. */
export function connectionOperations(options: Options) {
  return [
    listProviderConfigs(options),
    listOfConnections(options),
    getConnection(options),
    startOauth(options),
    finishOauth(options),
    connectWithToken(options),
    testConnection(options),
    configureOauthProvider(options),
    removeOauthProvider(options),
    revokeConnectedAccount(options),
  ];
}
