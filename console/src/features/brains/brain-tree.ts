import type { Brain } from './requests.ts';

/** A brain and how deep it stands below the first one that is visible. */
export type Branch = { brain: Brain; depth: number };

/** Brains in the order of their tree. One whose parent is not visible stands at the top. */
export function treeOf(brains: readonly Brain[]): Branch[] {
  const known = new Set(brains.map(({ id }) => id));
  const childrenOf = (parent: string | null, depth: number): Branch[] =>
    brains
      .filter(({ parent_brain_id }) =>
        parent === null ? !parent_brain_id || !known.has(parent_brain_id) : parent_brain_id === parent,
      )
      .flatMap((brain) => [{ brain, depth }, ...childrenOf(brain.id, depth + 1)]);
  return childrenOf(null, 0);
}
