// An optional limit of requests per account, counted in fixed windows, for testing back-off.
import { legacyError, modernError } from './errors.ts';
import type { Api } from './errors.ts';

/** So many requests in so many seconds, per account. */
export type Quota = { requests: number; seconds: number };

/** Counts requests; `check` throws once an account is over its limit. */
export type QuotaMeter = { set(quota: Quota | undefined): void; check(api: Api, account: string, now: Date): void };

function exceeded(api: Api, until: Date) {
  if (api === 'calendar' || api === 'drive') {
    return legacyError(403, {
      domain: 'usageLimits',
      reason: 'userRateLimitExceeded',
      message: 'User Rate Limit Exceeded',
    });
  }
  const message = `User-rate limit exceeded.  Retry after ${until.toISOString()}`;
  return modernError(429, { domain: 'usageLimits', reason: 'rateLimitExceeded', message });
}

/** A meter without a limit, until one is set. */
export function createQuotaMeter(initial?: Quota): QuotaMeter {
  let quota = initial;
  let windows = new Map<string, { start: number; count: number }>();
  return {
    set(next) {
      quota = next;
      windows = new Map();
    },
    check(api, account, now) {
      if (!quota) return;
      const length = quota.seconds * 1000;
      const known = windows.get(account);
      const window = known && now.getTime() < known.start + length ? known : { start: now.getTime(), count: 0 };
      window.count += 1;
      windows.set(account, window);
      if (window.count > quota.requests) throw exceeded(api, new Date(window.start + length));
    },
  };
}
