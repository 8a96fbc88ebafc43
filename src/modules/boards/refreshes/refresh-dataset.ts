// One refresh of a dataset: all rows are read first, and then stored in one transaction with the note that they were.
import type { Context } from '#kernel/context';
import type { Db, Transactions } from '#kernel/database';
import { AppError, createNotFoundError } from '#kernel/errors';
import { recordSync } from '#modules/connections';
import { findNextCronTime } from '#platform/dates';
import { keepLease } from '#platform/lease';
import type { Log } from '#platform/log';
import { readPauseMs } from '#providers/http';
import { limits } from '../limits.ts';
import { chooseOperation, type ChosenOperation } from '../links/adapters.ts';
import type { LinkReaders } from '../links/link-readers.ts';
import { judgeLink, readLinkRows, type JudgeRead, type LinkAccess } from '../links/read-link.ts';
import { lockBoard } from '../store/boards.ts';
import { findLink } from '../store/links.ts';
import { keepRefresh, noteFailure, noteRefreshed } from '../store/recipes.ts';
import type { BoardLinkRow, DatasetRecipeRow } from '../store/tables.ts';
import { replaceRows } from './replace-rows.ts';
import { MayNotEdit } from './may-not-edit.ts';

/** Renewed while rows are read, so that another process soon goes on after a crash. */
export const refreshLeaseMs = 30_000;
const renewalMs = 10_000;
const firstWaitMs = 60_000;
const longestWaitMs = 6 * 60 * 60_000;
/** A longer pause is a mistake of the provider, after which it would never be asked again. */
const longestAskedMs = 24 * 60 * 60_000;

export type RefreshDeps = { readers: LinkReaders; transactions: Transactions; log: Pick<Log, 'warn'>; now: () => Date };

/** What is refreshed: a recipe whose lease this process has, its link, and what may be read. */
export type Refresh = ChosenOperation & { recipe: DatasetRecipeRow; link: BoardLinkRow; access: LinkAccess };

export type RefreshResult = { rows: number; changed: number };

/** How a refresh stores: in whose name, and by whose rules it reads. */
export type RefreshActor = {
  judge: JudgeRead;
  /** Runs in a transaction with the right to edit the board; throws without it. */
  transact<T>(work: (ctx: Context) => Promise<T>): Promise<T>;
};

/** Asks the rules for a recipe. Throws when its link ended or may not be read. */
export async function prepareRefresh(db: Db, recipe: DatasetRecipeRow, judge: JudgeRead): Promise<Refresh> {
  const link = await findLink(db, recipe.link_id);
  if (!link) throw createNotFoundError('link');
  const chosen = chooseOperation(link.kind, recipe.adapter_op, recipe.params);
  return { ...chosen, recipe, link, access: await judgeLink(db, link, judge) };
}

/** Reads and stores. A failure is noted on the recipe, whose rows stay, and thrown. */
export async function refreshDataset(deps: RefreshDeps, refresh: Refresh, actor: RefreshActor): Promise<RefreshResult> {
  const { recipe } = refresh;
  const keep = () =>
    deps.transactions.run(recipe.workspace_id, 'write', (db) => keepRefresh(db, recipe, refreshLeaseMs));
  await using _lease = keepLease(keep, {
    everyMs: renewalMs,
    onError: (err) => deps.log.warn({ err, recipe_id: recipe.id }, 'the lease of a refresh could not be renewed'),
  });
  try {
    const reading = { ...refresh, now: deps.now() };
    const rows = await readLinkRows(deps.readers, reading, actor.judge, { most: limits.rowsPerDataset });
    return await actor.transact((ctx) => storeRows(ctx, refresh, rows));
  } catch (error) {
    await failRefresh(deps, recipe, error);
    throw error;
  }
}

async function storeRows(
  ctx: Context,
  { recipe, link, access }: Refresh,
  rows: Parameters<typeof replaceRows>[2]['rows'],
): Promise<RefreshResult> {
  const board = await lockBoard(ctx.db, recipe.board_id);
  if (!board) throw createNotFoundError('board');
  const result = await replaceRows(ctx, board, {
    dataset: recipe.dataset,
    rows,
    keyField: recipe.dedupe_key_field,
    targetField: recipe.dedupe_target_field,
    label: `link ${link.id}`,
  });
  const noted = { rows: result.rows, at: ctx.now, nextAt: findNextRefresh(recipe, ctx.now) };
  if (!(await noteRefreshed(ctx.db, recipe, noted))) throw createOvertakenError();
  if (access.by === 'account') await recordSync(ctx.db, access.connection.id, ctx.now);
  return result;
}

function createOvertakenError(): AppError {
  return new AppError(
    'conflict',
    'The recipe changed, or another process refreshed it meanwhile. Nothing was written.',
  );
}

/** Notes why a refresh failed, and when it is tried again. */
export async function failRefresh(
  { transactions, log, now }: Pick<RefreshDeps, 'transactions' | 'log' | 'now'>,
  recipe: DatasetRecipeRow,
  error: unknown,
): Promise<void> {
  log.warn({ err: error, recipe_id: recipe.id }, 'a dataset could not be refreshed');
  const at = now();
  const isStopped = error instanceof MayNotEdit;
  const failed = { failure: describeFailure(error), at, nextAt: findNextTry(recipe, error, at), isStopped };
  await transactions.run(recipe.workspace_id, 'write', (db) => noteFailure(db, recipe, failed));
}

function describeFailure(error: unknown): string {
  if (error instanceof AppError || error instanceof MayNotEdit) return error.message.slice(0, 1_000);
  return 'Something went wrong on the server while it was refreshed. It is tried again.';
}

/** The time of the schedule after a moment; null: it is refreshed by hand. */
function findNextRefresh({ refresh_cron }: Pick<DatasetRecipeRow, 'refresh_cron'>, after: Date): Date | null {
  return refresh_cron === null ? null : findNextCronTime({ cron: refresh_cron, tz: 'UTC' }, after);
}

/** After a failure: soon, then more and more rarely, by the schedule at the latest, and never before the provider allows it. */
function findNextTry(recipe: DatasetRecipeRow, error: unknown, at: Date): Date | null {
  const scheduled = findNextRefresh(recipe, at);
  if (!scheduled) return null;
  const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(recipe.failures, 12));
  const asked = Math.min(longestAskedMs, readPauseMs(error));
  const soon = Math.min(scheduled.getTime(), at.getTime() + wait);
  return new Date(Math.max(soon, at.getTime() + asked));
}
