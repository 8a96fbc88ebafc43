import type { Action } from '#kernel/action';
import type { Source } from './reading/source.ts';
import type { ListedSource, ProviderParts } from './kit/define-provider.ts';
import { discordProvider } from './discord/index.ts';
import { githubProvider } from './github/index.ts';
import { googleProvider } from './google/index.ts';
import { httpJsonProvider } from './http-json/index.ts';
import { icsProvider } from './ics/index.ts';
import { linearProvider } from './linear/index.ts';
import { microsoftProvider } from './microsoft/index.ts';
import { mondayProvider } from './monday/index.ts';
import { notionProvider } from './notion/index.ts';
import { slackProvider } from './slack/index.ts';
import { telegramProvider } from './telegram/index.ts';

/** Every provider, in the order in which they are shown. */
export const providers: readonly ProviderParts[] = [
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
];

/** All sources. */
export const sources: readonly Source[] = providers.flatMap((each) => each.sources);

/** All integrations as people see them: the sources, and providers without a source. */
export const listedSources: readonly ListedSource[] = [...sources, ...providers.flatMap(({ listed }) => listed ?? [])];

/** All actions. */
export const integrationActions: readonly Action[] = providers.flatMap(({ actions }) => actions);

/** The parts that a sync of a source reads and does not read; undefined: it does not sync. */
export function findCoverage(source: string): Source['coverage'] {
  return sources.find(({ name }) => name === source)?.coverage;
}
