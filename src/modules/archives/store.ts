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
export type LineRow = {
  import_id: string;
  line: number;
  workspace_id: string;
  kind: string;
  brain: number;
  data: string;
};
type Tables = { archive_imports: ImportRow; archive_lines: LineRow };
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

type Same = Pick<ImportRow, 'person_id' | 'sha256' | 'lines' | 'parent_brain_id' | 'into_brain_id'>;

/** The newest import of the same file to the same place by the same person, which goes on or was stored. */
export async function findSameImport(db: Db, same: Same): Promise<ImportRow | undefined> {
  return db
    .selectFrom('archive_imports')
    .selectAll()
    .where('person_id', '=', same.person_id)
    .where('sha256', '=', same.sha256)
    .where('lines', '=', same.lines)
    .where(sql<boolean>`parent_brain_id is not distinct from ${same.parent_brain_id}`)
    .where(sql<boolean>`into_brain_id is not distinct from ${same.into_brain_id}`)
    .where(sql<boolean>`brain_ids <@ array(select id from brains)`)
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

/** An import, held until the transaction ends: of two calls at once the second waits. */
export async function holdImport(db: Db, id: string): Promise<ImportRow> {
  return db.selectFrom('archive_imports').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

/** Keeps lines until the import is stored. They travel as arrays, since a statement takes 65,535 values at most. */
export async function addLines(
  db: Db,
  { id, workspace_id }: Pick<ImportRow, 'id' | 'workspace_id'>,
  lines: readonly Pick<LineRow, 'line' | 'kind' | 'brain' | 'data'>[],
  received: number,
): Promise<void> {
  const column = <Name extends 'line' | 'kind' | 'brain' | 'data'>(name: Name) =>
    sql.val(lines.map((row) => row[name]));
  await sql`
    insert into archive_lines (import_id, workspace_id, line, kind, brain, data)
    select ${id}::uuid, ${workspace_id}::uuid, * from unnest(
      ${column('line')}::int[], ${column('kind')}::text[], ${column('brain')}::int[], ${column('data')}::jsonb[])`.execute(
    db,
  );
  await db.updateTable('archive_imports').set({ received }).where('id', '=', id).execute();
}

/** The lines of brains, in the order of the archive. */
export async function brainLines(db: Db, importId: string): Promise<{ line: number; brain: number; data: unknown }[]> {
  return db
    .selectFrom('archive_lines')
    .select(['line', 'brain', 'data'])
    .where('import_id', '=', importId)
    .where('kind', '=', 'brain')
    .orderBy('line')
    .execute();
}

/** How many brains other lines speak of: the greatest number, and the kinds there are. */
export async function kindsIn(db: Db, importId: string): Promise<{ kind: string; last: number }[]> {
  return db
    .selectFrom('archive_lines')
    .select(['kind', (eb) => eb.fn.max('brain').as('last')])
    .where('import_id', '=', importId)
    .groupBy('kind')
    .execute();
}

/** Notes that everything is stored, and forgets the lines. */
export async function markStored(db: Db, id: string, { at, brainIds }: { at: Date; brainIds: readonly string[] }) {
  await db.deleteFrom('archive_lines').where('import_id', '=', id).execute();
  await db
    .updateTable('archive_imports')
    .set({ stored_at: at, brain_ids: [...brainIds] })
    .where('id', '=', id)
    .execute();
}

/** Forgets imports that nobody went on with. */
export async function dropAbandoned(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('archive_imports').where('stored_at', 'is', null).where('created_at', '<', before).execute();
}
