import { isLeaseHeld, noLease, buildRevokedLease, type Lease } from '#platform/lease';
import { sql, type ColumnType, type Kysely } from 'kysely';
import type { ConnectionSettings } from '../credential.ts';
import { isAccountHolder, type AccountHolder } from '../holders.ts';

export type ConnectionRow = Lease & {
  id: string;
  workspace_id: string;
  /** The person who linked it, and its owner unless it is shared. */
  person_id: string;
  provider: string;
  kind: 'oauth' | 'token';
  is_shared: boolean;
  account_id: string;
  account: string;
  /** The permanent name of its pages: the first name, unique among the accounts of the provider. */
  known_as: string;
  scopes: string[];
  lost_scopes: string[];
  settings: ConnectionSettings;
  status: 'active' | 'reconnect_needed' | 'revoked';
  status_reason: string | null;
  access_token: string | null;
  /** Null: it does not expire. */
  access_expires_at: Date | null;
  refresh_token: string | null;
  ends_at: Date | null;
  retry_at: Date | null;
  refresh_failures: number;
  last_refresh_at: Date | null;
  last_error: string | null;
  last_error_at: Date | null;
  last_used_at: Date | null;
  last_sync_at: Date | null;
  connected_at: Date;
  /** When it was disconnected here. */
  revoked_at: Date | null;
  updated_at: Date;
};
type Tables = { connections: Omit<ConnectionRow, 'settings'> & { settings: ColumnType<ConnectionSettings, string> } };
export type Db = Kysely<Tables>;

/** An id that matches no person, because an SQL list must not be empty. */
const nobody = '00000000-0000-0000-0000-000000000000';

export async function findConnection(db: Db, id: string): Promise<ConnectionRow | undefined> {
  return select(db).where('id', '=', id).executeTakeFirst();
}

/** The accounts of these owners, in the order of the owners, oldest first. */
export async function listConnections(
  db: Db,
  holders: readonly AccountHolder[],
  filter: { provider?: string | undefined; ids?: readonly string[] } = {},
): Promise<ConnectionRow[]> {
  const people = holders.filter(({ scope }) => scope === 'person').map(({ scopeId }) => scopeId);
  const rows = await select(db)
    .where((eb) => eb.or([eb('person_id', 'in', [...people, nobody]), eb('is_shared', '=', true)]))
    .$if(filter.provider !== undefined, (query) => query.where('provider', '=', filter.provider ?? ''))
    .$if(filter.ids !== undefined, (query) => query.where('id', 'in', filter.ids ?? []))
    .orderBy('connected_at')
    .execute();
  return holders.flatMap((holder) => rows.filter((row) => isAccountHolder(row, holder)));
}

/** Accounts of everybody in the workspace that were linked by consent and work. */
export async function listLinked(db: Db, provider: string): Promise<ConnectionRow[]> {
  const rows = select(db).where('provider', '=', provider).where('kind', '=', 'oauth').where('status', '=', 'active');
  return rows.execute();
}

function select(db: Db) {
  return db.selectFrom('connections').selectAll();
}

export type LinkedAccount = Pick<
  ConnectionRow,
  | 'id'
  | 'workspace_id'
  | 'person_id'
  | 'provider'
  | 'kind'
  | 'is_shared'
  | 'account_id'
  | 'account'
  | 'scopes'
  | 'settings'
> & { at: Date };

