import type { Catalogue } from '#kernel/catalogue';
import type { Db } from '#kernel/database';
import type { Execute } from '#kernel/execute';
import type { Operation } from '#kernel/operation';
import type { Resource } from '#kernel/resource';
import {
  accountOperations,
  createPeople,
  findPerson,
  keyResource,
  keysOfBrain,
  limitsOf,
  listWorkspaceIds,
  workspaceResource,
} from '#modules/accounts';
import {
  actionOperations,
  approverResource,
  createActionRegistry,
  createSealing,
  defineActionJobs,
  draftResource,
  draftsOfBrain,
  sendTimes,
  type Sealing,
  type Sending,
} from '#modules/actions';
import { analyticsOperations } from '#modules/analytics';
import { brainOperations, brainResource, coreKnowledgeResource, memberResource, skillResource } from '#modules/brains';
import {
  connectionOperations,
  connectionResource,
  createAskConsent,
  createClients,
  createSignInConsents,
  createTokenSource,
  providers,
  type SignInConsents,
} from '#modules/connections';
import {
  createDiscoverActions,
  createProviderClient,
  createReaders,
  defineSyncJobs,
  resumeSyncs,
  integrationActions,
  integrationOperations,
  reachOf,
  scopesFor,
  sources,
  syncResource,
} from '#modules/integrations';
import { createEmbedding, meaningOperations, type Embedding } from '#modules/meaning';
import {
  countLiveMemories,
  createRecallRecord,
  defineMemoryJobs,
  memoryContents,
  memoryOperations,
  memoryResource,
  mergeResource,
  sessionContents,
  sessionResource,
} from '#modules/memory';
import { createTellDeciders, defineNotificationJobs, notificationOperations, windowsOf } from '#modules/notifications';
import {
  attachmentContents,
  attachmentResource,
  createAttachmentFiles,
  createHeldFiles,
  pageContents,
  pageOperations,
  pageResource,
  pageVersionContents,
  type AttachmentFiles,
  type HeldFiles,
} from '#modules/pages';
import {
  createListening,
  createPromptPhone,
  createPushReach,
  defineTelegramJobs,
  push,
  telegramOperations,
  type TelegramListening,
} from '#modules/telegram';
import { createMeteredLlm, usageOperations, type MeteredLlm } from '#modules/usage';
import {
  createConsents,
  credentialHolders,
  createLinkPages,
  createPlayground,
  permissionSetResource,
  variableContents,
  variableOperations,
  variableScopeResource,
  type Consents,
  type LinkPages,
  type Playground,
} from '#modules/variables';
import { newId, now } from '#platform/clock';
import { asSystem } from '#platform/database';
import type { Platform } from './platform.ts';

/** What the modules together offer. */
export type Product = {
  operations: Operation[];
  resources: Resource[];
  /** What the pages behind variable links do, and those of the playground. */
  linkPages: LinkPages;
  playground: Playground;
  attachmentFiles: AttachmentFiles;
  heldFiles: HeldFiles;
  /** Accounts at providers by which people sign in. */
  signInConsents: SignInConsents;
  /** To be started with the server; null without an embedder. */
  embedding: Embedding | null;
  /** Seals the ledger; to be started with the server. */
  sealing: Sealing;
  /** Has bots listened to, once it is started; what is texted runs operations like every other face. */
  telegram(face: { execute: Execute; catalogue: Catalogue }): TelegramListening;
  /** Writes what is still to be written; no call may come after. */
  close(): Promise<void>;
};

const resources: Resource[] = [
  workspaceResource,
  brainResource,
  memberResource,
  coreKnowledgeResource,
  skillResource,
  memoryResource,
  sessionResource,
  mergeResource,
  pageResource,
  attachmentResource,
  draftResource({ now }),
  approverResource,
  connectionResource(credentialHolders),
  syncResource,
  keyResource,
  permissionSetResource,
  variableScopeResource,
];

/** What a brain holds, so that it is counted, exported and deleted as a whole. */
const contents = [
  sessionContents,
  memoryContents,
  pageContents,
  pageVersionContents,
  attachmentContents,
  variableContents,
];

