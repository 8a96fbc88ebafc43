import type { Context } from '#kernel/context';
import { createNotFoundError } from '#kernel/errors';
import type { Column } from '../columns.ts';
import { lockBoard } from '../store/boards.ts';
import { listDatasets } from '../store/datasets.ts';
import type { BoardRow } from '../store/tables.ts';

/** Locks the board of a dataset whose rows are about to change. Throws `not_found` without the board or the dataset. */
export async function assertWritable(
  { db }: Context,
  boardId: string,
  dataset: string,
): Promise<{ board: BoardRow; columns: Column[] }> {
  const board = await lockBoard(db, boardId);
  if (!board) throw createNotFoundError('board');
  const found = (await listDatasets(db, boardId)).find(({ name }) => name === dataset);
  if (!found) throw createNotFoundError('dataset');
  return { board, columns: found.columns };
}
