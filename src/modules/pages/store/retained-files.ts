// Files that belong to something other than a page, such as a draft.
import type { Db, RetainedFileRow } from './tables.ts';

/** The metadata of a retained file. */
export type RetainedFile = Pick<RetainedFileRow, 'filename' | 'mime_type' | 'size' | 'sha256'>;

const fileColumns = ['filename', 'mime_type', 'size', 'sha256'] as const;

/** Retains the bytes of these existing files. */
export async function retainFiles(
  db: Db,
  { holderId, workspaceId, files }: { holderId: string; workspaceId: string; files: readonly RetainedFile[] },
): Promise<void> {
  if (!files.length) return;
  const rows = files.map((file, position) => ({ ...file, position, holder_id: holderId, workspace_id: workspaceId }));
  await db.insertInto('held_files').values(rows).execute();
}

/** Releases all files of these holders. Unused bytes are deleted some time later. */
export async function releaseFiles(db: Db, holderIds: readonly string[]): Promise<void> {
  if (holderIds.length) await db.deleteFrom('held_files').where('holder_id', 'in', holderIds).execute();
}

/** The files of a holder, in their order. */
export async function listRetainedFiles(db: Db, holderId: string): Promise<RetainedFile[]> {
  const rows = await db
    .selectFrom('held_files')
    .select(fileColumns)
    .where('holder_id', '=', holderId)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}

/** The bytes of a retained file; undefined when it is no longer retained. */
export async function findRetainedContent(db: Db, holderId: string, position: number) {
  return db
    .selectFrom('held_files')
    .innerJoin('attachment_contents as content', (join) =>
      join
        .onRef('content.workspace_id', '=', 'held_files.workspace_id')
        .onRef('content.sha256', '=', 'held_files.sha256'),
    )
    .select(['held_files.filename', 'held_files.mime_type', 'content.id as content_id', 'content.size'])
    .where('holder_id', '=', holderId)
    .where('position', '=', position)
    .executeTakeFirst();
}

/** The files of a page whose bytes are stored, and the number of all its files. */
export async function listStoredFiles(db: Db, pageId: string): Promise<{ stored: RetainedFile[]; all: number }> {
  const rows = await db
    .selectFrom('attachments')
    .select([...fileColumns, 'state'])
    .where('page_id', '=', pageId)
    .orderBy('position')
    .orderBy('source_ref')
    .execute();
  const stored = rows.flatMap(({ state, sha256, ...row }) =>
    state === 'stored' && sha256 ? [{ ...row, sha256, size: Number(row.size) }] : [],
  );
  return { stored, all: rows.length };
}