/** Puts the modules together over the doors. */
export function createProduct(platform: Platform): Product {
  const { config, transactions, search, meaningOf, vault, egress, mail, jobs } = platform;
  const { publicUrl, attachmentRoom } = config;
  const clients = createClients({ vault, providers, settings: config.providers, publicUrl });
  const tokens = tokensOf(platform, clients);
  const linking = { clients, tokens, vault, egress, publicUrl, holdersOf: credentialHolders, now };
  const client = createProviderClient({ egress, tokens, clients });
  const heldFiles = createHeldFiles(transactions);
  const sending = createSending(platform, { client, files: heldFiles, transactions });
  defineActionJobs(sending);
  defineNotificationJobs(mailingOf(platform));
  defineMemoryJobs({ jobs, transactions, search });
  defineSyncing(platform, client);
  const llm = meteredLlmOf(platform);
  const recalls = recallsOf(platform);
  const consents = consentsOf(platform);
  const redirectUri = bundleCallback(publicUrl);
  const doors = { transactions, vault, consents, now, newId };
  return {
    linkPages: createLinkPages({ ...doors, db: platform.db, redirectUri }),
    playground: createPlayground({ ...doors, checkUrl: egress.check }),
    attachmentFiles: createAttachmentFiles(transactions),
    heldFiles,
    operations: [
      ...memoryOperations({ search, meaningOf, jobs, recalls, publicUrl }),
      ...pageOperations({ search, meaningOf, publicUrl, discover: createDiscoverActions(sending.registry, sources) }),
      ...meaningOperations({ model: platform.embedder?.model ?? null }),
      ...integrationOperations({ client, jobs, clients, sending, publicUrl, llm, egress, vault, attachmentRoom }),
      ...actionOperations({ sending, publicUrl, vault }),
      ...brainOperations({
        readLimits: limitsOf,
        people: createPeople({ publicUrl, canMail: mail !== null }),
        countMemories: countLiveMemories,
        contents,
        dependents: [draftsOfBrain, keysOfBrain],
      }),
      ...analyticsOperations({ recalls }),
      ...connectionOperations({ ...linking, sources: accessOfSources(), onLinked: resumeSyncs(jobs) }),
      ...variableOperations({ vault, egress, publicUrl, consents }),
      ...telegramOperations({ sending, publicUrl, llm }),
      ...notificationOperations({ canMail: mail !== null }),
      ...usageOperations({ llm }),
      ...accountOperations({ publicUrl }),
    ],
    resources,
    signInConsents: createSignInConsents({ db: platform.db, transactions, vault, egress, clients, now, newId }),
    embedding: embeddingOf(platform),
    sealing: sealingOf(platform),
    telegram: defineTelegram(platform, { client, llm }),
    close: () => recalls.close(),
  };
}

function tokensOf({ config, transactions, vault, egress }: Platform, clients: ReturnType<typeof createClients>) {
  const { publicUrl, refreshLeaseMs: leaseMs } = config;
  return createTokenSource({ transactions, vault, egress, clients, publicUrl, leaseMs, now, newId });
}

/** What linking asks for, by source. */
function accessOfSources() {
  return new Map(
    sources.map((source) => [
      source.name,
      { provider: source.provider, toRead: scopesFor(source, 'read'), toAct: scopesFor(source, 'act') },
    ]),
  );
}

function recallsOf({ transactions, log }: Platform) {
  const onError = (err: unknown) => log.warn({ err }, 'recalls could not be counted');
  return createRecallRecord({ transactions, now, onError });
}

function meteredLlmOf({ llm, transactions, log }: Platform) {
  const onError = (err: unknown) => log.warn({ err }, 'what a language model used could not be written down');
  const onFailure = (err: unknown) => log.info({ err }, 'a language model gave no usable answer');
  return createMeteredLlm({ llm, transactions, onError, onFailure, now, newId });
}

