// Versions of documents: a document and those it replaced.
import { sql } from 'kysely';
import type { Db } from './store.ts';

/**
 * The name under which a document is uploaded again: that of its file, and its title if one was given or there is no
 * file.
 */
export type DocumentName = { brainId: string; filename: string | null; title: string | null };
/** The creator of a document: only their own is replaced. */
export type DocumentCreator = { personId: string; label: string };

/**
 * Puts a document in place of those with this name; with `creator`, only their own. Returns the newest of them. Until
 * the transaction ends nobody else can do the same.
 */
export async function replaceDocuments(
  db: Db,
  { brainId, filename, title }: DocumentName,
  { id, creator }: { id: string; creator: DocumentCreator | null },
): Promise<string | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`document name ${brainId} ${filename ?? title}`}, 0))`.execute(
    db,
  );
  const rows = await db
    .updateTable('documents')
    .set({ replaced_by: id, changed_xact: sql`pg_current_xact_id()` })
    .where('brain_id', '=', brainId)
    .where('filename', 'is not distinct from', filename)
    .where('id', '<>', id)
    .where('deleted_at', 'is', null)
    .where('replaced_by', 'is', null)
    .$if(title !== null, (query) => query.where('title', '=', title ?? ''))
    .$if(creator !== null, (query) =>
      query
        .where('person_id', 'is not distinct from', creator?.personId ?? null)
        .where('created_by', '=', creator?.label ?? ''),
    )
    .returning(['id', 'created_at'])
    .execute();
  return rows.toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime())[0]?.id ?? null;
}

/** Deletes a document and those it replaced: their text at once, their rows a week later. */
export async function deleteDocument(db: Db, id: string, at: Date): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    with recursive versions as (
      select id from documents where id = ${id}::uuid
      union select documents.id from documents join versions on documents.replaced_by = versions.id
    ) select id from versions`.execute(db);
  const ids = rows.map((row) => row.id);
  await db.deleteFrom('document_passages').where('document_id', 'in', ids).execute();
  await db.deleteFrom('document_constellations').where('document_id', 'in', ids).execute();
  await db
    .updateTable('documents')
    .set({ deleted_at: at, changed_xact: sql`pg_current_xact_id()` })
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
}
