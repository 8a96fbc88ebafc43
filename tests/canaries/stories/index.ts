// Add a story here for each new feature that handles a secret.
import type { CanaryStage } from '../stage.ts';
import { runAddressesStory } from './addresses.ts';
import { runConnectionsStory } from './connections.ts';
import { runLinksStory } from './links.ts';
import { runTelegramStory } from './telegram.ts';
import { runVariablesStory } from './variables.ts';
import { runWebhooksStory } from './webhooks.ts';

/** Each story plants secrets and uses them in every possible way. It throws when a step fails. */
export const stories: readonly [name: string, run: (stage: CanaryStage) => Promise<void>][] = [
  ['variables', runVariablesStory],
  ['links', runLinksStory],
  ['connections', runConnectionsStory],
  ['telegram', runTelegramStory],
  ['addresses', runAddressesStory],
  ['webhooks', runWebhooksStory],
];
