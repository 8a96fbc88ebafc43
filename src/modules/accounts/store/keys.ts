import type { Rule } from '#kernel/rule';
import type { Scope } from '#kernel/scopes';
import { sql, type Kysely } from 'kysely';

type KeyRow = {
  id: string;
  workspace_id: string;
  person_id: string;
  label: string;
  prefix: string;
  key_hash: string;
  scopes: Scope[];
  home_brain_id: string;
  reach: 'owner' | 'brain';
  /** What narrows the workspace's policy for it. */
  rules: Rule[];
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
};
type Tables = { keys: KeyRow };

export type NewKey = Pick<KeyRow, 'id' | 'label' | 'prefix' | 'scopes' | 'reach' | 'rules'> & {
  workspaceId: string;
  personId: string;
  keyHash: string;
  homeBrainId: string;
  expiresAt: Date | null;
  at: Date;
};

export async function insertKey(db: Kysely<Tables>, key: NewKey): Promise<void> {
  const { workspaceId, personId, keyHash, homeBrainId, expiresAt, at, rules, ...same } = key;
  await db
    .insertInto('keys')
    .values({
      ...same,
      rules: sql`${JSON.stringify(rules)}::jsonb`,
      workspace_id: workspaceId,
      person_id: personId,
      key_hash: keyHash,
      home_brain_id: homeBrainId,
      created_at: at,
      expires_at: expiresAt,
      last_used_at: null,
      revoked_at: null,
    })
    .execute();
}

/** The key with this hash, whatever its state; visible because its hash is presented. */
export async function findKeyByHash(db: Kysely<Tables>, keyHash: string): Promise<KeyRow | undefined> {
  return db.selectFrom('keys').selectAll().where('key_hash', '=', keyHash).executeTakeFirst();
}

/** When a key ends; null for one that does not, and for an id that is no key's. */
export async function expiryOfKey(db: Kysely<Tables>, id: string): Promise<Date | null> {
  const key = await db.selectFrom('keys').select('expires_at').where('id', '=', id).executeTakeFirst();
  return key?.expires_at ?? null;
}

/** Keys a person may see: their own, or everybody's for who administers the workspace. Newest first. */
export async function listKeys(db: Kysely<Tables>, personId: string | null): Promise<Omit<KeyRow, 'key_hash'>[]> {
  return db
    .selectFrom('keys')
    .selectAll()
    .$if(personId !== null, (query) => query.where('person_id', '=', personId))
    .orderBy('created_at', 'desc')
    .limit(500)
    .execute();
}

export async function locateKeys(
  db: Kysely<Tables>,
  ids: readonly string[],
  personId: string | null,
): Promise<string[]> {
  const rows = await db
    .selectFrom('keys')
    .select('id')
    .where('id', 'in', ids)
    .$if(personId !== null, (query) => query.where('person_id', '=', personId))
    .execute();
  return rows.map((row) => row.id);
}

/** Ends a key. Ending an ended key changes nothing. */
export async function revokeKey(db: Kysely<Tables>, id: string, at: Date): Promise<void> {
  await db.updateTable('keys').set({ revoked_at: at }).where('id', '=', id).where('revoked_at', 'is', null).execute();
}

/** Whether a key is neither revoked nor expired. */
export async function isInForce(db: Kysely<Tables>, id: string, at: Date): Promise<boolean> {
  const row = await db
    .selectFrom('keys')
    .select('id')
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends every key whose home is this brain. Answers how many were still in force. */
export async function revokeKeysOf(db: Kysely<Tables>, brainId: string, at: Date): Promise<number> {
  const revoked = await db
    .updateTable('keys')
    .set({ revoked_at: at })
    .where('home_brain_id', '=', brainId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  return revoked.length;
}

export async function touchKey(db: Kysely<Tables>, id: string, at: Date): Promise<void> {
  await db.updateTable('keys').set({ last_used_at: at }).where('id', '=', id).execute();
}
