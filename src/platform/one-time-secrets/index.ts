// Secrets that work once: made for one purpose and one row, shown to one reader, stored as a hash, valid for a limited
// time.
import type { Db } from '#kernel/database';
import type { SecretPrefix } from '#kernel/secret-prefixes';
import { readPresented } from '#platform/database';
import { createHash, randomBytes } from 'node:crypto';
import { sql, type Kysely, type RawBuilder } from 'kysely';

type Row = {
  subject_id: string;
  workspace_id: string;
  purpose: string;
  secret_hash: string;
  bound_hash: string | null;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
};
type Secrets = Kysely<{ one_time_secrets: Row }>;

type NewSecret = {
  /** The only purpose it works for. */
  purpose: string;
  /** The visible prefix. */
  prefix: SecretPrefix;
  /** The row that it gives access to. A row has one secret: a new one ends the former. */
  subjectId: string;
  workspaceId: string;
  /** A value that only the right user also knows, such as their browser's session. */
  boundTo?: string;
  at: Date;
  expiresAt: Date;
};

/** A secret that was presented. */
export type PresentedSecret = { subjectId: string; workspaceId: string; expiresAt: Date; usedAt: Date | null };

/** 256 random bits as text for a URL. */
export function generateSecret(prefix?: SecretPrefix): string {
  const random = randomBytes(32).toString('base64url');
  return prefix ? `${prefix}_${random}` : random;
}

/** The stored form of a secret. It has 256 random bits, so its plain hash cannot be guessed. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Creates a secret. It is shown once; only its hash is stored. */
export async function issueSecret(db: Db, secret: NewSecret): Promise<string> {
  const text = generateSecret(secret.prefix);
  const row = {
    subject_id: secret.subjectId,
    workspace_id: secret.workspaceId,
    purpose: secret.purpose,
    secret_hash: hashSecret(text),
    bound_hash: secret.boundTo === undefined ? null : hashSecret(secret.boundTo),
    created_at: secret.at,
    expires_at: secret.expiresAt,
    used_at: null,
  };
  await (db as Secrets)
    .insertInto('one_time_secrets')
    .values(row)
    .onConflict((conflict) => conflict.column('subject_id').doUpdateSet(row))
    .execute();
  return text;
}

/** The secret, even if used or expired. */
export async function findSecret(db: Db, purpose: string, secret: string): Promise<PresentedSecret | undefined> {
  return (db as Secrets)
    .selectFrom('one_time_secrets')
    .select(['subject_id as subjectId', 'workspace_id as workspaceId', 'expires_at as expiresAt', 'used_at as usedAt'])
    .where('purpose', '=', purpose)
    .where('secret_hash', '=', hashSecret(secret))
    .executeTakeFirst();
}

/** The same for a caller whose workspace is unknown: row level security shows the row to whom presents its secret. */
export function presentSecret(
  db: Kysely<unknown>,
  purpose: string,
  secret: string,
): Promise<PresentedSecret | undefined> {
  return readPresented(db, hashSecret(secret), (presented) => findSecret(presented, purpose, secret));
}

/**
 * Uses a secret and returns its row. Undefined when it has another purpose or another bound value, was used, has
 * expired, or never existed. Of two concurrent callers one gets the row.
 */
export async function useSecret(
  db: Db,
  purpose: string,
  { secret, boundTo, at }: { secret: string; boundTo?: string; at: Date },
): Promise<string | undefined> {
  const bound = boundTo === undefined ? null : hashSecret(boundTo);
  const row = await (db as Secrets)
    .updateTable('one_time_secrets')
    .set({ used_at: at })
    .where('purpose', '=', purpose)
    .where('secret_hash', '=', hashSecret(secret))
    .where('bound_hash', 'is not distinct from', bound)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .returning('subject_id')
    .executeTakeFirst();
  return row?.subject_id;
}

/** Ends the secret of a row, if there is one. */
export async function endSecret(db: Db, subjectId: string): Promise<void> {
  await (db as Secrets).deleteFrom('one_time_secrets').where('subject_id', '=', subjectId).execute();
}

/** Ends the secrets of rows that a query finds by their ids. */
export async function endSelectedSecrets(db: Db, subjectIds: RawBuilder<unknown>): Promise<void> {
  await sql`delete from one_time_secrets where subject_id in (${subjectIds})`.execute(db);
}

/** Ends those of these rows' secrets that still work. Returns how many. */
export async function endSelectedOpenSecrets(db: Db, subjectIds: RawBuilder<unknown>): Promise<number> {
  const ended = await sql`
    delete from one_time_secrets where used_at is null and expires_at > now() and subject_id in (${subjectIds})`.execute(
    db,
  );
  return Number(ended.numAffectedRows ?? 0);
}

/** The expiry of the row's secret; null: it has no valid one. */
export function openUntil(subjectColumn: string, at: Date): RawBuilder<Date | null> {
  return sql`(select expires_at from one_time_secrets
    where subject_id = ${sql.ref(subjectColumn)} and used_at is null and expires_at > ${at})`;
}

/** Deletes expired secrets, and the rows that exist only for them. */
export async function dropExpiredSecrets(db: Db, at: Date): Promise<void> {
  await (db as Secrets).deleteFrom('one_time_secrets').where('expires_at', '<', at).execute();
}
