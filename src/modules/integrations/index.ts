import type { ActionRegistry } from '#modules/actions';
import type { Clients } from '#modules/connections';
import type { MeteredLlm } from '#modules/usage';
import { actOnIntegration } from './operations/act-on-integration.ts';
import { fetchFromIntegration } from './operations/fetch-from-integration.ts';
import { listIntegrations } from './operations/list-integrations.ts';
import type { ProviderClient } from './provider-client.ts';
import { createReaders } from './reader.ts';
import { sources } from './sources/index.ts';

export { integrationActions } from './actions/index.ts';
export { createProviderClient, reachOf } from './provider-client.ts';
export { sources } from './sources/index.ts';

type Options = {
  client: ProviderClient;
  clients: Clients;
  registry: ActionRegistry;
  publicUrl: string;
  llm: MeteredLlm | null;
};

/** What callers can do with linked services. */
export function integrationOperations({ client, clients, registry, publicUrl, llm }: Options) {
  return [
    listIntegrations({ clients, publicUrl }),
    fetchFromIntegration({ readerOf: createReaders(client), publicUrl }),
    actOnIntegration({ registry, sources, publicUrl, llm }),
  ];
}
