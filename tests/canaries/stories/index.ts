// Whoever builds something that touches a secret adds its story here.
import type { CanaryStage } from '../stage.ts';
import { addresses } from './addresses.ts';
import { connections } from './connections.ts';
import { links } from './links.ts';
import { telegram } from './telegram.ts';
import { variables } from './variables.ts';
import { webhooks } from './webhooks.ts';

/** Each plants secrets and does with them all that can be done. It throws when what it does fails. */
export const stories: readonly [name: string, run: (stage: CanaryStage) => Promise<void>][] = [
  ['variables', variables],
  ['links', links],
  ['connections', connections],
  ['telegram', telegram],
  ['addresses', addresses],
  ['webhooks', webhooks],
];
