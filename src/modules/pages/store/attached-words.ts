// The words of attachments that a job extracts.
import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** The result of reading a file; `reason` says why its words cannot be read. */
export type ReadWords =
  | { state: 'read'; text: string; reason: null }
  | { state: 'none'; text: null; reason: null }
  | { state: 'failed'; text: null; reason: string };

/** The bytes of a stored file whose words must be extracted; undefined when there is nothing to do. */
export async function findAwaitedWords(db: Db, id: string): Promise<{ sha256: Buffer } | undefined> {
  return db
    .selectFrom('attachments')
    .select(sql<Buffer>`sha256`.as('sha256'))
    .where('id', '=', id)
    .where('state', '=', 'stored')
    .where('text_state', '=', 'awaited')
    .executeTakeFirst();
}

/** Stores the extracted words, if the file still has these bytes. Its page is locked. */
export async function noteWords(
  db: Db,
  { id, page, sha256, at }: { id: string; page: string; sha256: Buffer; at: Date },
  { state, text, reason }: ReadWords,
): Promise<void> {
  const noted = await db
    .updateTable('attachments')
    .set({ text, text_state: state, reason, updated_at: at })
    .where('id', '=', id)
    .where('sha256', '=', sha256)
    .where('text_state', '=', 'awaited')
    .returning('id')
    .executeTakeFirst();
  // The index reads a page again when it has changed.
  if (noted && text !== null)
    await db.updateTable('pages').set({ has_attached_text: true }).where('id', '=', page).execute();
}

/** Files whose words have been awaited since before a moment, each returned only once in that time. */
export async function touchLeftWords(
  db: Db,
  { before, at, limit }: { before: Date; at: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .updateTable('attachments')
    .set({ updated_at: at })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('attachments')
        .select('id')
        .where('text_state', '=', 'awaited')
        .where('state', '=', 'stored')
        .where('updated_at', '<', before)
        .orderBy('updated_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
