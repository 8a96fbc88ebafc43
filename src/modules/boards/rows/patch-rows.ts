// Changes cells of many rows at once, or of none.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { isDeepStrictEqual } from 'node:util';
import { checkSize, type Row } from '../columns.ts';
import { emitBoardChanged } from '../events.ts';
import { touchBoard } from '../store/boards.ts';
import { listLiveRows, type LiveRow } from '../store/live-rows.ts';
import { changeRow } from '../store/rows.ts';
import { assertWritable } from './assert-writable.ts';
import { presentRow, type PresentedRow } from './row-id.ts';

/** Cells to set, and the row as it was when they were computed. */
export type RowPatch = { row: LiveRow; cells: Row };

type PatchesInput = {
  dataset: string;
  /** The columns from which the cells were computed; none: all. */
  reads: readonly string[];
  patches: readonly RowPatch[];
};

/**
 * Sets the cells of all patches in one transaction. Throws `conflict` with the row when a cell that was read or is to be set
 * changed meanwhile; nothing is written then.
 */
export async function patchRows(
  ctx: Context,
  boardId: string,
  { dataset, reads, patches }: PatchesInput,
): Promise<(PresentedRow & { is_changed: boolean })[]> {
  const { board } = await assertWritable(ctx, boardId, dataset);
  const location = { boardId, dataset };
  const ids = patches.map(({ row }) => row.row_id);
  const present = new Map((await listLiveRows(ctx.db, location, ids)).map((row) => [row.row_id, row]));
  const answers: (PresentedRow & { is_changed: boolean })[] = [];
  for (const { row, cells } of patches) {
    const now = present.get(row.row_id);
    if (!now || hasChanged(row, now, [...reads, ...Object.keys(cells)], reads.length === 0))
      throw createChangedError(row, now);
    const fields = { ...now.fields, ...cells };
    checkSize(fields, `row ${row.row_id}`);
    const isChanged = !isDeepStrictEqual(fields, now.fields);
    const version = isChanged ? await changeRow(ctx.db, location, row.row_id, { fields }, ctx.now) : now.version;
    answers.push({ row_id: row.row_id, version, row: presentRow({ ...now, fields }), is_changed: isChanged });
  }
  const rowIds = answers.filter(({ is_changed }) => is_changed).map(({ row_id }) => row_id);
  if (rowIds.length) {
    await touchBoard(ctx.db, boardId, ctx.now);
    await emitBoardChanged(ctx, { ...board, dataset, rowIds });
  }
  return answers;
}

function hasChanged(before: LiveRow, now: LiveRow, names: readonly string[], isAll: boolean): boolean {
  if (before.version === now.version) return false;
  return isAll || names.some((name) => !isDeepStrictEqual(before.fields[name], now.fields[name]));
}

function createChangedError(row: LiveRow, now: LiveRow | undefined): AppError {
  const what = now ? 'changed' : 'was deleted';
  return new AppError('conflict', `The row ${row.row_id} ${what} meanwhile. Nothing was written. Run it again.`, {
    row_id: row.row_id,
    ...(now && { version: now.version, row: presentRow(now) }),
  });
}
