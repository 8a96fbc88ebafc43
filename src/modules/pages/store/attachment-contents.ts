// The bytes of attachments: written in parts as they arrive, stored once for a workspace, read in slices, and released.
import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** Every part of a content has this many bytes, except for the last one. */
export const partBytes = 1_000_000;
/**
 * No slice extends over two parts. Slices are transferred as text, and V8 frees texts below 128 kB late: smaller slices
 * took 200 MB more.
 */
const sliceBytes = partBytes / 5;

/** Begins a content that stays invisible until it is complete. */
export async function beginContent(
  db: Db,
  { id, workspaceId, at }: { id: string; workspaceId: string; at: Date },
): Promise<void> {
  await db
    .insertInto('attachment_contents')
    .values({ id, workspace_id: workspaceId, sha256: null, size: 0, kept_at: at })
    .execute();
}

/** Adds the next part to an incomplete content. */
export async function addPart(
  db: Db,
  contentId: string,
  { position, bytes, at }: { position: number; bytes: Buffer; at: Date },
): Promise<void> {
  const content = await db
    .updateTable('attachment_contents')
    .set({ size: sql`size + ${bytes.length}`, kept_at: at })
    .where('id', '=', contentId)
    .returning('workspace_id')
    .executeTakeFirst();
  if (!content) throw new Error('the bytes of a file were removed while they arrived');
  const { workspace_id } = content;
  await db.insertInto('attachment_parts').values({ content_id: contentId, workspace_id, position, bytes }).execute();
}

/**
 * Whether the workspace already has these bytes. Until the transaction ends no other transaction can check this, or
 * store the same.
 */
export async function hasContent(db: Db, sha256: Buffer, at: Date): Promise<boolean> {
  const name = `attachment ${sha256.toString('hex')}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name} || current_workspace(), 0))`.execute(db);
  // The deletion of unused bytes waits for this row, and then keeps it.
  const known = await db
    .updateTable('attachment_contents')
    .set({ kept_at: at })
    .where('sha256', '=', sha256)
    .returning('id')
    .executeTakeFirst();
  return known !== undefined;
}

/** Stores the hash of the bytes, now that all of them have arrived. */
export async function completeContent(db: Db, contentId: string, sha256: Buffer): Promise<void> {
  await db.updateTable('attachment_contents').set({ sha256 }).where('id', '=', contentId).execute();
}

/** Removes a content that will not be completed. */
export async function dropContent(db: Db, contentId: string): Promise<void> {
  await db.deleteFrom('attachment_contents').where('id', '=', contentId).where('sha256', 'is', null).execute();
}

/** The total bytes of attachments that the workspace stores, including arriving ones. */
export async function countAttachedBytes(db: Db): Promise<number> {
  const { bytes } = await db
    .selectFrom('attachment_contents')
    .select(sql<number>`coalesce(sum(size), 0)::bigint`.as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes);
}

/** Deletes unused bytes that no writer has touched lately. Returns the number of files. */
export async function dropUnusedContents(db: Db, before: Date): Promise<number> {
  const { rows } = await sql`
    with unused as (
      select id from attachment_contents as content
       where kept_at < ${before} and not exists (
         select from attachments where workspace_id = content.workspace_id and sha256 = content.sha256)
         and not exists (select from held_files where workspace_id = content.workspace_id and sha256 = content.sha256)
       for update skip locked
    )
    delete from attachment_contents using unused where attachment_contents.id = unused.id
    returning 1`.execute(db);
  return rows.length;
}

/** The bytes of an attachment, and their metadata; undefined when they are not stored. */
export async function findAttachmentContent(db: Db, attachmentId: string) {
  return db
    .selectFrom('attachments')
    .innerJoin('attachment_contents as content', (join) =>
      join
        .onRef('content.workspace_id', '=', 'attachments.workspace_id')
        .onRef('content.sha256', '=', 'attachments.sha256'),
    )
    .select(['attachments.filename', 'attachments.mime_type', 'content.id as content_id', 'content.size'])
    .where('attachments.id', '=', attachmentId)
    .where('attachments.state', '=', 'stored')
    .executeTakeFirst();
}

/** The bytes of a content from an offset on, up to a slice; undefined after the end, or when they were deleted. */
export async function readSlice(db: Db, contentId: string, offset: number): Promise<Buffer | undefined> {
  const from = (offset % partBytes) + 1;
  const length = sliceBytes - (offset % sliceBytes);
  const row = await db
    .selectFrom('attachment_parts')
    .select(sql<string>`encode(substring(bytes from ${from}::integer for ${length}::integer), 'base64')`.as('bytes'))
    .where('content_id', '=', contentId)
    .where('position', '=', Math.floor(offset / partBytes))
    .executeTakeFirst();
  return row && Buffer.from(row.bytes, 'base64');
}
