import type { Operation } from '#kernel/operation';
import type { Resource } from '#kernel/resource';
import { accountOperations, keyResource } from '#modules/accounts';
import {
  actionOperations,
  createActionRegistry,
  defineActionJobs,
  draftResource,
  sendTimes,
  type Sending,
} from '#modules/actions';
import { analyticsOperations } from '#modules/analytics';
import { brainOperations, brainResource } from '#modules/brains';
import {
  connectionOperations,
  connectionResource,
  createClients,
  createTokenSource,
  providers,
} from '#modules/connections';
import {
  createProviderClient,
  integrationActions,
  integrationOperations,
  reachOf,
  sources,
} from '#modules/integrations';
import {
  createRecallRecord,
  defineMemoryJobs,
  memoryOperations,
  memoryResource,
  mergeResource,
  sessionResource,
} from '#modules/memory';
import { pageOperations, pageResource } from '#modules/pages';
import { newId, now } from '#platform/clock';
import type { Platform } from './platform.ts';

/** What the modules together offer. */
export type Product = {
  operations: Operation[];
  resources: Resource[];
  /** Writes what is still to be written; no call may come after. */
  close(): Promise<void>;
};

/** Puts the modules together over the doors. */
export function createProduct(platform: Platform): Product {
  const { config, transactions, search, vault, egress, llm, jobs, log } = platform;
  const { publicUrl } = config;
  const clients = createClients({ vault, providers, settings: { google: config.google }, publicUrl });
  const tokens = createTokenSource({ transactions, vault, egress, clients, publicUrl, now, newId });
  const client = createProviderClient({ egress, tokens, clients });
  const registry = createActionRegistry(integrationActions);
  const sending = createSending(platform, registry, (draft, deadline) => reachOf(client, draft, deadline));
  defineActionJobs(sending);
  defineMemoryJobs({ jobs, transactions, search });
  const onError = (err: unknown) => log.warn({ err }, 'recalls could not be counted');
  const recalls = createRecallRecord({ transactions, now, onError });
  const access = new Map(
    sources.map(({ name, provider, scopes }) => [name, { provider, scopes: scopes.map(({ scope }) => scope) }]),
  );
  return {
    operations: [
      ...memoryOperations({ search, jobs, recalls, publicUrl }),
      ...pageOperations({ search }),
      ...integrationOperations({ client, clients, registry, publicUrl, llm }),
      ...actionOperations({ sending, publicUrl }),
      ...brainOperations,
      ...analyticsOperations({ recalls }),
      ...connectionOperations({ clients, vault, egress, sources: access, publicUrl, now }),
      ...accountOperations({ publicUrl }),
    ],
    resources: [
      brainResource,
      memoryResource,
      sessionResource,
      mergeResource,
      pageResource,
      draftResource,
      connectionResource,
      keyResource,
    ],
    close: () => recalls.close(),
  };
}

function createSending(platform: Platform, registry: Sending['registry'], connect: Sending['connect']): Sending {
  const { transactions, jobs, log, config } = platform;
  const times = sendTimes(config.sendTimeoutMs, config.settleAfterMs);
  return { transactions, registry, jobs, connect, times, log, now, newId };
}
