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
  /** The rules that restrict the workspace's policy for it. */
  rules: Rule[];
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  /** The key before the last rotation, and when it expires. */
  previous_hash: string | null;
  previous_until: Date | null;
  paused_at: Date | null;
  /** The key that created it; null: a person did. */
  made_by_key: string | null;
};
type PlaceRow = { key_id: string; workspace_id: string; place: string; first_used_at: Date };
type Tables = { keys: KeyRow; key_places: PlaceRow };

export type NewKey = Pick<KeyRow, 'id' | 'label' | 'prefix' | 'scopes' | 'reach' | 'rules'> & {
  workspaceId: string;
  personId: string;
  keyHash: string;
  homeBrainId: string;
  expiresAt: Date | null;
  /** The key that creates it. */
  madeByKey?: string | null;
  at: Date;
};

export async function insertKey(db: Kysely<Tables>, key: NewKey): Promise<void> {
  const { workspaceId, personId, keyHash, homeBrainId, expiresAt, madeByKey = null, at, rules, ...same } = key;
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
      previous_hash: null,
      previous_until: null,
      paused_at: null,
      made_by_key: madeByKey,
    })
    .execute();
}

/** The key with this hash, in any state; visible because its hash is presented. */
export async function findKeyByHash(db: Kysely<Tables>, keyHash: string): Promise<KeyRow | undefined> {
  return db
    .selectFrom('keys')
    .selectAll()
    .where((eb) => eb.or([eb('key_hash', '=', keyHash), eb('previous_hash', '=', keyHash)]))
    .executeTakeFirst();
}

export async function findKey(db: Kysely<Tables>, id: string): Promise<KeyRow | undefined> {
  return db.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Like `findKey`, with a row lock, so that concurrent changes run one after another. */
export async function lockKey(db: Kysely<Tables>, id: string): Promise<KeyRow | undefined> {
  return db.selectFrom('keys').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export async function changeKey(
  db: Kysely<Tables>,
  id: string,
  change: Partial<
    Pick<
      KeyRow,
      | 'label'
      | 'scopes'
      | 'prefix'
      | 'key_hash'
      | 'expires_at'
      | 'previous_hash'
      | 'previous_until'
      | 'paused_at'
      | 'made_by_key'
    >
  >,
): Promise<void> {
  await db.updateTable('keys').set(change).where('id', '=', id).execute();
}

/** Stores the network of a key's use. Returns whether it is new for a key that was used elsewhere before. */
export async function notePlace(
  db: Kysely<Tables>,
  use: { keyId: string; workspaceId: string; place: string; at: Date },
): Promise<boolean> {
  const { keyId: key_id, workspaceId: workspace_id, place, at: first_used_at } = use;
  const row = await db
    .insertInto('key_places')
    .values({ key_id, workspace_id, place, first_used_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('place')
    .executeTakeFirst();
  if (!row) return false;
  const other = await db
    .selectFrom('key_places')
    .select('place')
    .where('key_id', '=', key_id)
    .where('place', '!=', place)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** The networks that keys were used from, newest first. */
export async function listKeyNetworks(db: Kysely<Tables>, keyIds: readonly string[]): Promise<PlaceRow[]> {
  if (!keyIds.length) return [];
  return db
    .selectFrom('key_places')
    .selectAll()
    .where('key_id', 'in', keyIds)
    .orderBy('first_used_at', 'desc')
    .limit(2_000)
    .execute();
}

/** When a key expires; null for a key that does not, and for an unknown id. */
export async function findKeyExpiry(db: Kysely<Tables>, id: string): Promise<Date | null> {
  const key = await db.selectFrom('keys').select('expires_at').where('id', '=', id).executeTakeFirst();
  return key?.expires_at ?? null;
}

/** Keys that a person may see: their own, or everybody's for administrators of the workspace. Newest first. */
export async function listKeys(db: Kysely<Tables>, personId: string | null): Promise<KeyRow[]> {
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

/** A key and all keys that it created, those that these created, and so on. */
export async function listDerivedKeyIds(db: Kysely<Tables>, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive made (id) as (
      select ${id}::uuid
      union
      select keys.id from keys join made on keys.made_by_key = made.id where keys.workspace_id = current_workspace()
    )
    select id from made
  `.execute(db);
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
    .where('paused_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Like `isInForce`, and locks the key until the transaction ends. */
export async function lockInForce(db: Kysely<Tables>, id: string, at: Date): Promise<boolean> {
  const row = await db.selectFrom('keys').select('id').where('id', '=', id).forShare().executeTakeFirst();
  return row !== undefined && isInForce(db, id, at);
}

/** Ends every key with this home brain. Returns how many were still valid. */
export async function revokeBrainKeys(db: Kysely<Tables>, brainId: string, at: Date): Promise<number> {
  const revoked = await db
    .updateTable('keys')
    .set({ revoked_at: at })
    .where('home_brain_id', '=', brainId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  return revoked.length;
}

/** Ends every key of a person. */
export async function revokeKeysOfPerson(db: Kysely<Tables>, personId: string, at: Date): Promise<void> {
  await db
    .updateTable('keys')
    .set({ revoked_at: at })
    .where('person_id', '=', personId)
    .where('revoked_at', 'is', null)
    .execute();
}

export async function touchKey(db: Kysely<Tables>, id: string, at: Date): Promise<void> {
  await db.updateTable('keys').set({ last_used_at: at }).where('id', '=', id).execute();
}
