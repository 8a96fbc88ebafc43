// Appends rows to a board, each key and each id once.
import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { checkRows, type Row } from '../columns.ts';
import { emitBoardChanged } from '../events.ts';
import { limits } from '../limits.ts';
import { readAppendState, type AppendState, type AppendedKeys } from '../store/append-state.ts';
import { lockBoard } from '../store/boards.ts';
import { ensureDataset } from '../store/datasets.ts';
import { insertRows } from '../store/rows.ts';
import type { DatasetLocation } from '../store/tables.ts';
import { createFilledError } from './assert-writable.ts';
import { splitRow, type SplitRow } from './row-id.ts';

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
  const keys = listKeys(appending);
  const board = await lockBoard(ctx.db, boardId);
  if (!board) throw createNotFoundError('board');
  const location = { boardId, dataset };
  const ids = split.map(({ key }) => key);
  const state = await readAppendState(ctx.db, location, describeKeys(appending, ids, keys));
  if (state.filled) throw createFilledError(dataset, state.filled);
  await prepareDataset(ctx, location, state);
  checkRows(
    state.columns ?? [],
    split.map(({ fields }) => fields),
  );
  const fresh = withoutRepeats(split, [
    { names: ids, known: new Set(state.known_ids) },
    { names: keys, known: new Set(state.known_keys) },
  ]);
  checkRoom(dataset, state.row_count, fresh.length);
  const made = fresh.map(({ key, fields }) => ({ id: ctx.newId(), row_key: key, fields }));
  if (made.length) {
    const { workspaceId, label } = ctx.caller;
    const place = { workspace_id: workspaceId, board_id: boardId, dataset, created_by: label, created_at: ctx.now };
    await insertRows(ctx.db, place, made);
    await emitBoardChanged(ctx, { ...board, dataset, rowIds: made.map(({ id, row_key }) => row_key ?? id) });
  }
  return { appended: made.length, skipped: rows.length - made.length };
}

/** Makes the dataset where it is missing. */
async function prepareDataset(
  ctx: Context,
  { boardId, dataset }: DatasetLocation,
  { columns, dataset_count }: AppendState,
): Promise<void> {
  if (columns) return;
  if (dataset_count >= limits.datasets)
    throw new AppError('plan_limit', `A board has at most ${limits.datasets} datasets.`);
  await ensureDataset(ctx.db, { boardId, workspaceId: ctx.caller.workspaceId, at: ctx.now }, dataset);
}

/** Throws `plan_limit` when a dataset with this many rows cannot hold more. */
export function checkRoom(dataset: string, count: number, more: number): void {
  if (!more || count + more <= limits.rowsPerDataset) return;
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

/** The keys of the rows; none where they have no field for it. */
function listKeys({ rows, keyField }: AppendInput): string[] {
  if (keyField === undefined) return [];
  return rows.map((fields, index) => toKey(fields[keyField], `rows[${index}].${keyField}`));
}

/** Of a key that is the id of the row, the check of ids knows which there are; only lists are left to look at. */
function describeKeys(
  { keyField, targetField }: AppendInput,
  ids: readonly (string | null)[],
  keys: readonly string[],
): AppendedKeys {
  const field = keyField ?? null;
  const list = field === null ? null : (targetField ?? null);
  return { ids: ids.filter((id) => id !== null), field, list, keys };
}

function toKey(value: unknown, where: string): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new AppError('invalid_input', `${where}: every row needs the key by which it is known, a text or a number.`);
}
