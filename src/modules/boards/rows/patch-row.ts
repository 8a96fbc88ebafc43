// Changes cells of one row.
import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { checkCells, checkSize, type Row } from '../columns.ts';
import { emitBoardChanged } from '../events.ts';
import { touchBoard } from '../store/boards.ts';
import { changeRow, findRow, type StoredRow } from '../store/rows.ts';
import type { DatasetLocation } from '../store/tables.ts';
import { assertWritable } from './assert-writable.ts';
import { presentRow, rowIdField, type PresentedRow } from './row-id.ts';

export type PatchInput = { dataset: string; rowId: string; patch: Row; expectedVersion?: number | undefined };

/**
 * Sets the cells of the patch; the others stay. Throws `conflict` with the row as it is now when it has another version
 * than the expected one.
 */
export async function patchRow(
  ctx: Context,
  boardId: string,
  { dataset, rowId, patch, expectedVersion }: PatchInput,
): Promise<PresentedRow> {
  const { board, columns } = await assertWritable(ctx, boardId, dataset);
  const location = { boardId, dataset };
  const row = await readLiveRow(ctx, location, rowId);
  if (expectedVersion !== undefined && expectedVersion !== row.version) throw createVersionError(row, expectedVersion);
  if (Object.hasOwn(patch, rowIdField))
    throw new AppError('invalid_input', `patch.${rowIdField}: the id of a row stays. Append a row with the new id.`, {
      row: rowId,
      column: rowIdField,
    });
  checkCells(columns, patch, { where: `row ${rowId}`, row: rowId });
  const fields = { ...row.fields, ...patch };
  checkSize(fields, `row ${rowId}`);
  const version = await changeRow(ctx.db, location, rowId, { fields }, ctx.now);
  await touchBoard(ctx.db, boardId, ctx.now);
  await emitBoardChanged(ctx, { ...board, dataset, rowIds: [row.row_id] });
  return { row_id: row.row_id, version, row: presentRow({ ...row, fields }) };
}

/** Throws `not_found` for a row that is not there, or was deleted. */
async function readLiveRow({ db }: Context, location: DatasetLocation, rowId: string): Promise<StoredRow> {
  const row = await findRow(db, location, rowId);
  if (!row) throw createNotFoundError('row');
  if (!row.deleted_at) return row;
  const at = row.deleted_at.toISOString();
  throw new AppError('not_found', `This row was deleted at ${at}. Restore it with restore_board_row, then change it.`);
}

function createVersionError(row: StoredRow, expected: number): AppError {
  return new AppError(
    'conflict',
    `This row has version ${row.version} now, not ${expected}. Nothing was changed. The details have the row: change that.`,
    { row_id: row.row_id, version: row.version, row: presentRow(row) },
  );
}
