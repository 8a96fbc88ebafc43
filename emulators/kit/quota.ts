// A limit of requests per key, counted in fixed windows, for testing back-off.

/** A limit of requests per time window and account. */
export type Quota = { requests: number; seconds: number };

/** The use of a key's window, including this request. */
export type QuotaState = { used: number; limit: number; resetsAt: Date; exceeded: boolean };

/** Counts requests. Without a limit `count` answers undefined; with a `weight` of 0 it only looks. */
export type QuotaMeter = {
  set(quota: Quota | undefined): void;
  count(key: string, now: Date, weight?: number): QuotaState | undefined;
};

/** A meter without a limit, until one is set. */
export function createQuotaMeter(initial?: Quota): QuotaMeter {
  let quota = initial;
  let windows = new Map<string, { start: number; count: number }>();
  return {
    set(next) {
      quota = next;
      windows = new Map();
    },
    count(key, now, weight = 1) {
      if (!quota) return undefined;
      const length = quota.seconds * 1000;
      const known = windows.get(key);
      const window = known && now.getTime() < known.start + length ? known : { start: now.getTime(), count: 0 };
      window.count += weight;
      windows.set(key, window);
      return {
        used: window.count,
        limit: quota.requests,
        resetsAt: new Date(window.start + length),
        exceeded: window.count > quota.requests,
      };
    },
  };
}