function createSending(platform: Platform, reached: Parameters<typeof reachOf>[0]): Sending {
  const { transactions, jobs, mail, log, config } = platform;
  const times = sendTimes(config.sendTimeoutMs, config.settleAfterMs);
  const registry = createActionRegistry([...integrationActions, push]);
  const reachPhone = createPushReach(reached);
  const connect: Sending['connect'] = (draft, deadline) =>
    draft.source === push.source ? reachPhone(draft, deadline) : reachOf(reached, draft, deadline);
  const promptPhone = createPromptPhone({ publicUrl: config.publicUrl });
  const windows = windowsOf(config.mailGatherMs);
  const tellDeciders = createTellDeciders({ jobs, windows, canMail: mail !== null });
  return { transactions, registry, jobs, connect, promptPhone, tellDeciders, times, log, now, newId };
}

function mailingOf({ transactions, jobs, mail, log, config }: Platform): Parameters<typeof defineNotificationJobs>[0] {
  const { publicUrl, mailGatherMs } = config;
  return { transactions, jobs, mail, windows: windowsOf(mailGatherMs), publicUrl, log, now, newId };
}

/** Keeps brains in step with what is connected. */
function defineSyncing(
  { db, jobs, transactions, log, config }: Platform,
  client: ReturnType<typeof createProviderClient>,
): void {
  defineSyncJobs(jobs, {
    transactions,
    sourceOf: (name) => sources.find((source) => source.name === name),
    readerOf: createReaders(client),
    roleOf: async (bound, personId) => (await findPerson(bound, personId))?.role ?? null,
    listWorkspaces: () => asSystem(db, listWorkspaceIds),
    attachmentRoom: config.attachmentRoom,
    log,
    now,
    newId,
  });
}

/** Bots that were let go of are looked after in any case; listening begins with the server. */
function defineTelegram(
  { db, jobs, transactions, log, config }: Platform,
  parts: { client: ReturnType<typeof createProviderClient>; llm: MeteredLlm | null },
): Product['telegram'] {
  defineTelegramJobs(jobs, { transactions, listWorkspaces: () => asSystem(db, listWorkspaceIds), now, log });
  const { publicUrl, telegramPollMs: pollMs } = config;
  const doors = {
    transactions,
    publicUrl,
    pollMs,
    log,
    now,
    newId,
    asSystem: <T>(work: (bound: Db) => Promise<T>) => asSystem(db, work),
  };
  return (face) => createListening({ ...parts, ...face, ...doors });
}

function sealingOf({ db, transactions, vault, log }: Platform): Sealing {
  return createSealing({ transactions, vault, log, now, asSystem: (work) => asSystem(db, work) });
}

function consentsOf({ config, db, transactions, vault, egress }: Platform): Consents {
  const { publicUrl, providers: settings } = config;
  const redirectUris = { bundle: bundleCallback(publicUrl), playground: `${publicUrl}/oauth-playground/callback` };
  const ask = createAskConsent(egress);
  return createConsents({
    db,
    transactions,
    vault,
    ask,
    checkAddress: egress.checkResolved,
    baseUrls: { google: settings.google.baseUrl, hubspot: settings.hubspot.baseUrl },
    redirectUris,
    now,
    newId,
  });
}

function bundleCallback(publicUrl: string): string {
  return `${publicUrl}/bundle-oauth-callback`;
}

/** Its own writes are not watched, or it would never rest. */
function embeddingOf({ db, embedder, watched, telemetry, log }: Platform): Embedding | null {
  if (!embedder || !watched) return null;
  const counters = {
    embedded: telemetry.counter('thalamus_embedded_total', 'Memories and pages that were embedded.'),
    failed: telemetry.counter('thalamus_embedding_failures_total', 'Texts refused and calls failed by the embedder.'),
  };
  const embedding = createEmbedding({
    transactions: watched.unwatched,
    embedder,
    listWorkspaces: () => asSystem(db, listWorkspaceIds),
    log,
    count: (what, by) => counters[what].inc(by),
    now,
    newId,
  });
  watched.onWrite((workspaceId) => embedding.nudge(workspaceId));
  return embedding;
}
