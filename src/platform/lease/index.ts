// Leases: the right of one process to work on a row for a while, by the clock of the database. A lease is two columns
// of that row: `lease_until`, and `lease_token`, which counts its holders and rejects the writes of former ones.
import { createBackground } from '#platform/background';
import { computeTimeFromNow } from '#platform/database';
import { sql, type RawBuilder } from 'kysely';

/** The columns. `lease_until` is null while no process has the lease. */
export type Lease = { lease_token: number; lease_until: Date | null };

/** The values of a new row. */
export const noLease: Lease = { lease_token: 0, lease_until: null };

/** The condition that the lease is free: no process has it, or it has expired. */
export const isFree = sql<boolean>`(lease_until is null or lease_until < clock_timestamp())`;

/** The values that take the lease for this long, for the statement that checks that it is free and returns the row. */
export function buildTakenLease(forMs: number) {
  return { lease_token: sql<number>`lease_token + 1`, lease_until: computeTimeFromNow(forMs) };
}

/** The values that extend the holder's lease for this long from now. */
export function buildExtendedLease(forMs: number): { lease_until: RawBuilder<Date> } {
  return { lease_until: computeTimeFromNow(forMs) };
}

/** The values that release the holder's lease. */
export const released = { lease_until: null };

/** The values that revoke the lease; any process may take it. */
export function buildRevokedLease(table: string) {
  return { lease_token: sql<number>`${sql.ref(`${table}.lease_token`)} + 1`, lease_until: null };
}

/**
 * The condition that no other process took the lease since this row was read, so that its holder may write, even after
 * expiry.
 */
export function isLeaseHeld({ lease_token }: Pick<Lease, 'lease_token'>): RawBuilder<boolean> {
  return sql<boolean>`lease_token = ${lease_token}`;
}

type KeptLease = AsyncDisposable & {
  /** Aborts when another process has the lease. */
  lost: AbortSignal;
  /** Extends it now. */
  keepNow(): Promise<void>;
};

/**
 * Extends a lease at intervals until it is disposed of. The lease is lost when `keep` returns false. An error is
 * reported and retried; the lease expires when no attempt succeeds.
 */
export function keepLease(
  keep: () => Promise<boolean>,
  { everyMs, onError }: { everyMs: number; onError: (error: unknown) => void },
): KeptLease {
  const lost = new AbortController();
  const round = async () => void ((await keep()) || lost.abort());
  const keeping = createBackground(round, { everyMs, firstAfterMs: everyMs, onError });
  keeping.start();
  return { lost: lost.signal, keepNow: () => round().catch(onError), [Symbol.asyncDispose]: keeping.stop };
}
