// The lines of archives that imports received, until they are stored. Each module reads the lines of its own kinds.
import { sql, type Kysely, type RawBuilder } from 'kysely';

export type ArchiveLine = {
  import_id: string;
  line: number;
  workspace_id: string;
  kind: string;
  brain: number;
  data: string;
};
type Db = Kysely<{ archive_lines: ArchiveLine }>;

/**
 * Stores lines until the import is finished. They are sent as arrays, because a statement has at most 65,535 values.
 */
export async function addArchiveLines(
  db: Db,
  { importId, workspaceId }: { importId: string; workspaceId: string },
  lines: readonly Pick<ArchiveLine, 'line' | 'kind' | 'brain' | 'data'>[],
): Promise<void> {
  const column = <Name extends 'line' | 'kind' | 'brain' | 'data'>(name: Name) =>
    sql.val(lines.map((row) => row[name]));
  await sql`
    insert into archive_lines (import_id, workspace_id, line, kind, brain, data)
    select ${importId}::uuid, ${workspaceId}::uuid, * from unnest(
      ${column('line')}::int[], ${column('kind')}::text[], ${column('brain')}::int[], ${column('data')}::jsonb[])`.execute(
    db,
  );
}

/** The lines of a kind that an import received, as a query with `line`, `brain` and `data`. */
export function selectArchiveLines(importId: string, kind: string): RawBuilder<unknown> {
  return sql`(select line, brain, data from archive_lines where import_id = ${importId} and kind = ${kind})`;
}

/** Changes lines before they are stored. `data` and `where` are SQL on `line`. */
export async function changeArchiveLines<Tables>(
  db: Kysely<Tables>,
  { importId, kind }: { importId: string; kind: string },
  { data, where }: { data: RawBuilder<unknown>; where: RawBuilder<unknown> },
): Promise<void> {
  await sql`update archive_lines as line set data = ${data}
    where import_id = ${importId} and kind = ${kind} and ${where}`.execute(db);
}

/** The lines of brains, in the order of the archive. */
export async function listBrainLines(
  db: Db,
  importId: string,
): Promise<{ line: number; brain: number; data: unknown }[]> {
  return db
    .selectFrom('archive_lines')
    .select(['line', 'brain', 'data'])
    .where('import_id', '=', importId)
    .where('kind', '=', 'brain')
    .orderBy('line')
    .execute();
}

/** The kinds of lines that exist, each with the greatest number of a brain. */
export async function listArchivedKinds(db: Db, importId: string): Promise<{ kind: string; last: number }[]> {
  return db
    .selectFrom('archive_lines')
    .select(['kind', (eb) => eb.fn.max('brain').as('last')])
    .where('import_id', '=', importId)
    .groupBy('kind')
    .execute();
}

/** Deletes the lines of a stored import. */
export async function dropArchiveLines(db: Db, importId: string): Promise<void> {
  await db.deleteFrom('archive_lines').where('import_id', '=', importId).execute();
}
