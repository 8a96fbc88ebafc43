/**
 * Which state may follow which. `ambiguous`: it may have been sent, and the outcome is unknown. `failed` can still
 * become confirmed when the provider's own answer comes late: that answer takes precedence. `undone`: it was sent, and
 * undone.
 */
export const nextStates = {
  pending: ['confirming', 'discarded', 'expired', 'stale'],
  confirming: ['confirmed', 'failed', 'ambiguous', 'stale'],
  ambiguous: ['confirmed', 'failed'],
  failed: ['confirmed'],
  confirmed: ['undone'],
  discarded: [],
  expired: [],
  stale: [],
  undone: [],
} as const satisfies Record<string, readonly string[]>;

export type DraftState = keyof typeof nextStates;

export const draftStates = Object.keys(nextStates) as [DraftState, ...DraftState[]]; // the table's own keys

const openStates: readonly DraftState[] = ['pending', 'confirming', 'ambiguous'];

/** Whether one state may follow another. */
export function mayFollow(from: DraftState, to: DraftState): boolean {
  return (nextStates[from] as readonly DraftState[]).includes(to);
}

/** Whether a draft has its final outcome: no process works on it any more. */
export function isFinalState(state: DraftState): boolean {
  return !openStates.includes(state);
}

const neverSent: readonly DraftState[] = ['pending', 'discarded', 'expired', 'stale'];

/** Whether it is certain that nothing of a draft was sent. For a failed draft only the stored error shows that. */
export function isSurelyUnsent({
  status,
  error,
}: {
  status: DraftState;
  error: Record<string, unknown> | null;
}): boolean {
  return neverSent.includes(status) || (status === 'failed' && error?.['nothing_was_sent'] === true);
}
