import type { Sending } from '#modules/actions';
import type { Clients } from '#modules/connections';
import type { MeteredLlm } from '#modules/usage';
import type { Egress } from '#platform/egress';
import type { Jobs } from '#platform/jobs';
import type { Vault } from '#platform/vault';
import { actOnIntegration } from './operations/act-on-integration.ts';
import { fetchFromIntegration } from './operations/fetch-from-integration.ts';
import { listIntegrations } from './operations/list-integrations.ts';
import { listSyncs } from './operations/list-syncs.ts';
import { runSync } from './operations/run-sync.ts';
import { stopSync } from './operations/stop-sync.ts';
import { syncIntegration } from './operations/sync-integration.ts';
import type { ProviderClient } from './provider-client.ts';
import { createReaders } from './reader.ts';
import { sources } from './sources/index.ts';

export { integrationActions } from './actions/index.ts';
export { reachOf } from './actions/reach-of.ts';
export { createProviderClient, type ProviderClient } from './provider-client.ts';
export { askedPauseMs, ProviderFault } from './provider-fault.ts';
export { syncResource } from './ids.ts';
export { sources } from './sources/index.ts';
export { defineSyncJobs, resumeSyncs } from './sync/jobs.ts';
export { createDiscoverActions } from './discover-actions.ts';
export { scopesFor } from './linked-accounts.ts';
export { createReaders } from './reader.ts';

type Options = {
  client: ProviderClient;
  jobs: Jobs;
  clients: Clients;
  sending: Sending;
  publicUrl: string;
  llm: MeteredLlm | null;
  egress: Egress;
  vault: Vault;
  attachmentRoom: number;
};

/** What callers can do with linked services. */
export function integrationOperations(options: Options) {
  const { client, jobs, clients, sending, publicUrl, llm, attachmentRoom } = options;
  return [
    listIntegrations({ clients, publicUrl }),
    fetchFromIntegration({ readerOf: createReaders(client), publicUrl, attachmentRoom }),
    actOnIntegration({ sending, registry: sending.registry, sources, publicUrl, llm, attachmentRoom }),
    syncIntegration({ jobs, publicUrl }),
    listSyncs,
    runSync({ jobs }),
    stopSync,
  ];
}
