// Add a story here for each new feature that handles a secret.
import type { CanaryStage } from '../stage.ts';
import { addresses } from './addresses.ts';
import { connections } from './connections.ts';
import { links } from './links.ts';
import { telegram } from './telegram.ts';
import { variables } from './variables.ts';
import { webhooks } from './webhooks.ts';

/** Each story plants secrets and uses them in every possible way. It throws when a step fails. */
export const stories: readonly [name: string, run: (stage: CanaryStage) => Promise<void>][] = [
  ['variables', variables],
  ['links', links],
  ['connections', connections],
  ['telegram', telegram],
  ['addresses', addresses],
  ['webhooks', webhooks],
];
