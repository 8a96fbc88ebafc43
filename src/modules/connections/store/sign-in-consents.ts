import type { Kysely } from 'kysely';

export type SignInConsentRow = {
  id: string;
  workspace_id: string;
  state_hash: string;
  browser_hash: string;
  provider: string;
  code_verifier: string;
  return_to: string;
  created_at: Date;
  expires_at: Date;
};
type Db = Kysely<{ sign_in_consents: SignInConsentRow }>;

export async function insertSignInConsent(db: Db, row: SignInConsentRow): Promise<void> {
  await db.insertInto('sign_in_consents').values(row).execute();
}

/** The workspace of a consent, for whoever presents its state. */
export async function findSignInConsent(db: Db, stateHash: string): Promise<{ workspace_id: string } | undefined> {
  return db
    .selectFrom('sign_in_consents')
    .select('workspace_id')
    .where('state_hash', '=', stateHash)
    .executeTakeFirst();
}

/** Takes a consent away, so that it works once. Undefined when it is over, or was begun in another browser. */
export async function takeSignInConsent(
  db: Db,
  { stateHash, browserHash, at }: { stateHash: string; browserHash: string; at: Date },
): Promise<SignInConsentRow | undefined> {
  return db
    .deleteFrom('sign_in_consents')
    .where('state_hash', '=', stateHash)
    .where('browser_hash', '=', browserHash)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst();
}

export async function countSignInConsents(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('sign_in_consents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function dropExpiredSignInConsents(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('sign_in_consents').where('expires_at', '<', at).execute();
}
