/**
 * Which state may follow which. `ambiguous` means: it may have been sent, and nobody knows yet. `failed` can still turn
 * out confirmed when the provider's own answer comes late: then the truth wins. `undone`: it was sent, and taken back.
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

/** Whether a draft is done: nobody works on it any more. */
export function isSettled(state: DraftState): boolean {
  return !openStates.includes(state);
}

const neverSent: readonly DraftState[] = ['pending', 'discarded', 'expired', 'stale'];

/** Whether surely nothing of a draft was sent. Of a draft that failed only the stored error says so. */
export function nothingWasSent({
  status,
  error,
}: {
  status: DraftState;
  error: Record<string, unknown> | null;
}): boolean {
  return neverSent.includes(status) || (status === 'failed' && error?.['nothing_was_sent'] === true);
}
