import type { ActionRegistry } from '#modules/actions';
import type { Clients } from '#modules/connections';
import { actOnIntegration } from './operations/act-on-integration.ts';
import type { ProviderClient } from './provider-client.ts';
import { sourceFacts } from './sources/facts.ts';

export { integrationActions } from './actions/index.ts';
export { createProviderClient, reachOf } from './provider-client.ts';
export { sourceFacts as sources } from './sources/facts.ts';

type Options = { client: ProviderClient; clients: Clients; registry: ActionRegistry; publicUrl: string };

/** What callers can do with linked services. */
export function integrationOperations({ registry, publicUrl }: Options) {
  return [actOnIntegration({ registry, sources: sourceFacts, publicUrl })];
}