/** The row of an account: a new one, or the existing one when it is linked again. */
export async function upsertAccount(db: Db, { at, settings, ...account }: LinkedAccount): Promise<{ id: string }> {
  const fresh = {
    ...account,
    known_as: await chooseAccountName(db, account),
    settings: JSON.stringify(settings),
    status: 'active' as const,
    status_reason: null,
    lost_scopes: [],
    access_token: null,
    access_expires_at: null,
    refresh_token: null,
    ends_at: null,
    revoked_at: null,
    retry_at: null,
    refresh_failures: 0,
    last_error: null,
    last_error_at: null,
    updated_at: at,
  };
  const nothingYet = { ...noLease, last_refresh_at: null, last_used_at: null, last_sync_at: null };
  const { id: _kept, person_id: linkedBy, ...changed } = fresh;
  const again = {
    ...changed,
    settings: sql<ConnectionSettings>`excluded.settings`,
    ...(account.is_shared && { person_id: linkedBy }),
    // Some providers send a refresh token only at the first consent. It stays valid.
    refresh_token: sql<
      string | null
    >`case when connections.kind = 'oauth' and excluded.kind = 'oauth' then connections.refresh_token end`,
    ...buildRevokedLease('connections'), // a running refresh of the old grant must not store its tokens
  };
  const identity = account.is_shared
    ? (['workspace_id', 'provider', 'account_id'] as const)
    : (['workspace_id', 'person_id', 'provider', 'account_id'] as const);
  return db
    .insertInto('connections')
    .values({ ...fresh, ...nothingYet, connected_at: at })
    .onConflict((conflict) =>
      conflict
        .columns([...identity])
        // Written out, so that PostgreSQL picks the right partial index.
        .where(account.is_shared ? sql<boolean>`is_shared` : sql<boolean>`not is_shared`)
        .doUpdateSet(again),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
}

/**
 * The account's existing name, or the provider's. If another account has that name, the id is appended. An unlinked
 * account frees its name, because a recreated address is another account with the same name.
 */
async function chooseAccountName(
  db: Db,
  { workspace_id, provider, account_id, account }: Omit<LinkedAccount, 'at' | 'settings'>,
): Promise<string> {
  // Of two accounts with one name that are linked at once, one waits for the other.
  await sql`select pg_advisory_xact_lock(hashtext('thalamus account names'), hashtext(${`${workspace_id} ${provider}`}))`.execute(
    db,
  );
  const known = await select(db)
    .where('provider', '=', provider)
    .where((eb) => eb.or([eb('account_id', '=', account_id), eb('status', '!=', 'revoked')]))
    .execute();
  const own = known.find((row) => row.account_id === account_id)?.known_as ?? account;
  const isTaken = known.some(
    (row) => row.account_id !== account_id && row.status !== 'revoked' && row.known_as === own,
  );
  return isTaken ? `${account} (${account_id})` : own;
}

/** Disconnects an account and deletes its tokens. With a lease: only if nobody relinked or refreshed it meanwhile. */
export async function endConnection(
  db: Db,
  id: string,
  end: { status: 'reconnect_needed' | 'revoked'; reason: string; lease: number | null; at: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('connections')
    .set({
      status: end.status,
      status_reason: end.reason,
      access_token: null,
      refresh_token: null,
      access_expires_at: null,
      ends_at: null,
      revoked_at: end.status === 'revoked' ? end.at : null,
      ...buildRevokedLease('connections'), // a refresh under way must not store its tokens here
      updated_at: end.at,
    })
    .where('id', '=', id)
    .$if(end.lease !== null, (query) => query.where(isLeaseHeld({ lease_token: end.lease ?? 0 })))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Disconnects a person's own accounts and deletes their tokens. Accounts of the workspace stay. */
export async function endConnectionsOfPerson(db: Db, personId: string, at: Date): Promise<void> {
  const own = await db
    .selectFrom('connections')
    .select('id')
    .where('person_id', '=', personId)
    .where('is_shared', '=', false)
    .where('status', '<>', 'revoked')
    .execute();
  const reason = 'The access of the person who linked it ended. Link the account again.';
  for (const { id } of own) await endConnection(db, id, { status: 'revoked', reason, lease: null, at });
}

/** Records the last use of an account, at most once a minute. */
export async function recordUse(db: Db, id: string, at: Date): Promise<void> {
  const before = new Date(at.getTime() - 60_000);
  await db
    .updateTable('connections')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', before)]))
    .execute();
}

/** Records the last sync of the account. */
export async function recordSync(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('connections').set({ last_sync_at: at }).where('id', '=', id).execute();
}

/** Records the last error of an account. Null: it works. */
export async function recordError(db: Db, id: string, error: string | null, at: Date): Promise<void> {
  await db
    .updateTable('connections')
    .set({ last_error: error, last_error_at: error === null ? null : at })
    .where('id', '=', id)
    .execute();
}

/** Updates the name of an account, which people can change at the provider. */
export async function rename(db: Db, id: string, account: string): Promise<void> {
  await db.updateTable('connections').set({ account }).where('id', '=', id).where('account', '!=', account).execute();
}
