import type { Action } from '#kernel/action';
import type { Source } from './reading/source.ts';
import type { Provider } from '#kernel/provider';
import type { ConfigurableProvider } from '#platform/config';
import {
  listConfigurable,
  type Adapter,
  type AdapterOperation,
  type GuideEntry,
  type ListedSource,
  type OwnClientProvider,
  type ProviderParts,
} from './kit/index.ts';
import { discordProvider } from './discord/index.ts';
import { githubProvider } from './github/index.ts';
import { googleProvider } from './google/index.ts';
import { httpJsonProvider } from './http-json/index.ts';
import { hubspotProvider } from './hubspot/index.ts';
import { icsProvider } from './ics/index.ts';
import { linearProvider } from './linear/index.ts';
import { microsoftProvider } from './microsoft/index.ts';
import { mondayProvider } from './monday/index.ts';
import { notionProvider } from './notion/index.ts';
import { slackProvider } from './slack/index.ts';
import { telegramProvider } from './telegram/index.ts';

/** Every provider, in display order. */
const providers: readonly ProviderParts[] = [
  googleProvider,
  microsoftProvider,
  githubProvider,
  linearProvider,
  mondayProvider,
  notionProvider,
  slackProvider,
  discordProvider,
  telegramProvider,
  icsProvider,
  httpJsonProvider,
  hubspotProvider,
];

/** How accounts are linked, by provider. */
export const accountProviders: readonly Provider[] = providers.flatMap(({ account }) => account ?? []);

/** What the operator can set, by provider. */
export const configurableProviders: readonly ConfigurableProvider[] = providers.flatMap(listConfigurable);

/** The providers at which people get tokens with an OAuth client of their own. */
export const ownClientProviders: readonly OwnClientProvider[] = providers.flatMap(({ ownClient }) => ownClient ?? []);

/** What the guides say of each service. */
export const guideEntries: readonly GuideEntry[] = providers.flatMap(({ guide = [] }) => guide);

/** All sources. */
export const sources: readonly Source[] = providers.flatMap((each) => each.sources);

/** All integrations as people see them: the sources, and the providers without a source. */
export const listedSources: readonly ListedSource[] = [...sources, ...providers.flatMap(({ listed }) => listed ?? [])];

/** All actions. */
export const integrationActions: readonly Action[] = providers.flatMap(({ actions }) => actions);

/** What boards can read, by kinds. */
export const adapters: readonly Adapter[] = providers.flatMap((each) => each.adapters ?? []);

const adapterOperations = new Map(adapters.flatMap(({ operations }) => operations.map((each) => [each.name, each])));

/** The operation of an adapter by its name, such as `github.list_open_prs`. */
export function findAdapterOperation(name: string): AdapterOperation | undefined {
  return adapterOperations.get(name);
}

/** The parts that a sync of a source reads and does not read; undefined: it does not sync. */
export function findCoverage(source: string): Source['coverage'] {
  return sources.find(({ name }) => name === source)?.coverage;
}
