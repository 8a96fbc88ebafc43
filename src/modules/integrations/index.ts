export { createDiscoverActions } from './discover-actions.ts';
export { scopesFor } from './linked-accounts.ts';
export { integrationsModule } from './module.ts';
export { type ProviderClient } from './provider-client.ts';
export { providerClientOf } from './server-client.ts';
export { createBeginSync } from './sync/set-up-sync.ts';
export { askedPauseMs, ProviderFault } from './provider-fault.ts';
export { integrationActions, sources } from './providers/index.ts';
