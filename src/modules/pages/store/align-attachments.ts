// Updates the list of a page's attachments to its source's description.
import { sql } from 'kysely';
import type { Attachment } from '#kernel/page';
import type { Db } from './tables.ts';

type PageAttachments = { id: string; change: 'created' | 'changed' | 'removed' | 'none'; files: readonly Attachment[] };

/**
 * Adds new attachments as awaited, deletes missing ones, and lets failed ones be tried again. Stored ones stay: the
 * same file of the same message is never fetched twice.
 */
export async function alignAttachments(
  db: Db,
  pages: readonly PageAttachments[],
  { workspaceId, at, newId }: { workspaceId: string; at: Date; newId: () => string },
): Promise<void> {
  const removed = pages.filter(({ change }) => change === 'removed').map(({ id }) => id);
  await dropPageAttachments(db, removed);
  const there = pages.filter(({ change }) => change !== 'removed');
  const files = there.flatMap(({ id, files: own }) => own.map((file, position) => ({ pageId: id, file, position })));
  const mayHaveFewer = there.filter(({ change }) => change !== 'created').map(({ id }) => id);
  if (mayHaveFewer.length) await dropOthers(db, mayHaveFewer, files);
  if (!files.length) return;
  await db
    .insertInto('attachments')
    .values(
      files.map(({ pageId, file, position }) => ({
        id: newId(),
        workspace_id: workspaceId,
        page_id: pageId,
        source_ref: file.ref,
        position,
        filename: file.filename,
        mime_type: file.mime_type,
        size: file.size,
        message_id: file.message_id,
        handle: sql<never>`${JSON.stringify(file.handle)}::jsonb`,
        state: 'awaited' as const,
        text_state: 'none' as const,
        attempts: 0,
        created_at: at,
        updated_at: at,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['page_id', 'source_ref'])
        .doUpdateSet({
          position: sql`excluded.position`,
          filename: sql`excluded.filename`,
          handle: sql`excluded.handle`,
          state: sql`case attachments.state when 'failed' then 'awaited' else attachments.state end`,
          reason: sql`case attachments.state when 'failed' then null else attachments.reason end`,
          attempts: 0,
          updated_at: at,
        })
        .where(
          sql<boolean>`attachments.state in ('failed', 'awaited')
            or (attachments.position, attachments.filename) is distinct from (excluded.position, excluded.filename)`,
        ),
    )
    .execute();
}

/** Deletes the attachments of deleted pages. The next clean-up deletes their bytes, unless others use the same. */
async function dropPageAttachments(db: Db, pageIds: readonly string[]): Promise<void> {
  if (pageIds.length) await db.deleteFrom('attachments').where('page_id', 'in', pageIds).execute();
}

async function dropOthers(
  db: Db,
  pageIds: readonly string[],
  files: readonly { pageId: string; file: Attachment }[],
): Promise<void> {
  const known = files.map(({ pageId, file }) => `${pageId} ${file.ref}`);
  const dropped = await db
    .deleteFrom('attachments')
    .where('page_id', 'in', pageIds)
    .where(sql<boolean>`page_id || ' ' || source_ref <> all(${known}::text[])`)
    .returning('page_id')
    .execute();
  if (!dropped.length) return;
  const ids = [...new Set(dropped.map((row) => row.page_id))];
  await db
    .updateTable('pages')
    .set({
      has_attached_text: sql`exists (select from attachments where page_id = pages.id and attachments.text is not null)`,
    })
    .where('id', 'in', ids)
    .execute();
}
