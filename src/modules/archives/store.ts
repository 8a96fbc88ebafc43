import { sql, type Kysely } from 'kysely';

export type ImportRow = {
  id: string;
  workspace_id: string;
  person_id: string;
  sha256: string;
  lines: number;
  received: number;
  parent_brain_id: string | null;
  into_brain_id: string | null;
  shift: number;
  created_at: Date;
  stored_at: Date | null;
  brain_ids: string[];
};
type Tables = { archive_imports: ImportRow };
export type Db = Kysely<Tables>;

export async function locateImports(db: Db, ids: readonly string[], personId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('archive_imports')
    .select('id')
    .where('id', 'in', ids)
    .where('person_id', '=', personId)
    .execute();
  return rows.map(({ id }) => id);
}

type SameImport = Pick<ImportRow, 'person_id' | 'sha256' | 'lines' | 'parent_brain_id' | 'into_brain_id'>;

/** The newest import of the same file to the same place by the same person, which continues or was stored. */
export async function findSameImport(db: Db, same: SameImport): Promise<ImportRow | undefined> {
  return db
    .selectFrom('archive_imports')
    .selectAll()
    .where('person_id', '=', same.person_id)
    .where('sha256', '=', same.sha256)
    .where('lines', '=', same.lines)
    .where(sql<boolean>`parent_brain_id is not distinct from ${same.parent_brain_id}`)
    .where(sql<boolean>`into_brain_id is not distinct from ${same.into_brain_id}`)
    .where(sql<boolean>`brain_ids <@ array(select id from brain_directory)`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function insertImport(
  db: Db,
  row: Omit<ImportRow, 'received' | 'stored_at' | 'brain_ids'>,
): Promise<void> {
  await db
    .insertInto('archive_imports')
    .values({ ...row, received: 0, stored_at: null, brain_ids: [] })
    .execute();
}

/** An import, locked until the transaction ends: of two concurrent calls the second waits. */
export async function lockImport(db: Db, id: string): Promise<ImportRow> {
  return db.selectFrom('archive_imports').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

/** Stores the last line that an import has received. */
export async function setReceived(db: Db, id: string, received: number): Promise<void> {
  await db.updateTable('archive_imports').set({ received }).where('id', '=', id).execute();
}

/** Records that everything is stored. */
export async function markStored(db: Db, id: string, { at, brainIds }: { at: Date; brainIds: readonly string[] }) {
  await db
    .updateTable('archive_imports')
    .set({ stored_at: at, brain_ids: [...brainIds] })
    .where('id', '=', id)
    .execute();
}

/** Deletes imports that nobody continued. */
export async function dropAbandoned(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('archive_imports').where('stored_at', 'is', null).where('created_at', '<', before).execute();
}
