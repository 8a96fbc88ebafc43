// The right of one process to work on a row for a while, by the clock of the database. A lease is two columns of that row:
// `lease_until`, and `lease_token`, which counts its holders and fences off the writes of former ones.
import { background } from '#platform/background';
import { fromNow } from '#platform/database';
import { sql, type RawBuilder } from 'kysely';

/** The columns. `lease_until` is null while nobody has the lease. */
export type Lease = { lease_token: number; lease_until: Date | null };

/** What a row that is new has. */
export const noLease: Lease = { lease_token: 0, lease_until: null };

/** Where nobody has the lease, or its time is over. */
export const isFree = sql<boolean>`(lease_until is null or lease_until < clock_timestamp())`;

/** Sets that the lease is taken for so long: to be set where it is free, in the statement that answers the row. */
export function taken(forMs: number) {
  return { lease_token: sql<number>`lease_token + 1`, lease_until: fromNow(forMs) };
}

/** Sets that its holder keeps the lease for so long from now. */
export function kept(forMs: number): { lease_until: RawBuilder<Date> } {
  return { lease_until: fromNow(forMs) };
}

/** Sets that its holder gives the lease back. */
export const released = { lease_until: null };

/** Sets that whoever has the lease has lost it, and anybody may take it. */
export function revoked(table: string) {
  return { lease_token: sql<number>`${sql.ref(`${table}.lease_token`)} + 1`, lease_until: null };
}

/** Where nobody took the lease since this row was read, so that its holder may write, even after its time. */
export function holds({ lease_token }: Pick<Lease, 'lease_token'>): RawBuilder<boolean> {
  return sql<boolean>`lease_token = ${lease_token}`;
}

type Kept = AsyncDisposable & {
  /** Aborts when somebody else has the lease. */
  lost: AbortSignal;
  /** Keeps it now. */
  keepNow(): Promise<void>;
};

/**
 * Keeps a lease every so often until it is disposed of. It is lost when `keep` answers false. One that fails is told and tried again;
 * the lease ends by itself when none succeeds.
 */
export function keepLease(
  keep: () => Promise<boolean>,
  { everyMs, onError }: { everyMs: number; onError: (error: unknown) => void },
): Kept {
  const lost = new AbortController();
  const round = async () => void ((await keep()) || lost.abort());
  const keeping = background(round, { everyMs, firstAfterMs: everyMs, onError });
  keeping.start();
  return { lost: lost.signal, keepNow: () => round().catch(onError), [Symbol.asyncDispose]: keeping.stop };
}
