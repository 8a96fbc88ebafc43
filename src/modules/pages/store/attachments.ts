// Attachments as they are read, kept and let go.
import { createHash } from 'node:crypto';
import type { Located } from '#kernel/resource';
import { sql } from 'kysely';
import type { AttachmentRow, Db } from './tables.ts';

/** An attachment that is still to be fetched, with the reference of its page. */
export type AwaitedAttachment = Pick<
  AttachmentRow,
  'id' | 'source_ref' | 'filename' | 'mime_type' | 'size' | 'handle' | 'attempts'
> & { page_ref: string };

const mostAwaited = 200;
const partBytes = 1_000_000;

/** Attachments of pages of a brain that are still to be fetched: of these pages, or of a source. At most 200 at once. */
export async function awaitedAttachments(
  db: Db,
  {
    brainId,
    of,
    after = '',
  }: { brainId: string; of: { pageIds: readonly string[] } | { source: string }; after?: string },
): Promise<AwaitedAttachment[]> {
  if ('pageIds' in of && !of.pageIds.length) return [];
  return db
    .selectFrom('attachments')
    .innerJoin('pages', 'pages.id', 'attachments.page_id')
    .select(['attachments.id', 'attachments.source_ref', 'attachments.filename', 'attachments.mime_type'])
    .select(['attachments.size', 'attachments.handle', 'attachments.attempts'])
    .select(sql<string>`pages.source_ref`.as('page_ref'))
    .where('attachments.state', '=', 'awaited')
    .where('pages.brain_id', '=', brainId)
    .where('pages.deleted_at', 'is', null)
    .where((eb) => ('pageIds' in of ? eb('attachments.page_id', 'in', of.pageIds) : eb('pages.source', '=', of.source)))
    .where(sql<boolean>`attachments.id::text > ${after}`)
    .orderBy('attachments.id')
    .limit(mostAwaited)
    .execute();
}

/**
 * Keeps the bytes of an attachment and its words. Equal bytes are there once for the workspace. False when the attachment,
 * or its page, is gone meanwhile.
 */
export async function keepAttachment(
  db: Db,
  id: string,
  { workspaceId, bytes, text, at }: { workspaceId: string; bytes: Uint8Array; text: string | null; at: Date },
): Promise<boolean> {
  const page = await lockPageOf(db, id);
  if (!page) return false;
  const sha256 = await keepContent(db, workspaceId, bytes, at);
  await db
    .updateTable('attachments')
    .set({ state: 'stored', reason: null, sha256, size: bytes.length, text, updated_at: at })
    .where('id', '=', id)
    .execute();
  // The index reads a page again when it has changed.
  if (text !== null) await db.updateTable('pages').set({ has_attached_text: true }).where('id', '=', page).execute();
  return true;
}

/** Keeps bytes once for the workspace. Answers what they are known by. */
async function keepContent(db: Db, workspaceId: string, bytes: Uint8Array, at: Date): Promise<Buffer> {
  const sha256 = createHash('sha256').update(bytes).digest();
  const { is_new } = await db
    .insertInto('attachment_contents')
    .values({ workspace_id: workspaceId, sha256, size: bytes.length, kept_at: at })
    // The row is locked, so that what removes bytes nobody refers to waits, and then leaves it.
    .onConflict((conflict) => conflict.columns(['workspace_id', 'sha256']).doUpdateSet({ kept_at: at }))
    .returning(sql<boolean>`xmax = 0`.as('is_new'))
    .executeTakeFirstOrThrow();
  if (!is_new) return sha256;
  for (let position = 0; position * partBytes < bytes.length; position += 1) {
    const part = bytes.subarray(position * partBytes, (position + 1) * partBytes);
    await db
      .insertInto('attachment_parts')
      .values({
        workspace_id: workspaceId,
        sha256,
        position,
        bytes: Buffer.from(part.buffer, part.byteOffset, part.length),
      })
      .execute();
  }
  return sha256;
}

