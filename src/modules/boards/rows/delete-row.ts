// Deletes a row, and restores it within some days.
import type { Context } from '#kernel/context';
import { createNotFoundError } from '#kernel/errors';
import { emitBoardChanged } from '../events.ts';
import { limits } from '../limits.ts';
import { touchBoard } from '../store/boards.ts';
import { changeRow, countRows, findRow, removeDeletedBeyond } from '../store/rows.ts';
import { checkRoom } from './append-rows.ts';
import { assertWritable } from './assert-writable.ts';
import { presentRow, type PresentedRow } from './row-id.ts';

const keptMs = limits.daysToRestore * 24 * 60 * 60 * 1_000;

/** Rows that were deleted before this time can no longer be restored. */
export function getRestoreLimit(now: Date): Date {
  return new Date(now.getTime() - keptMs);
}

type RowPlace = { dataset: string; rowId: string };

/** Deletes a row. A row that was deleted already stays so, with its time. */
export async function deleteRow(
  ctx: Context,
  boardId: string,
  { dataset, rowId }: RowPlace,
): Promise<{ row_id: string; deleted_at: string; restorable_until: string }> {
  const { board } = await assertWritable(ctx, boardId, dataset);
  const location = { boardId, dataset };
  const row = await findRow(ctx.db, location, rowId);
  if (!row) throw createNotFoundError('row');
  const deletedAt = row.deleted_at ?? ctx.now;
  if (!row.deleted_at) {
    await changeRow(ctx.db, location, rowId, { deleted_at: deletedAt }, ctx.now);
    await removeDeletedBeyond(ctx.db, location, limits.deletedRowsPerDataset);
    await touchBoard(ctx.db, boardId, ctx.now);
    await emitBoardChanged(ctx, { ...board, dataset, rowIds: [row.row_id] });
  }
  const until = new Date(deletedAt.getTime() + keptMs);
  return { row_id: row.row_id, deleted_at: deletedAt.toISOString(), restorable_until: until.toISOString() };
}

/** Brings a deleted row back with its id and fields. A row that is there stays as it is. */
export async function restoreRow(ctx: Context, boardId: string, { dataset, rowId }: RowPlace): Promise<PresentedRow> {
  const { board } = await assertWritable(ctx, boardId, dataset);
  const location = { boardId, dataset };
  const row = await findRow(ctx.db, location, rowId);
  if (!row || (row.deleted_at && row.deleted_at <= getRestoreLimit(ctx.now))) throw createNotFoundError('row');
  if (!row.deleted_at) return { row_id: row.row_id, version: row.version, row: presentRow(row) };
  checkRoom(dataset, await countRows(ctx.db, location), 1);
  const version = await changeRow(ctx.db, location, rowId, { deleted_at: null }, ctx.now);
  await touchBoard(ctx.db, boardId, ctx.now);
  await emitBoardChanged(ctx, { ...board, dataset, rowIds: [row.row_id] });
  return { row_id: row.row_id, version, row: presentRow(row) };
}
