export { getAdapterReaders, type AdapterReaders } from './adapter-readers.ts';
export { createDiscoverActions } from './discover-actions.ts';
export {
  chooseAccount,
  connectUrl,
  listAccountsBySource,
  listCapabilityScopes,
  loadAccountById,
  type AnsweringAccount,
} from './linked-accounts.ts';
export { createIntegrationsModule } from './module.ts';
export { providerClientOf } from './server-client.ts';
export { createBeginSync } from './sync/set-up-sync.ts';
