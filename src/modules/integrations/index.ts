export { createDiscoverActions } from './discover-actions.ts';
export { scopesFor } from './linked-accounts.ts';
export { integrationsModule } from './module.ts';
export { providerClientOf } from './server-client.ts';
export { createBeginSync } from './sync/set-up-sync.ts';
