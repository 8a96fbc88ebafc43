// Stores the lease and the tokens of a refresh.
import { isLeaseHeld, isFree, released, buildTakenLease } from '#platform/lease';
import { sql } from 'kysely';
import type { ConnectionRow, Db } from './connections.ts';

/** Sealed tokens with their expiry. An absent refresh token or expiry keeps the stored one. */
export type SealedTokens = {
  accessToken: string;
  accessExpiresAt: Date | null;
  refreshToken: string | null;
  endsAt: Date | null;
  /** Null: unchanged. */
  scopes: string[] | null;
};

/** Stores tokens and ends the lease. Undefined: another process took the lease, and nothing was stored. */
export async function storeTokens(
  db: Db,
  id: string,
  tokens: SealedTokens,
  { lease, at }: { lease: number | null; at: Date },
): Promise<Pick<ConnectionRow, 'lost_scopes'> | undefined> {
  const { scopes } = tokens;
  return db
    .updateTable('connections')
    .set({
      access_token: tokens.accessToken,
      access_expires_at: tokens.accessExpiresAt,
      ...(tokens.refreshToken && { refresh_token: tokens.refreshToken }),
      ...(tokens.endsAt && { ends_at: tokens.endsAt }),
      ...(scopes && {
        scopes,
        // Scopes that the renewal no longer has are missing until the account is linked again.
        lost_scopes: sql<string[]>`array(select distinct each from unnest(scopes || lost_scopes) each
          where each <> all (${scopes}::text[]))`,
      }),
      ...(lease !== null && { last_refresh_at: at }),
      ...released,
      retry_at: null,
      refresh_failures: 0,
      last_error: null,
      last_error_at: null,
      updated_at: at,
    })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .$if(lease !== null, (query) => query.where(isLeaseHeld({ lease_token: lease ?? 0 })))
    .returning('lost_scopes')
    .executeTakeFirst();
}

/**
 * Takes the lease to refresh. Undefined: another process has it. It uses the database's clock, because the clocks of
 * servers differ.
 */
export async function takeLease(db: Db, id: string, leaseMs: number): Promise<ConnectionRow | undefined> {
  const row = await db
    .updateTable('connections')
    .set(buildTakenLease(leaseMs))
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where(isFree)
    .returningAll()
    .executeTakeFirst();
  return row as ConnectionRow | undefined; // jsonb arrives parsed
}

/** Ends the lease without a refresh. */
export async function releaseLease(db: Db, id: string, lease: number): Promise<void> {
  await db
    .updateTable('connections')
    .set(released)
    .where('id', '=', id)
    .where(isLeaseHeld({ lease_token: lease }))
    .execute();
}

/** Ends the lease after an error, stores the error, and delays the next attempt. */
export async function delayNextRefresh(
  db: Db,
  id: string,
  failure: { lease: number; retryAt: Date; error: string; at: Date },
): Promise<void> {
  await db
    .updateTable('connections')
    .set({
      ...released,
      retry_at: failure.retryAt,
      refresh_failures: sql`refresh_failures + 1`,
      last_error: failure.error,
      last_error_at: failure.at,
    })
    .where('id', '=', id)
    .where(isLeaseHeld({ lease_token: failure.lease }))
    .execute();
}
