import type { Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { LRUCache } from 'lru-cache';
import { takeFromMinute, type Limiter } from './store/rate-limits.ts';

/** The part of a caller's minute that this process may use without asking the database again. */
type Lease = { left: number; endsAt: number; isUsedUp: boolean };

/** A caller with its own minute. */
type LimitedCaller = { id: string; workspaceId: string };

type RateLimitOptions = {
  /** Its own minutes: no other limiter counts in them. */
  limiter: Limiter;
  transactions: Transactions;
  callsPerMinute: number;
  now: () => Date;
};

const minute = 60_000;
const mostLeases = 10_000;

/**
 * Creates the limiter. Calls are leased from the database in chunks of a twentieth of the limit, so that most calls
 * only touch memory and all processes together still respect the limit.
 */
export function createRateLimit(options: RateLimitOptions) {
  const { limiter, transactions, callsPerMinute, now } = options;
  const chunk = Math.max(1, Math.ceil(callsPerMinute / 20));
  const leases = new LRUCache<string, Lease>({ max: mostLeases }); // one that is dropped loses at most a chunk
  const renewals = new Map<string, Promise<Lease>>();

  async function renew(caller: LimitedCaller): Promise<Lease> {
    const at = now();
    const { taken, windowStart } = await transactions.run(caller.workspaceId, 'write', (db) =>
      takeFromMinute(db, {
        limiter,
        workspaceId: caller.workspaceId,
        subjectId: caller.id,
        wanted: chunk,
        limit: callsPerMinute,
        now: at,
      }),
    );
    return { left: taken, endsAt: windowStart.getTime() + minute, isUsedUp: taken === 0 };
  }

  /** One renewal at a time for each caller; all waiting calls share its result. */
  function renewal(caller: LimitedCaller): Promise<Lease> {
    const running = renewals.get(caller.id);
    if (running) return running;
    const begun = renew(caller).finally(() => renewals.delete(caller.id));
    renewals.set(caller.id, begun);
    return begun;
  }

  async function takeAfterRenewal(caller: LimitedCaller): Promise<void> {
    for (;;) {
      const lease = await renewal(caller);
      leases.set(caller.id, lease);
      if (take(caller)) return;
      if (lease.isUsedUp) throw createRateLimitError(callsPerMinute, lease.endsAt - now().getTime());
    }
  }

  function take(caller: LimitedCaller): boolean {
    const lease = leases.get(caller.id);
    if (!lease || lease.left <= 0 || lease.endsAt <= now().getTime()) return false;
    lease.left -= 1;
    return true;
  }

  /** Takes one call from the caller's minute, or throws `rate_limited` with the seconds to wait. */
  return function limit(caller: LimitedCaller): Promise<void> | void {
    if (!take(caller)) return takeAfterRenewal(caller);
  };
}

function createRateLimitError(callsPerMinute: number, waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError(
    'rate_limited',
    `More than ${callsPerMinute} calls in a minute. Wait ${seconds} s, then continue.`,
    {
      retry_after: seconds,
    },
  );
}
