import { exportLine, idCursor, type BrainContents } from '#kernel/brain-contents';
import type { ItemLocation } from '#kernel/resource';
import { sql, type Kysely } from 'kysely';

export type DocumentRow = {
  id: string;
  workspace_id: string;
  brain_id: string;
  title: string;
  filename: string | null;
  mime_type: string;
  format: string;
  sha256: Buffer;
  size: number;
  characters: number;
  lines: number;
  passages: number;
  pages: number | null;
  reference_count: number;
  weight: number;
  created_by: string;
  person_id: string | null;
  created_at: Date;
  deleted_at: Date | null;
  /** The document that replaced it. */
  replaced_by: string | null;
};
export type LineRange = { start: number; end: number };
export type ConstellationRow = {
  id: string;
  workspace_id: string;
  document_id: string;
  position: number;
  label: string;
  topics: string[];
  line_ranges: LineRange[];
  passages: number;
};
export type PassageRow = {
  document_id: string;
  position: number;
  workspace_id: string;
  constellation_id: string;
  text: string;
  line_start: number;
  line_end: number;
  continues: boolean;
};
type Tables = {
  documents: DocumentRow & { changed_xact: string };
  document_constellations: ConstellationRow;
  document_passages: PassageRow;
  blobs: { workspace_id: string; sha256: Buffer; size: number; kept_at: Date };
  brain_directory: { id: string; name: string };
  people_directory: { id: string; name: string };
};
export type Db = Kysely<Tables>;

const shown = [
  ...([
    'id',
    'brain_id',
    'title',
    'filename',
    'mime_type',
    'format',
    'size',
    'characters',
    'lines',
    'passages',
  ] as const),
  ...(['pages', 'reference_count', 'weight', 'created_by', 'created_at', 'replaced_by'] as const),
] as const;
export type ShownDocument = Pick<DocumentRow, (typeof shown)[number]>;

