// Appends rows to a board, each key and each id once.
import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { checkRows, type Row } from '../columns.ts';
import { emitBoardChanged } from '../events.ts';
import { limits } from '../limits.ts';
import { lockBoard, touchBoard } from '../store/boards.ts';
import { ensureDataset, listDatasets } from '../store/datasets.ts';
import { countRows, findKnownKeys, findKnownKeysInLists, findKnownRowIds, insertRows } from '../store/rows.ts';
import { checkNotFilled } from './assert-writable.ts';
import { rowIdField, splitRow, type SplitRow } from './row-id.ts';

export type AppendInput = {
  dataset: string;
  rows: readonly Row[];
  keyField?: string | undefined;
  targetField?: string | undefined;
};

/** Appends the new rows. The board is locked, so that two concurrent appends cannot store the same row twice. */
export async function appendRows(
  ctx: Context,
  boardId: string,
  appending: AppendInput,
): Promise<{ appended: number; skipped: number }> {
  const { dataset, rows } = appending;
  const split = rows.map((row, index) => splitRow(row, `rows[${index}]`));
  const board = await lockBoard(ctx.db, boardId);
  if (!board) throw createNotFoundError('board');
  await checkNotFilled(ctx.db, { boardId, dataset });
  await prepareDataset(
    ctx,
    boardId,
    dataset,
    split.map(({ fields }) => fields),
  );
  const fresh = withoutRepeats(split, [
    await listRepeatsById(ctx, boardId, dataset, split),
    await listRepeatsByKey(ctx, boardId, appending),
  ]);
  await checkRoom(ctx, boardId, dataset, fresh.length);
  const made = fresh.map(({ key, fields }) => ({ id: ctx.newId(), row_key: key, fields }));
  const { workspaceId, label } = ctx.caller;
  const of = { workspace_id: workspaceId, board_id: boardId, dataset, created_by: label, created_at: ctx.now };
  await insertRows(ctx.db, of, made);
  if (made.length) {
    await touchBoard(ctx.db, boardId, ctx.now);
    await emitBoardChanged(ctx, { ...board, dataset, rowIds: made.map(({ id, row_key }) => row_key ?? id) });
  }
  return { appended: made.length, skipped: rows.length - made.length };
}

/** Makes the dataset where it is missing, and checks the rows by its columns. */
async function prepareDataset(ctx: Context, boardId: string, dataset: string, rows: readonly Row[]): Promise<void> {
  const datasets = await listDatasets(ctx.db, boardId);
  const there = datasets.find(({ name }) => name === dataset);
  if (!there && datasets.length >= limits.datasets)
    throw new AppError('plan_limit', `A board has at most ${limits.datasets} datasets.`);
  if (!there) await ensureDataset(ctx.db, { boardId, workspaceId: ctx.caller.workspaceId, at: ctx.now }, dataset);
  checkRows(there?.columns ?? [], rows);
}

/** Throws `plan_limit` when a dataset has no room for this many more rows. */
export async function checkRoom({ db }: Context, boardId: string, dataset: string, more: number): Promise<void> {
  if (!more) return;
  const count = await countRows(db, { boardId, dataset });
  if (count + more <= limits.rowsPerDataset) return;
  throw new AppError(
    'plan_limit',
    `A dataset has at most ${limits.rowsPerDataset} rows, and ${dataset} has ${count}. Use another dataset.`,
  );
}

/** For each row what tells it from others, and what of that is stored. */
type Repeats = { names: readonly (string | null)[]; known: ReadonlySet<string> };

/** The rows that repeat neither a stored row nor an earlier one of the call. */
function withoutRepeats(rows: readonly SplitRow[], checks: readonly Repeats[]): SplitRow[] {
  const seen = checks.map(({ known }) => new Set(known));
  return rows.filter((_row, index) => {
    const names = checks.map(({ names }) => names[index] ?? null);
    if (names.some((name, check) => name !== null && seen[check]?.has(name))) return false;
    for (const [check, name] of names.entries()) if (name !== null) seen[check]?.add(name);
    return true;
  });
}

async function listRepeatsById(
  { db }: Context,
  boardId: string,
  dataset: string,
  rows: readonly SplitRow[],
): Promise<Repeats> {
  const names = rows.map(({ key }) => key);
  const ids = names.filter((key) => key !== null);
  return { names, known: ids.length ? await findKnownRowIds(db, { boardId, dataset }, ids) : new Set() };
}

async function listRepeatsByKey(
  { db }: Context,
  boardId: string,
  { dataset, rows, keyField, targetField }: AppendInput,
): Promise<Repeats> {
  if (keyField === undefined) return { names: [], known: new Set() };
  const names = rows.map((fields, index) => toKey(fields[keyField], `rows[${index}].${keyField}`));
  const location = { boardId, dataset };
  // Of ids the other check knows which there are.
  const known = keyField === rowIdField ? new Set<string>() : await findKnownKeys(db, location, keyField, names);
  if (targetField !== undefined)
    for (const key of await findKnownKeysInLists(db, location, { list: targetField, field: keyField }, names))
      known.add(key);
  return { names, known };
}

function toKey(value: unknown, where: string): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new AppError('invalid_input', `${where}: every row needs the key by which it is known, a text or a number.`);
}