/** Notes why an attachment is not stored. `awaited`: it is tried again with the next reading. */
export async function refuseAttachment(
  db: Db,
  id: string,
  { state, reason, at }: { state: 'awaited' | 'too_big' | 'failed'; reason: string; at: Date },
): Promise<void> {
  await db
    .updateTable('attachments')
    .set({ state, reason, attempts: sql`attempts + 1`, updated_at: at })
    .where('id', '=', id)
    .where('state', '=', 'awaited')
    .execute();
}

/** How many bytes of attachments the workspace keeps. */
export async function attachedBytes(db: Db): Promise<number> {
  const { bytes } = await db
    .selectFrom('attachment_contents')
    .select(sql<number>`coalesce(sum(size), 0)::bigint`.as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes);
}

/** Removes bytes that nobody refers to, and that nobody came with lately. Answers how many files. */
export async function dropUnusedContents(db: Db, before: Date): Promise<number> {
  const { rows } = await sql`
    with unused as (
      select workspace_id, sha256 from attachment_contents as content
       where kept_at < ${before} and not exists (
         select from attachments where workspace_id = content.workspace_id and sha256 = content.sha256)
       for update skip locked
    )
    delete from attachment_contents using unused
     where attachment_contents.workspace_id = unused.workspace_id and attachment_contents.sha256 = unused.sha256
    returning 1`.execute(db);
  return rows.length;
}

export async function locateAttachments(db: Db, ids: readonly string[]): Promise<Located[]> {
  const rows = await db
    .selectFrom('attachments')
    .innerJoin('pages', 'pages.id', 'attachments.page_id')
    .select(['attachments.id', 'pages.brain_id'])
    .where('attachments.id', 'in', ids)
    .where('pages.deleted_at', 'is', null)
    .execute();
  return rows.map((row) => ({ id: row.id, brainId: row.brain_id }));
}

const shown = ['id', 'page_id', 'filename', 'mime_type', 'size', 'message_id', 'state', 'reason'] as const;

/** The attachments of a page, in the order of its source, without their words. */
export async function listAttachments(db: Db, pageId: string) {
  return db
    .selectFrom('attachments')
    .select(shown)
    .select(sql<boolean>`text is not null`.as('has_text'))
    .where('page_id', '=', pageId)
    .orderBy('position')
    .orderBy('source_ref')
    .limit(1_000)
    .execute();
}

/** How many attachments each of these pages has; a page without any is left out. */
export async function countAttachments(db: Db, pageIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (!pageIds.length) return new Map();
  const rows = await db
    .selectFrom('attachments')
    .select(['page_id', (eb) => eb.fn.countAll<number>().as('count')])
    .where('page_id', 'in', pageIds)
    .groupBy('page_id')
    .execute();
  return new Map(rows.map((row) => [row.page_id, Number(row.count)]));
}

/** One attachment with a part of its words, from a character on. */
export async function findAttachment(db: Db, id: string, part: { offset: number; length: number }) {
  return db
    .selectFrom('attachments')
    .select(shown)
    .select(sql<string | null>`substr(text, ${part.offset + 1}::integer, ${part.length}::integer)`.as('text'))
    .select(sql<number | null>`length(text)`.as('text_length'))
    .where('id', '=', id)
    .executeTakeFirst();
}

/** A part of the bytes of an attachment, counted from 0; undefined behind the last, and when they are gone. */
export async function readPart(db: Db, id: string, position: number): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('attachments')
    .innerJoin('attachment_parts as part', (join) =>
      join.onRef('part.workspace_id', '=', 'attachments.workspace_id').onRef('part.sha256', '=', 'attachments.sha256'),
    )
    .select('part.bytes')
    .where('attachments.id', '=', id)
    .where('part.position', '=', position)
    .executeTakeFirst();
  return row?.bytes;
}

/** Everybody locks the page before its attachments. */
async function lockPageOf(db: Db, attachmentId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('pages')
    .select('id')
    .where('id', '=', (eb) => eb.selectFrom('attachments').select('page_id').where('id', '=', attachmentId))
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row?.id;
}