export async function locateDocuments(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await db
    .selectFrom('documents')
    .select(['id', 'brain_id'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map(({ id, brain_id }) => ({ id, brainId: brain_id }));
}

/**
 * The document of a brain with these bytes and this title. Until the transaction ends nobody else can store the same.
 */
export async function findSame(
  db: Db,
  { brainId, sha256, title }: { brainId: string; sha256: Buffer; title: string },
): Promise<ShownDocument | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`document ${brainId} ${sha256.toString('hex')}`}, 0))`.execute(
    db,
  );
  return db
    .selectFrom('documents')
    .select(shown)
    .where('brain_id', '=', brainId)
    .where('sha256', '=', sha256)
    .where('title', '=', title)
    .where('deleted_at', 'is', null)
    .where('replaced_by', 'is', null)
    .limit(1)
    .executeTakeFirst();
}

/** Records that a workspace has these bytes, before they are stored: unreferenced blobs are removed an hour later. */
export async function noteBlob(
  db: Db,
  { workspaceId, sha256, size, at }: { workspaceId: string; sha256: Buffer; size: number; at: Date },
): Promise<void> {
  await db
    .insertInto('blobs')
    .values({ workspace_id: workspaceId, sha256, size, kept_at: at })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'sha256']).doUpdateSet({ kept_at: at }))
    .execute();
}

/** How many bytes of originals a workspace stores. */
export async function countKeptBytes(db: Db): Promise<number> {
  const { bytes } = await db
    .selectFrom('blobs')
    .select(sql<number>`coalesce(sum(size), 0)::bigint`.as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes);
}

export async function insertDocument(
  db: Db,
  document: Omit<DocumentRow, 'reference_count' | 'deleted_at' | 'replaced_by'>,
): Promise<void> {
  await db
    .insertInto('documents')
    .values({ ...document, reference_count: 0, deleted_at: null, changed_xact: sql`pg_current_xact_id()` })
    .execute();
}

export async function insertConstellations(db: Db, rows: readonly ConstellationRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 500) {
    const part = rows.slice(from, from + 500);
    await db
      .insertInto('document_constellations')
      .values(part.map((row) => ({ ...row, line_ranges: JSON.stringify(row.line_ranges) as never }))) // written as text, read as JSON
      .execute();
  }
}

/** Stores passages. The texts are sent as arrays, because a statement has at most 65,535 values. */
export async function insertPassages(
  db: Db,
  workspaceId: string,
  documentId: string,
  rows: readonly Omit<PassageRow, 'document_id' | 'workspace_id'>[],
): Promise<void> {
  const column = <Name extends keyof (typeof rows)[number]>(name: Name) => sql.val(rows.map((row) => row[name]));
  await sql`
    insert into document_passages (document_id, workspace_id, position, constellation_id, text, line_start, line_end, continues)
    select ${documentId}::uuid, ${workspaceId}::uuid, * from unnest(${column('position')}::int[], ${column('constellation_id')}::uuid[],
      ${column('text')}::text[], ${column('line_start')}::int[], ${column('line_end')}::int[], ${column('continues')}::boolean[])
  `.execute(db);
}

export async function findDocument(db: Db, id: string): Promise<(ShownDocument & { sha256: Buffer }) | undefined> {
  return db
    .selectFrom('documents')
    .select([...shown, 'sha256'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/**
 * What a download of an original needs. The size is that of its bytes: an imported document may declare another one.
 */
export async function findOriginal(db: Db, id: string) {
  return db
    .selectFrom('documents')
    .innerJoin('blobs', (join) =>
      join.onRef('blobs.workspace_id', '=', 'documents.workspace_id').onRef('blobs.sha256', '=', 'documents.sha256'),
    )
    .select(['documents.filename', 'documents.title', 'documents.mime_type', 'documents.sha256', 'blobs.size'])
    .where('documents.id', '=', id)
    .where('documents.deleted_at', 'is', null)
    .executeTakeFirst();
}

export async function listDocuments(
  db: Db,
  brainIds: readonly string[],
  { limit, offset }: { limit: number; offset: number },
): Promise<{ documents: ShownDocument[]; total: number }> {
  if (!brainIds.length) return { documents: [], total: 0 };
  const all = db
    .selectFrom('documents')
    .where('brain_id', 'in', brainIds)
    .where('deleted_at', 'is', null)
    .where('replaced_by', 'is', null);
  const documents = await all
    .select(shown)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await all.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { documents, total: Number(total) };
}

export async function listDocumentConstellations(db: Db, documentId: string): Promise<ConstellationRow[]> {
  return db
    .selectFrom('document_constellations')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('position')
    .execute();
}

/**
 * A deleted constellation deletes its vectors, too: this makes a deletion wait until they are stored, or happen before.
 */
export async function lockConstellations(db: Db, ids: readonly string[]): Promise<void> {
  if (!ids.length) return;
  await db.selectFrom('document_constellations').select('id').where('id', 'in', ids).forKeyShare().execute();
}

/** The found constellations with their documents, without those of deleted and replaced documents. */
export async function findConstellations(db: Db, ids: readonly string[]) {
  if (!ids.length) return [];
  return db
    .selectFrom('document_constellations as constellation')
    .innerJoin('documents', 'documents.id', 'constellation.document_id')
    .innerJoin('brain_directory as brains', 'brains.id', 'documents.brain_id')
    .leftJoin('people_directory as people', 'people.id', 'documents.person_id')
    .select(['constellation.id', 'constellation.label', 'constellation.topics', 'constellation.line_ranges'])
    .select(['documents.id as document_id', 'documents.title', 'documents.brain_id', 'documents.created_at'])
    .select([
      'documents.reference_count',
      'documents.created_by',
      'brains.name as brain_name',
      'people.name as person_name',
    ])
    .where('constellation.id', 'in', ids)
    .where('documents.deleted_at', 'is', null)
    .where('documents.replaced_by', 'is', null)
    .execute();
}

/** Passages by their document and position. */
export async function findPassages(db: Db, places: readonly { documentId: string; position: number }[]) {
  if (!places.length) return [];
  const { rows } = await sql<{ document_id: string; position: number; text: string }>`
    select document_id, position, text from document_passages
    where (document_id, position) in (select * from unnest(
      ${sql.val(places.map(({ documentId }) => documentId))}::uuid[], ${sql.val(places.map(({ position }) => position))}::int[]))
  `.execute(db);
  return rows;
}

/** The passages with lines of a range, in order; one line may have many passages, so at most `limit`. */
export async function listPassagesInRange(
  db: Db,
  documentId: string,
  { start, end, limit, after = -1 }: LineRange & { limit: number; after?: number },
) {
  return db
    .selectFrom('document_passages')
    .select(['position', 'text', 'line_start', 'line_end', 'continues', 'constellation_id'])
    .where('document_id', '=', documentId)
    .where('line_end', '>=', start)
    .where('line_start', '<=', end)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute();
}

/** Deletes rows of documents that were deleted before a moment. */
export async function dropDeleted(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('documents').where('deleted_at', '<', before).execute();
}

/**
 * Deletes records of blobs that no document refers to, and that were not uploaded recently. Returns their hashes, so
 * that the store removes them.
 */
export async function takeUnusedBlobs(db: Db, before: Date): Promise<Buffer[]> {
  const { rows } = await sql<{ sha256: Buffer }>`
    delete from blobs where kept_at < ${before} and not exists (
      select from documents where documents.workspace_id = blobs.workspace_id and documents.sha256 = blobs.sha256 and deleted_at is null)
    returning sha256
  `.execute(db);
  return rows.map(({ sha256 }) => sha256);
}

/** Documents of a brain, as its export contains them, without their originals, which are files. */
export const documentContents: BrainContents = {
  name: 'documents',
  scope: 'memory:read',
  cursor: idCursor,
  async count(db: Db, brainIds) {
    if (!brainIds.length) return new Map();
    const rows = await db
      .selectFrom('documents')
      .select(['brain_id', (eb) => eb.fn.countAll<number>().as('count')])
      .where('brain_id', 'in', brainIds)
      .where('deleted_at', 'is', null)
      .where('replaced_by', 'is', null)
      .groupBy('brain_id')
      .execute();
    return new Map(rows.map(({ brain_id, count }) => [brain_id, Number(count)]));
  },
  async exportBatch(db: Db, brainId, { after, limit }) {
    const rows = await db
      .selectFrom('documents')
      .select(shown)
      .select(sql<string>`encode(sha256, 'hex')`.as('sha256'))
      .where('brain_id', '=', brainId)
      .where('deleted_at', 'is', null)
      .where('replaced_by', 'is', null)
      .$if(after !== null, (query) => query.where('id', '>', after))
      .orderBy('id')
      .limit(limit)
      .execute();
    return { lines: rows.map((row) => exportLine('document', row)), next: rows.at(-1)?.id ?? null };
  },
};
