// Appends rows to a board, each key once.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { checkRows, type Row } from './columns.ts';
import { boardChanged } from './events.ts';
import { limits } from './limits.ts';
import {
  countRows,
  ensureDataset,
  insertRows,
  findKnownKeysInLists,
  findKnownKeys,
  listDatasets,
  lockBoard,
  touchBoard,
} from './store.ts';

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
  const board = await lockBoard(ctx.db, boardId);
  const { workspaceId, label, run } = ctx.caller;
  const datasets = await listDatasets(ctx.db, boardId);
  const there = datasets.find(({ name }) => name === dataset);
  if (!there && datasets.length >= limits.datasets)
    throw new AppError('plan_limit', `A board has at most ${limits.datasets} datasets.`);
  await ensureDataset(ctx.db, { boardId, workspaceId, at: ctx.now }, dataset);
  checkRows(there?.columns ?? [], rows);
  const fresh = await withoutKnown(ctx, boardId, appending);
  const count = await countRows(ctx.db, boardId, dataset);
  if (count + fresh.length > limits.rowsPerDataset)
    throw new AppError(
      'plan_limit',
      `A dataset has at most ${limits.rowsPerDataset} rows, and ${dataset} has ${count}. Use another dataset.`,
    );
  const made = fresh.map((fields) => ({ id: ctx.newId(), fields }));
  const of = { workspace_id: workspaceId, board_id: boardId, dataset, created_by: label, created_at: ctx.now };
  await insertRows(
    ctx.db,
    made.map((each) => ({ ...of, ...each })),
  );
  if (made.length) {
    await touchBoard(ctx.db, boardId, ctx.now);
    const change = { board_id: boardId, brain_id: board.brain_id, dataset, row_ids: made.map(({ id }) => id) };
    await ctx.emit(boardChanged({ ...change, by_automations: [...(run?.chain ?? [])] }, { brainId: board.brain_id }));
  }
  return { appended: made.length, skipped: rows.length - made.length };
}

/** The rows whose key is neither stored nor in an earlier row of the call. */
async function withoutKnown(
  ctx: Context,
  boardId: string,
  { dataset, rows, keyField, targetField }: AppendInput,
): Promise<Row[]> {
  if (keyField === undefined) return [...rows];
  const keys = rows.map((fields, index) => toKey(fields[keyField], `rows[${index}].${keyField}`));
  const place = { boardId, dataset };
  const seen = await findKnownKeys(ctx.db, place, keyField, keys);
  if (targetField !== undefined)
    for (const key of await findKnownKeysInLists(ctx.db, place, { list: targetField, field: keyField }, keys))
      seen.add(key);
  return rows.filter((_fields, index) => {
    const key = keys[index] ?? '';
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function toKey(value: unknown, where: string): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new AppError('invalid_input', `${where}: every row needs the key by which it is known, a text or a number.`);
}
