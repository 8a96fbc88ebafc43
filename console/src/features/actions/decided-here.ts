// Shows a decision at once. A late answer must not bring the draft back.
const decided = new Set<string>();

/** Marks a draft as decided on this page. A decided draft never becomes pending again. */
export function noteDecided(draftIds: Iterable<string>): void {
  for (const id of draftIds) decided.add(id);
}

/** Unmarks a draft whose decision the server rejected. */
export function forgetDecided(draftIds: Iterable<string>): void {
  for (const id of draftIds) decided.delete(id);
}

export function isDecidedHere(draftId: string): boolean {
  return decided.has(draftId);
}
