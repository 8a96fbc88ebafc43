// Attachments: reading, storing and deleting.
import type { ItemLocation } from '#kernel/resource';
import { sql } from 'kysely';
import type { AttachmentRow, Db, TextState } from './tables.ts';

/** An attachment that must still be fetched, with the reference of its page. */
export type AwaitedAttachment = Pick<
  AttachmentRow,
  'id' | 'source_ref' | 'filename' | 'mime_type' | 'size' | 'handle' | 'attempts'
> & { page_ref: string };

const mostAwaited = 200;

/** Attachments of pages of a brain that must still be fetched: of these pages, or of a source. At most 200 at once. */
export async function listAwaitedAttachments(
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

/** Records that the bytes of an attachment are stored; its page is locked. */
export async function noteStored(
  db: Db,
  stored: {
    id: string;
    page: string;
    sha256: Buffer;
    size: number;
    text: string | null;
    textState: TextState;
    at: Date;
  },
): Promise<void> {
  const { id, page, sha256, size, text, textState, at } = stored;
  await db
    .updateTable('attachments')
    .set({ state: 'stored', reason: null, sha256, size, text, text_state: textState, updated_at: at })
    .where('id', '=', id)
    .execute();
  // The index reads a page again when it has changed.
  if (text !== null) await db.updateTable('pages').set({ has_attached_text: true }).where('id', '=', page).execute();
}

/** Records why an attachment is not stored. `awaited`: the next sync tries again. */
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

export async function locateAttachments(db: Db, ids: readonly string[]): Promise<ItemLocation[]> {
  const rows = await db
    .selectFrom('attachments')
    .innerJoin('pages', 'pages.id', 'attachments.page_id')
    .select(['attachments.id', 'pages.brain_id'])
    .where('attachments.id', 'in', ids)
    .where('pages.deleted_at', 'is', null)
    .execute();
  return rows.map((row) => ({ id: row.id, brainId: row.brain_id }));
}

const shown = [
  'id',
  'page_id',
  'filename',
  'mime_type',
  'size',
  'message_id',
  'state',
  'reason',
  'text_state',
] as const;

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

/** The number of attachments of each of these pages; a page without any is omitted. */
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

/** The page of an attachment, unless it was deleted. Every transaction locks the page before its attachments. */
export async function lockAttachmentPage(db: Db, attachmentId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('pages')
    .select('id')
    .where('id', '=', (eb) => eb.selectFrom('attachments').select('page_id').where('id', '=', attachmentId))
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row?.id;
}
