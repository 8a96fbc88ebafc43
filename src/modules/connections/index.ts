export { createAskConsent } from './clients/any-provider.ts';
export { getClients, type Clients, type ProviderOfWorkspace } from './clients/clients.ts';
export {
  beginConsent,
  keepForBrowser,
  takeConsent,
  takeForBrowser,
  findConsentWorkspaceId,
} from './consents/consents.ts';
export { integrationChanged } from './events.ts';
export { type BeginSync } from './operations/finish-oauth.ts';
export { connectionId } from './ids.ts';
export { createConnectionsModule } from './module.ts';
export { listMissingAccountScopes } from './accounts/ownership.ts';
export { isAccountHolder } from './holders.ts';
export { type ProviderSettings } from './clients/provider-settings.ts';
export { type Provider } from '#kernel/provider';
export { getSignInConsents, type SignInConsents } from './consents/sign-in-consents.ts';
export { findConnection, listConnections, recordSync, type ConnectionRow } from './store/connections.ts';
export { getTokenSource } from './tokens/token-source.ts';
