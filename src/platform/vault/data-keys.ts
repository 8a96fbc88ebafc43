import type { Kysely } from 'kysely';

type Tables = {
  data_keys: { id: string; workspace_id: string; wrapped: Buffer; root_key_id: string; created_at: Date };
};

export type DataKeyRow = { id: string; wrapped: Buffer; root_key_id: string };

/**
 * The data key with which a workspace seals: its newest one that these root keys open. Undefined: there is none, or the
 * root keys of all are lost.
 */
export async function findCurrentDataKey(
  db: Kysely<Tables>,
  rootKeyIds: readonly string[],
): Promise<DataKeyRow | undefined> {
  return db
    .selectFrom('data_keys')
    .select(['id', 'wrapped', 'root_key_id'])
    .where('root_key_id', 'in', rootKeyIds)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function findDataKey(db: Kysely<Tables>, id: string): Promise<DataKeyRow | undefined> {
  return db.selectFrom('data_keys').select(['id', 'wrapped', 'root_key_id']).where('id', '=', id).executeTakeFirst();
}

export async function insertDataKey(
  db: Kysely<Tables>,
  key: DataKeyRow & { workspaceId: string; at: Date },
): Promise<void> {
  const { workspaceId, at, ...row } = key;
  await db
    .insertInto('data_keys')
    .values({ ...row, workspace_id: workspaceId, created_at: at })
    .execute();
}

/** The workspace's data keys that another of these root keys wraps. Data keys of a lost root key are left out. */
export async function listDataKeysToRewrap(
  db: Kysely<Tables>,
  rootKeyId: string,
  openable: readonly string[],
): Promise<DataKeyRow[]> {
  return db
    .selectFrom('data_keys')
    .select(['id', 'wrapped', 'root_key_id'])
    .where('root_key_id', '<>', rootKeyId)
    .where('root_key_id', 'in', openable)
    .execute();
}

export async function rewrapDataKey(db: Kysely<Tables>, key: DataKeyRow): Promise<void> {
  await db
    .updateTable('data_keys')
    .set({ wrapped: key.wrapped, root_key_id: key.root_key_id })
    .where('id', '=', key.id)
    .execute();
}
