import type { Operation } from '#kernel/operation';
import type { Resource } from '#kernel/resource';
import { accountOperations, createPeople, keyResource, keysOfBrain, limitsOf } from '#modules/accounts';
import {
  actionOperations,
  createActionRegistry,
  defineActionJobs,
  draftResource,
  draftsOfBrain,
  sendTimes,
  type Sending,
} from '#modules/actions';
import { brainOperations, brainResource, coreKnowledgeResource, memberResource, skillResource } from '#modules/brains';
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
  countLiveMemories,
  memoryContents,
  memoryOperations,
  memoryResource,
  sessionContents,
  sessionResource,
} from '#modules/memory';
import { pageContents, pageOperations, pageResource, pageVersionContents } from '#modules/pages';
import { newId, now } from '#platform/clock';
import type { Platform } from './platform.ts';

/** What the modules together offer. */
export type Product = { operations: Operation[]; resources: Resource[] };

/** Puts the modules together over the doors. */
export function createProduct(platform: Platform): Product {
  const { config, transactions, search, vault, egress, llm, mail } = platform;
  const { publicUrl } = config;
  const clients = createClients({ vault, providers, settings: { google: config.google }, publicUrl });
  const tokens = createTokenSource({ transactions, vault, egress, clients, publicUrl, now, newId });
  const client = createProviderClient({ egress, tokens, clients });
  const registry = createActionRegistry(integrationActions);
  const sending = createSending(platform, registry, (draft, deadline) => reachOf(client, draft, deadline));
  defineActionJobs(sending);
  const access = new Map(
    sources.map(({ name, provider, scopes }) => [name, { provider, scopes: scopes.map(({ scope }) => scope) }]),
  );
  return {
    operations: [
      ...memoryOperations({ search, publicUrl }),
      ...pageOperations({ search }),
      ...integrationOperations({ client, clients, registry, publicUrl, llm }),
      ...actionOperations({ sending, publicUrl }),
      ...brainOperations({
        readLimits: limitsOf,
        people: createPeople({ publicUrl, canMail: mail !== null }),
        countMemories: countLiveMemories,
        contents: [sessionContents, memoryContents, pageContents, pageVersionContents],
        dependents: [draftsOfBrain, keysOfBrain],
      }),
      ...connectionOperations({ clients, vault, egress, sources: access, publicUrl, now }),
      ...accountOperations({ publicUrl }),
    ],
    resources: [
      brainResource,
      memberResource,
      coreKnowledgeResource,
      skillResource,
      memoryResource,
      sessionResource,
      pageResource,
      draftResource,
      connectionResource,
      keyResource,
    ],
  };
}

function createSending(platform: Platform, registry: Sending['registry'], connect: Sending['connect']): Sending {
  const { transactions, jobs, log, config } = platform;
  const times = sendTimes(config.sendTimeoutMs, config.settleAfterMs);
  return { transactions, registry, jobs, connect, times, log, now, newId };
}
