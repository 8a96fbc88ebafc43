export type BestItems<T> = {
  /** In order, best first. */
  readonly kept: readonly T[];
  /** An item that is not better than this is not kept; undefined while there is room. */
  readonly bar: T | undefined;
  offer(item: T): void;
};

/**
 * Keeps the best few of many items. `compare` is negative when its first argument is better. Offers are sorted only
 * occasionally, so that an offer does not cost more when many are kept.
 */
export function createBest<T>(limit: number, compare: (one: T, other: T) => number): BestItems<T> {
  let items: T[] = [];
  let isOrdered = true;
  let bar: T | undefined;

  function order(): T[] {
    if (isOrdered) return items;
    items = items.sort(compare).slice(0, limit);
    isOrdered = true;
    if (items.length === limit) bar = items[limit - 1];
    return items;
  }

  return {
    get kept() {
      return order();
    },
    get bar() {
      return bar;
    },
    offer(item) {
      if (limit <= 0 || (bar !== undefined && compare(item, bar) >= 0)) return;
      items.push(item);
      isOrdered = false;
      if (items.length >= 2 * limit) order();
    },
  };
}
