// A decision shows at once, and an answer that was on its way meanwhile must not bring the draft back.
const decided = new Set<string>();

/** Notes that a person decided about a draft on this page; what is pending never becomes so again. */
export function noteDecided(draftIds: Iterable<string>): void {
  for (const id of draftIds) decided.add(id);
}

/** The server did not take the decision: the draft still waits. */
export function forgetDecided(draftIds: Iterable<string>): void {
  for (const id of draftIds) decided.delete(id);
}

export function decidedHere(draftId: string): boolean {
  return decided.has(draftId);
}
