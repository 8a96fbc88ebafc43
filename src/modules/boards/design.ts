// The design of a board: all of it that a recipe says. It has neither rows nor links.
import type { Context } from '#kernel/context';
import { createNotFoundError } from '#kernel/errors';
import { chooseFreeName } from '#kernel/recovery';
import { changeColumns, findMisfitRow } from './change-columns.ts';
import type { Column, Row } from './columns.ts';
import type { BoardInput } from './create-board.ts';
import { emitBoardChanged } from './events.ts';
import { appendRows } from './rows/append-rows.ts';
import { limits } from './limits.ts';
import { changeBoard, findBoard, lockBoard } from './store/boards.ts';
import { listDatasets, removeEmptyDatasets } from './store/datasets.ts';
import { listTakenNames } from './store/uninstalled.ts';
import type { BoardRow, Db } from './store/tables.ts';

export type BoardDesign = Pick<BoardInput, 'name' | 'description' | 'skills' | 'dashboard'> & {
  datasets: Record<string, { columns: Column[] }>;
};

/** The design of a board that is created like this. */
export function buildBoardDesign({ name, description, skills, dashboard, datasets = {} }: BoardInput): BoardDesign {
  const designed = Object.entries(datasets).map(([each, { columns }]) => [each, { columns }] as const);
  return {
    name,
    description,
    skills,
    dashboard,
    datasets: { default: { columns: [] }, ...Object.fromEntries(designed) },
  };
}

/** The design of a board as it is now. Throws `not_found` for one that was deleted. */
export async function readBoardDesign(db: Db, boardId: string): Promise<BoardDesign> {
  const board = await findBoard(db, boardId);
  if (!board) throw createNotFoundError('board');
  const datasets = await listDatasets(db, boardId);
  const { name, description, skills, dashboard } = board as BoardRow & Pick<BoardDesign, 'skills' | 'dashboard'>; // as they were checked
  return {
    name,
    description,
    skills,
    dashboard,
    datasets: Object.fromEntries(datasets.map(({ name: each, columns }) => [each, { columns }])),
  };
}

export type AppliedBoard = {
  /** Columns that keep their type, because a row has another value: each with its dataset, column and row. */
  misfits: { dataset: string; column: string; row: string }[];
};

/**
 * Gives a board a design. Rows stay: a column that is left out is shown no more, and a dataset that is left out goes only
 * if it has no rows. New datasets get `rows`. Throws `conflict` where another board has the name.
 */
export async function applyBoardDesign(
  ctx: Context,
  boardId: string,
  { design: { datasets, ...texts }, rows }: { design: BoardDesign; rows: Readonly<Record<string, readonly Row[]>> },
): Promise<AppliedBoard> {
  const board = await lockBoard(ctx.db, boardId);
  if (!board) throw createNotFoundError('board');
  const present = new Map((await listDatasets(ctx.db, boardId)).map((each) => [each.name, each.columns]));
  const left = [...present.keys()].filter((name) => !Object.hasOwn(datasets, name) && name !== 'default');
  await removeEmptyDatasets(ctx.db, boardId, left);
  const misfits: AppliedBoard['misfits'] = [];
  for (const [dataset, { columns }] of Object.entries(datasets)) {
    const fitting = await keepMisfits(ctx, { boardId, dataset, present: present.get(dataset) ?? [] }, columns, misfits);
    await changeColumns(ctx, boardId, { [dataset]: { columns: fitting } });
    const first = present.has(dataset) ? [] : (rows[dataset] ?? []);
    if (first.length) await appendRows(ctx, boardId, { dataset, rows: [...first] });
  }
  const name = await chooseBoardName(ctx.db, board, texts.name);
  await changeBoard(ctx.db, boardId, { ...texts, name }, ctx.now);
  await emitBoardChanged(ctx, board);
  return { misfits };
}

/** The name of a later version, with a number where another board has it. */
async function chooseBoardName(db: Db, board: BoardRow, name: string): Promise<string> {
  if (name === board.name) return name;
  const taken = await listTakenNames(db, board.brain_id, name.slice(0, limits.nameCharacters / 2));
  return chooseFreeName(
    name,
    taken.filter((each) => each !== board.name),
    limits.nameCharacters,
  );
}

type PresentDataset = { boardId: string; dataset: string; present: readonly Column[] };

/** The columns, where one that a row does not fit stays as it is; one that is new holds anything. */
async function keepMisfits(
  { db }: Context,
  { boardId, dataset, present }: PresentDataset,
  columns: readonly Column[],
  misfits: AppliedBoard['misfits'],
): Promise<Column[]> {
  const fitting: Column[] = [];
  for (const column of columns) {
    const before = present.find(({ name }) => name === column.name);
    const row = before?.type === column.type ? undefined : await findMisfitRow(db, { boardId, dataset }, column);
    if (row !== undefined) misfits.push({ dataset, column: column.name, row });
    fitting.push(row === undefined ? column : (before ?? { ...column, type: 'json' }));
  }
  return fitting;
}
