import type { Located } from '#kernel/resource';
import { sql, type Kysely } from 'kysely';

export type ConnectionRow = {
  id: string;
  workspace_id: string;
  person_id: string;
  provider: string;
  account_id: string;
  account: string;
  scopes: string[];
  status: 'active' | 'revoked';
  status_reason: string | null;
  access_token: string | null;
  access_expires_at: Date | null;
  refresh_token: string | null;
  lease_token: number;
  lease_until: Date | null;
  retry_at: Date | null;
  refresh_failures: number;
  connected_at: Date;
  updated_at: Date;
};
type Tables = { connections: ConnectionRow };
type Db = Kysely<Tables>;

export async function findConnection(db: Db, id: string): Promise<ConnectionRow | undefined> {
  return db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A person's accounts at a provider, the longest linked first. */
export async function listConnections(db: Db, personId: string, provider?: string): Promise<ConnectionRow[]> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where('person_id', '=', personId)
    .$if(provider !== undefined, (query) => query.where('provider', '=', provider ?? ''))
    .orderBy('connected_at')
    .execute();
}

export async function locateConnections(db: Db, ids: readonly string[], personId: string): Promise<Located[]> {
  const rows = await db
    .selectFrom('connections')
    .select('id')
    .where('id', 'in', ids)
    .where('person_id', '=', personId)
    .execute();
  return rows.map((row) => ({ id: row.id, brainId: null }));
}

export type LinkedAccount = {
  id: string;
  workspaceId: string;
  personId: string;
  provider: string;
  accountId: string;
  account: string;
  scopes: string[];
  at: Date;
};

/** The row of an account: a new one, or the one it has when it is linked again. Answers its id. */
export async function upsertAccount(db: Db, account: LinkedAccount): Promise<string> {
  const { id, workspaceId, personId, provider, accountId, at, scopes } = account;
  const row = await db
    .insertInto('connections')
    .values({
      id,
      workspace_id: workspaceId,
      person_id: personId,
      provider,
      account_id: accountId,
      account: account.account,
      scopes,
      status: 'active',
      status_reason: null,
      access_token: null,
      access_expires_at: null,
      refresh_token: null,
      lease_token: 0,
      lease_until: null,
      retry_at: null,
      refresh_failures: 0,
      connected_at: at,
      updated_at: at,
    })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'person_id', 'provider', 'account_id']).doUpdateSet({
        account: account.account,
        scopes,
        status: 'active',
        status_reason: null,
        retry_at: null,
        refresh_failures: 0,
        lease_token: sql`connections.lease_token + 1`, // a refresh under way with the old grant must not store its tokens
        lease_until: null,
        updated_at: at,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Sealed tokens; a refresh token that is absent leaves the stored one. */
export type SealedTokens = { accessToken: string; accessExpiresAt: Date; refreshToken: string | null };

/** Stores tokens and ends the lease. False when somebody else took the lease meanwhile; then nothing is stored. */
export async function storeTokens(
  db: Db,
  id: string,
  tokens: SealedTokens,
  lease: number | null,
  at: Date,
): Promise<boolean> {
  const row = await db
    .updateTable('connections')
    .set({
      access_token: tokens.accessToken,
      access_expires_at: tokens.accessExpiresAt,
      ...(tokens.refreshToken && { refresh_token: tokens.refreshToken }),
      lease_until: null,
      retry_at: null,
      refresh_failures: 0,
      updated_at: at,
    })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .$if(lease !== null, (query) => query.where('lease_token', '=', lease ?? 0))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes the right to refresh, for as long as the slowest attempt may take. Undefined: somebody else has it. */
export async function takeLease(db: Db, id: string, at: Date, until: Date): Promise<ConnectionRow | undefined> {
  return db
    .updateTable('connections')
    .set({ lease_token: sql`lease_token + 1`, lease_until: until })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', at)]))
    .returningAll()
    .executeTakeFirst();
}

/** Gives the lease back unused. */
export async function giveBack(db: Db, id: string, lease: number): Promise<void> {
  await db
    .updateTable('connections')
    .set({ lease_until: null })
    .where('id', '=', id)
    .where('lease_token', '=', lease)
    .execute();
}

/** Gives the lease back after a failure, and holds further attempts off for a while. */
export async function backOff(db: Db, id: string, lease: number, retryAt: Date): Promise<void> {
  await db
    .updateTable('connections')
    .set({ lease_until: null, retry_at: retryAt, refresh_failures: sql`refresh_failures + 1` })
    .where('id', '=', id)
    .where('lease_token', '=', lease)
    .execute();
}

/** Ends a connection and forgets its tokens. With a lease: only if nobody linked or refreshed it meanwhile. */
export async function endConnection(
  db: Db,
  id: string,
  reason: string,
  lease: number | null,
  at: Date,
): Promise<boolean> {
  const row = await db
    .updateTable('connections')
    .set({
      status: 'revoked',
      status_reason: reason,
      access_token: null,
      refresh_token: null,
      access_expires_at: null,
      lease_until: null,
      lease_token: sql`lease_token + 1`, // a refresh under way must not store its tokens here
      updated_at: at,
    })
    .where('id', '=', id)
    .$if(lease !== null, (query) => query.where('lease_token', '=', lease ?? 0))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
