import { sql, type Kysely } from 'kysely';

type SetRow = { id: string; workspace_id: string; name: string; created_by: string; created_at: Date };
type HolderRow = {
  workspace_id: string;
  holder_kind: 'key';
  holder_id: string;
  permission_set_id: string;
  assigned_by: string;
  assigned_at: Date;
};
type Tables = { permission_sets: SetRow; permission_set_holders: HolderRow };
type Db = Kysely<Tables>;

/** The callers that can use a permission set: so far agents, by their keys. */
export type SetHolder = { kind: HolderRow['holder_kind']; id: string };
export type PermissionSet = Pick<SetRow, 'id' | 'name' | 'created_at'>;

/** Adds a set. False when the workspace has one of this name. */
export async function insertPermissionSet(db: Db, set: SetRow): Promise<boolean> {
  const row = await db
    .insertInto('permission_sets')
    .values(set)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The sets of the ids, or all of the workspace, by name. */
export async function findPermissionSets(db: Db, ids?: readonly string[]): Promise<PermissionSet[]> {
  return db
    .selectFrom('permission_sets')
    .select(['id', 'name', 'created_at'])
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${ids}::uuid[])`))
    .orderBy(sql`lower(name)`)
    .limit(1_000)
    .execute();
}

export async function deletePermissionSet(db: Db, id: string): Promise<void> {
  await db.deleteFrom('permission_sets').where('id', '=', id).execute();
}

/** Assigns a set to a holder, in place of its former one. */
export async function assignSet(
  db: Db,
  holder: SetHolder,
  row: Omit<HolderRow, 'holder_kind' | 'holder_id'>,
): Promise<void> {
  const { permission_set_id, assigned_by, assigned_at } = row;
  await db
    .insertInto('permission_set_holders')
    .values({ ...row, holder_kind: holder.kind, holder_id: holder.id })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'holder_kind', 'holder_id'])
        .doUpdateSet({ permission_set_id, assigned_by, assigned_at }),
    )
    .execute();
}

export async function takeSetFrom(db: Db, holder: SetHolder): Promise<void> {
  await db
    .deleteFrom('permission_set_holders')
    .where('holder_kind', '=', holder.kind)
    .where('holder_id', '=', holder.id)
    .execute();
}

/** The set that a holder uses. */
export async function findHolderSetId(db: Db, holder: SetHolder): Promise<string | undefined> {
  const row = await db
    .selectFrom('permission_set_holders')
    .select('permission_set_id')
    .where('holder_kind', '=', holder.kind)
    .where('holder_id', '=', holder.id)
    .executeTakeFirst();
  return row?.permission_set_id;
}

/** Which holders use which of the sets. */
export async function listSetHolders(
  db: Db,
): Promise<Pick<HolderRow, 'permission_set_id' | 'holder_kind' | 'holder_id'>[]> {
  return db
    .selectFrom('permission_set_holders')
    .select(['permission_set_id', 'holder_kind', 'holder_id'])
    .orderBy('assigned_at')
    .limit(10_000)
    .execute();
}
