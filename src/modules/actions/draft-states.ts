/** Which state may follow which. `ambiguous` means: it may have been sent, and nobody knows yet. */
export const nextStates = {
  pending: ['confirming', 'discarded', 'expired', 'stale'],
  confirming: ['confirmed', 'failed', 'ambiguous'],
  ambiguous: ['confirmed', 'failed'],
  confirmed: [],
  failed: [],
  discarded: [],
  expired: [],
  stale: [],
} as const satisfies Record<string, readonly string[]>;

export type DraftState = keyof typeof nextStates;

export const draftStates = Object.keys(nextStates) as [DraftState, ...DraftState[]]; // the table's own keys

/** Whether one state may follow another. */
export function mayFollow(from: DraftState, to: DraftState): boolean {
  return (nextStates[from] as readonly DraftState[]).includes(to);
}

/** Whether nothing more will happen to a draft. */
export function isFinal(state: DraftState): boolean {
  return nextStates[state].length === 0;
}
