import type { Brain } from './brains.ts';

/** A brain and its depth below the first visible one. */
export type Branch = { brain: Brain; depth: number };

/** Brains in tree order. A brain without a visible parent is at the top. */
export function buildBrainTree(brains: readonly Brain[]): Branch[] {
  const known = new Set(brains.map(({ id }) => id));
  const listChildren = (parent: string | null, depth: number): Branch[] =>
    brains
      .filter(({ parent_brain_id }) =>
        parent === null ? !parent_brain_id || !known.has(parent_brain_id) : parent_brain_id === parent,
      )
      .flatMap((brain) => [{ brain, depth }, ...listChildren(brain.id, depth + 1)]);
  return listChildren(null, 0);
}
