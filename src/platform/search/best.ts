export type Best<T> = {
  /** In order, best first. */
  readonly kept: readonly T[];
  offer(item: T): void;
};

/** Keeps the best few of many. `compare` is below 0 when its first argument is the better. */
export function createBest<T>(limit: number, compare: (one: T, other: T) => number): Best<T> {
  const kept: T[] = [];
  return {
    kept,
    offer(item) {
      const worst = kept[limit - 1];
      if (limit <= 0 || (worst !== undefined && compare(item, worst) >= 0)) return;
      let at = kept.length;
      while (at > 0 && compare(item, kept[at - 1]!) < 0) at -= 1;
      kept.splice(at, 0, item);
      if (kept.length > limit) kept.pop();
    },
  };
}
