import { sql, type Kysely } from 'kysely';

export const authenticatorKinds = ['password', 'passkey', 'totp', 'provider'] as const;
export type AuthenticatorKind = (typeof authenticatorKinds)[number];

export type AuthenticatorRow = {
  id: string;
  identity_id: string;
  kind: AuthenticatorKind;
  label: string;
  lookup_hash: string | null;
  data: Record<string, unknown>;
  created_at: Date;
  confirmed_at: Date | null;
  last_used_at: Date | null;
};
type Tables = {
  authenticators: AuthenticatorRow;
  recovery_codes: { identity_id: string; code_hash: string; used_at: Date | null };
  totp_secrets: { id: string; workspace_id: string; sealed: string };
};
type Db = Kysely<Tables>;

export type NewAuthenticator = Omit<AuthenticatorRow, 'created_at' | 'last_used_at'> & { at: Date };

/**
 * Stores an authenticator of an identity that the transaction presents. False when another identity has the same one.
 */
export async function insertAuthenticator(db: Db, authenticator: NewAuthenticator): Promise<boolean> {
  const { at, data, ...row } = authenticator;
  const values = { ...row, data: sql<Record<string, unknown>>`${JSON.stringify(data)}::jsonb` };
  const stored = await db
    .insertInto('authenticators')
    .values({ ...values, created_at: at, last_used_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** The authenticators of an identity, the oldest first. */
export async function listAuthenticators(db: Db, identityId: string): Promise<AuthenticatorRow[]> {
  return db
    .selectFrom('authenticators')
    .selectAll()
    .where('identity_id', '=', identityId)
    .orderBy('created_at')
    .execute();
}

export async function findOfKind(
  db: Db,
  identityId: string,
  kind: 'password' | 'totp',
): Promise<AuthenticatorRow | undefined> {
  return db
    .selectFrom('authenticators')
    .selectAll()
    .where('identity_id', '=', identityId)
    .where('kind', '=', kind)
    .executeTakeFirst();
}

/** The authenticator with a given hash, for a transaction that presents it. */
export async function findByLookup(db: Db, lookupHash: string): Promise<AuthenticatorRow | undefined> {
  return db.selectFrom('authenticators').selectAll().where('lookup_hash', '=', lookupHash).executeTakeFirst();
}

export async function changeAuthenticator(
  db: Db,
  id: string,
  change: { data?: Record<string, unknown>; confirmed_at?: Date; last_used_at?: Date },
): Promise<void> {
  const { data, ...same } = change;
  await db
    .updateTable('authenticators')
    .set({ ...same, ...(data && { data: sql<Record<string, unknown>>`${JSON.stringify(data)}::jsonb` }) })
    .where('id', '=', id)
    .execute();
}

/**
 * Stores the counter of a code or a passkey. False when it is not higher than the last one: then it was used before.
 */
export async function raiseCounter(db: Db, id: string, counter: number, at: Date): Promise<boolean> {
  const row = await db
    .updateTable('authenticators')
    .set({ data: sql`data || jsonb_build_object('counter', ${counter}::bigint)`, last_used_at: at })
    .where('id', '=', id)
    .where(sql<boolean>`coalesce((data ->> 'counter')::bigint, -1) < ${counter}`)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function removeAuthenticator(db: Db, id: string): Promise<void> {
  await db.deleteFrom('authenticators').where('id', '=', id).execute();
}

/** Removes an authenticator of an identity. */
export async function removeAuthenticators(db: Db, identityId: string): Promise<void> {
  await db.deleteFrom('authenticators').where('identity_id', '=', identityId).execute();
  await db.deleteFrom('recovery_codes').where('identity_id', '=', identityId).execute();
}

/** Replaces an identity's recovery codes; an empty list ends them. */
export async function replaceRecoveryCodes(db: Db, identityId: string, hashes: readonly string[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('identity_id', '=', identityId).execute();
  const rows = hashes.map((code_hash) => ({ identity_id: identityId, code_hash, used_at: null }));
  if (rows.length) await db.insertInto('recovery_codes').values(rows).execute();
}

/** Uses up a recovery code. Of two concurrent uses one succeeds. */
export async function useRecoveryCode(db: Db, identityId: string, codeHash: string, at: Date): Promise<boolean> {
  const row = await db
    .updateTable('recovery_codes')
    .set({ used_at: at })
    .where('identity_id', '=', identityId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .returning('code_hash')
    .executeTakeFirst();
  return row !== undefined;
}

export async function countRecoveryCodes(db: Db, identityId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('identity_id', '=', identityId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertTotpSecret(db: Db, row: Tables['totp_secrets']): Promise<void> {
  await db.insertInto('totp_secrets').values(row).execute();
}

export async function findTotpSecret(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('totp_secrets').select('sealed').where('id', '=', id).executeTakeFirst();
  return row?.sealed;
}
