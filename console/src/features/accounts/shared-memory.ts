import type { Share } from '../actions/unasked.ts';

/** What every agent gets, and what needs approval, by how many actions the rules allow without it. */
export const sharedMemory: Record<Share, string> = {
  none: 'All agents share one memory. Actions outside Thalamus wait for your approval.',
  some: 'All agents share one memory. Some actions outside Thalamus run without approval.',
  all: 'All agents share one memory. Actions outside Thalamus run without approval.',
};
