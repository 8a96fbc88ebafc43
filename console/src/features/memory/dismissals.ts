// Pairs a person keeps both of. The server cannot take a dismissal back, so it is told once the time to undo is over.
import { useSyncExternalStore } from 'react';

export type Pair = { memory_id: string; duplicate_of: string };

let waiting: readonly Pair[] = [];
const listeners = new Set<() => void>();

/** Holds a pair back from the lists, or gives it back to them. */
export function holdBack(pair: Pair, isHeld: boolean): void {
  waiting = isHeld ? [...waiting, pair] : waiting.filter((each) => each !== pair);
  for (const tell of listeners) tell();
}

/** Whether two memories are a pair that is held back, whichever way round. */
export function useHeldBack(): (one: string, other: string) => boolean {
  const pairs = useSyncExternalStore(listen, () => waiting);
  return (one, other) =>
    pairs.some(({ memory_id: first, duplicate_of: second }) =>
      one === first ? other === second : one === second && other === first,
    );
}

function listen(tell: () => void): () => void {
  listeners.add(tell);
  return () => void listeners.delete(tell);
}
