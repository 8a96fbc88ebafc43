import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { AppError, createNotFoundError } from '#kernel/errors';
import type { Column } from '../columns.ts';
import { lockBoard } from '../store/boards.ts';
import { listDatasets } from '../store/datasets.ts';
import { findRecipeOfDataset } from '../store/recipes.ts';
import type { BoardRow, DatasetLocation } from '../store/tables.ts';

/**
 * Locks the board of a dataset whose rows are about to change. Throws `not_found` without the board or the dataset, and `conflict`
 * where a link fills it.
 */
export async function assertWritable(
  { db }: Context,
  boardId: string,
  dataset: string,
): Promise<{ board: BoardRow; columns: Column[] }> {
  const board = await lockBoard(db, boardId);
  if (!board) throw createNotFoundError('board');
  const found = (await listDatasets(db, boardId)).find(({ name }) => name === dataset);
  if (!found) throw createNotFoundError('dataset');
  await checkNotFilled(db, { boardId, dataset });
  return { board, columns: found.columns };
}

/** Throws `conflict` that names the link where one fills the dataset. */
export async function checkNotFilled(db: Db, location: DatasetLocation): Promise<void> {
  const filled = await findRecipeOfDataset(db, location);
  if (filled) throw createFilledError(location.dataset, filled);
}

type FilledBy = { id: string; link_id: string; display_name: string };

/** Names the link that fills a dataset. */
export function createFilledError(dataset: string, filled: FilledBy): AppError {
  return new AppError(
    'conflict',
    `The rows of ${dataset} are read through the link «${filled.display_name}», and each refresh replaces them. Change them at their source, use another dataset, or delete the dataset recipe.`,
    { link_id: filled.link_id, recipe_id: filled.id },
  );
}
