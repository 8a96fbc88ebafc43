export { getAdapterReaders, type AdapterReaders } from './adapter-readers.ts';
export { createDiscoverActions } from './discover-actions.ts';
export {
  chooseAccount,
  connectUrl,
  listAccountsBySource,
  listCapabilityScopes,
  type AnsweringAccount,
} from './linked-accounts.ts';
export { integrationsModule } from './module.ts';
export { providerClientOf } from './server-client.ts';
export { createBeginSync } from './sync/set-up-sync.ts';
