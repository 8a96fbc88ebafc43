// The product: its modules, and what they build together on the platform of a server.
import type { Catalogue } from '#kernel/catalogue';
import { createCatalogue } from '#kernel/catalogue';
import type { Calls } from '#kernel/calls';
import type { Background, Module, Subscriber } from '#kernel/module';
import type { Operation } from '#kernel/operation';
import type { Resource } from '#kernel/resource';
import { accountsModule, createPeople, lockPlanLimits } from '#modules/accounts';
import { actionsModule, createDraftPolicy, gateDepsOf } from '#modules/actions';
import { analyticsModule } from '#modules/analytics';
import { createArchivesModule } from '#modules/archives';
import { auditModule, createEmitEvent } from '#modules/audit';
import { automationsModule } from '#modules/automations';
import { boardsModule } from '#modules/boards';
import { createBrainsModule } from '#modules/brains';
import { chatsModule } from '#modules/chats';
import { createConnectionsModule } from '#modules/connections';
import { ingestModule } from '#modules/ingest';
import {
  createBeginSync,
  createDiscoverActions,
  createIntegrationsModule,
  listCapabilityScopes,
} from '#modules/integrations';
import { sources } from '#providers';
import { createMeaningModule } from '#modules/meaning';
import { createFindConstellations, documentsModule, lockConstellations } from '#modules/documents';
import { countLiveMemories, createMemoryModule } from '#modules/memory';
import { notificationsModule } from '#modules/notifications';
import { oauthServerModule } from '#modules/oauth-server';
import { outputsModule, createPassOn } from '#modules/outputs';
import { createPagesModule, type DiscoverActions } from '#modules/pages';
import { createPolicyModule } from '#modules/policy';
import { discoverRecipeActions, buildRecipeActionDraft, recipesModule } from '#modules/recipes';
import { telegramModule } from '#modules/telegram';
import { trainingModule } from '#modules/training';
import { usageModule } from '#modules/usage';
import { listCredentialHolders, variablesModule } from '#modules/variables';
import { createWebhooksModule } from '#modules/webhooks';
import { workflowsModule } from '#modules/workflows';
import type { Ground, Platform } from '#platform';
import { defineRounds } from './rounds.ts';

/** Each module may use those before it. Functions of later modules are passed to it here. */
const modules: readonly Module<Ground>[] = [
  auditModule,
  usageModule,
  createBrainsModule({
    readLimits: lockPlanLimits,
    getPeople: ({ config, mail }) => createPeople({ publicUrl: config.publicUrl, canMail: mail !== null }),
    countMemories: countLiveMemories,
  }),
  accountsModule,
  oauthServerModule,
  createMeaningModule({ lockItems: lockConstellations }),
  createMemoryModule({ getFindDocuments: ({ search }) => createFindConstellations(search) }),
  createPagesModule({ getDiscoverActions }),
  ingestModule,
  chatsModule,
  createPolicyModule({ createDraftPolicy }),
  createConnectionsModule({
    findHolders: listCredentialHolders,
    sources: buildSourceAccess(),
    getBeginSync: ({ jobs, config: { publicUrl } }) => createBeginSync({ jobs, publicUrl }),
  }),
  actionsModule,
  variablesModule,
  createIntegrationsModule({
    getBuildInstallDraft:
      ({ config: { publicUrl } }) =>
      (ctx, asked) =>
        buildRecipeActionDraft(ctx, asked, publicUrl),
  }),
  telegramModule,
  documentsModule,
  trainingModule,
  boardsModule,
  automationsModule,
  workflowsModule,
  notificationsModule,
  recipesModule,
  createWebhooksModule({ getPassOn: createPassOn }),
  outputsModule,
  analyticsModule,
  createArchivesModule({ readLimits: lockPlanLimits }),
];

/** What agents can draft: through linked accounts, and through installed recipes. */
function getDiscoverActions(ground: Ground): DiscoverActions {
  const discoverOfAccounts = createDiscoverActions(gateDepsOf(ground).registry, sources);
  return async (ctx) => [...(await discoverOfAccounts(ctx)), ...(await discoverRecipeActions(ctx))];
}

/** What all modules provide together. */
export type Product = {
  ground: Ground;
  operations: readonly Operation[];
  resources: readonly Resource[];
  /** Prepares all background work for the start of the server. Returns the services to start, in order. */
  prepareWork(calls: Calls): Background[];
};

/** Builds all modules on the open platform. */
export function createProduct(platform: Platform): Product {
  const subscribers: Subscriber[] = [];
  const emitEvent = createEmitEvent({
    jobs: platform.jobs,
    kinds: modules.flatMap(({ events = [] }) => events),
    listSubscribers: (name) => subscribers.filter(({ kinds }) => kinds.some(({ kind }) => kind === name)),
  });
  const ground: Ground = { ...platform, modules, emitEvent };
  const operations = modules.flatMap((module) => module.operations?.(ground) ?? []);
  const resources = modules.flatMap((module) => module.resources ?? []);
  checkIds(operations, resources);
  return {
    ground,
    operations,
    resources,
    prepareWork(calls) {
      const work = modules.map((module) => module.work?.(ground, calls) ?? {});
      subscribers.push(...work.flatMap((each) => each.subscribers ?? []));
      for (const { name, run } of [...work.flatMap((each) => each.jobs ?? []), ...subscribers])
        platform.jobs.define(name, run as (data: object) => Promise<void>); // a subscriber's job has the event's data
      defineRounds(
        ground,
        work.flatMap((each) => each.eachMinute ?? []),
      );
      return work.flatMap((each) => each.background ?? []);
    },
  };
}

/** The operations of the product by name, without background work. */
export function createProductCatalogue(platform: Platform): Catalogue {
  return createCatalogue(createProduct(platform).operations);
}

/** Throws when an operation names items by id that no module can find. */
function checkIds(operations: readonly Operation[], resources: readonly Resource[]): void {
  const kinds = new Set(resources.map(({ kind }) => kind));
  for (const { name, idFields } of operations)
    for (const { kind } of idFields)
      if (!kinds.has(kind)) throw new Error(`${name} names a ${kind}, but no module declares how one is found`);
}

/** The OAuth scopes of each source for linking. */
function buildSourceAccess() {
  return new Map(
    sources.map((source) => [
      source.name,
      {
        provider: source.provider,
        toRead: listCapabilityScopes(source, 'read'),
        toAct: listCapabilityScopes(source, 'act'),
      },
    ]),
  );
}
