// Lists of drafts page by page: each draft appears once, even if drafts are added or decided between two pages.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import type { DraftRow } from './store/drafts.ts';
import { listDrafts, locateDrafts, type DraftFilter, type DraftOrder } from './store/draft-lists.ts';

/** The end of the previous page; the first page has none. */
export const pageCursor = z
  .string()
  .max(60)
  .optional()
  .describe('`next_cursor` of the previous page. Leave it out for the first page.');

/** The beginning of the next page. */
export const nextCursor = z.string().nullable().describe('Null: this is the last page.');

const cursorForm = /^draft:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * A page of drafts that match a filter, newest first. Throws `invalid_input` when the cursor is not a draft that the
 * viewer sees.
 */
export async function readPage(
  { db }: Context,
  filter: DraftFilter,
  { cursor, limit, order = 'drafted' }: { cursor: string | undefined; limit: number; order?: DraftOrder },
): Promise<{ drafts: DraftRow[]; next: string | null }> {
  const after = cursor === undefined ? null : parseDraftCursor(cursor);
  if (after && !(await locateDrafts(db, [after], filter.viewer)).length) throw createForeignCursorError();
  // One more than requested shows whether another page follows.
  const found = await listDrafts(db, { ...filter, order, ...(after && { afterId: after }), limit: limit + 1 });
  const drafts = found.slice(0, limit);
  const last = found.length > limit ? drafts.at(-1) : undefined;
  return { drafts, next: last ? `draft:${last.id}` : null };
}

/** The last draft of the previous page. It stays a valid position when it was decided meanwhile. */
function parseDraftCursor(cursor: string): string {
  const [, id] = cursorForm.exec(cursor) ?? [];
  if (!id) throw createForeignCursorError();
  return id;
}

function createForeignCursorError(): AppError {
  return new AppError('invalid_input', 'cursor: not from this operation. Use next_cursor of its previous answer.');
}
