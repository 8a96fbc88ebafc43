import type { AllowedShare } from '../actions/without-approval.ts';

/** Describes what every agent gets, and what needs approval under the current rules. */
export const sharedMemory: Record<AllowedShare, string> = {
  none: 'All agents share one memory. Actions outside Thalamus wait for your approval.',
  some: 'All agents share one memory. Some actions outside Thalamus run without approval.',
  all: 'All agents share one memory. Actions outside Thalamus run without approval.',
};
