export { createDiscoverActions } from './discover-actions.ts';
export { listCapabilityScopes } from './linked-accounts.ts';
export { integrationsModule } from './module.ts';
export { providerClientOf } from './server-client.ts';
export { createBeginSync } from './sync/set-up-sync.ts';
