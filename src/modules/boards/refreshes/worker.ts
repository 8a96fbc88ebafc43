// Refreshes datasets that are due, in any number of server processes, which share them by leases.
import { isAtLeast, type Caller } from '#kernel/caller';
import type { Calls } from '#kernel/calls';
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { checkSyncRead } from '#modules/policy';
import { createWorker, type Tasks, type Worker } from '#platform/workers';
import { createBoardCaller } from '../board-caller.ts';
import type { JudgeRead } from '../links/read-link.ts';
import { findBoard } from '../store/boards.ts';
import { beginRefresh, listDueRecipes } from '../store/recipes.ts';
import { MayNotEdit } from './may-not-edit.ts';
import {
  failRefresh,
  prepareRefresh,
  refreshDataset,
  refreshLeaseMs,
  type Refresh,
  type RefreshDeps,
} from './refresh-dataset.ts';

const lookMs = 2_000;
const mostAtOnce = 4;
/** Of one workspace, so that others have their turn. */
const mostOfWorkspace = 2;
/** A refresh that is not finished by then is repeated by another process. */
const finishWithinMs = 5_000;

export type RefreshWorkerDeps = RefreshDeps & {
  asSystem<T>(work: (db: Db) => Promise<T>): Promise<T>;
  calls: Calls;
  readRole(db: Db, personId: string): Promise<Caller['role'] | null>;
};

export function createRefreshWorker(deps: RefreshWorkerDeps): Worker {
  const onError = (err: unknown) => deps.log.warn({ err }, 'due datasets could not be refreshed');
  return createWorker({ look, everyMs: lookMs, finishWithinMs, longestStopMs: finishWithinMs, onError });

  async function look(tasks: Tasks, stopped: AbortSignal): Promise<void> {
    for (const { id, workspace_id: workspaceId } of await deps.asSystem((db) => listDueRecipes(db, mostAtOnce * 4))) {
      if (stopped.aborted || tasks.count() >= mostAtOnce) return;
      if (tasks.count(workspaceId) >= mostOfWorkspace || tasks.count(id)) continue;
      tasks.begin([workspaceId, id], () => refreshDue(deps, workspaceId, id));
    }
  }
}

/** By the rules for what a person set up to be read again and again. */
const judgeScheduled: JudgeRead = (db, source, account, targets) => checkSyncRead(db, source, account, targets);

/** Refreshes one recipe, unless another process does or it is not due any more. Errors are stored on its row. */
async function refreshDue(deps: RefreshWorkerDeps, workspaceId: string, id: string): Promise<void> {
  const { transactions } = deps;
  const recipe = await transactions.run(workspaceId, 'write', (db) =>
    beginRefresh(db, id, { forMs: refreshLeaseMs, isDue: true }),
  );
  if (!recipe) return;
  let refresh: Refresh;
  try {
    refresh = await transactions.run(workspaceId, 'read', (db) => prepareRefresh(db, recipe, judgeScheduled));
  } catch (error) {
    await failRefresh(deps, recipe, error);
    return;
  }
  const transact = <T>(work: (ctx: Context) => Promise<T>): Promise<T> =>
    transactions.run(workspaceId, 'write', async (db) => work(await createRefreshContext(deps, db, refresh)));
  // It was noted on the recipe.
  await refreshDataset(deps, refresh, { judge: judgeScheduled, transact }).catch(() => undefined);
}

/** The context for storing, in the name of the person who made the link. Throws when they may no longer edit the board. */
async function createRefreshContext(
  { calls, readRole }: RefreshWorkerDeps,
  db: Db,
  { link, recipe }: Refresh,
): Promise<Context> {
  const board = await findBoard(db, recipe.board_id);
  const role = await readRole(db, link.person_id);
  if (!board || !role) throw new MayNotEdit();
  const caller = createBoardCaller({
    id: recipe.id,
    label: `link ${link.display_name}`,
    workspaceId: recipe.workspace_id,
    personId: link.person_id,
    role,
    brainId: board.brain_id,
  });
  const ctx = calls.systemContext(db, caller, recipe.id);
  const mine = (await ctx.brains()).roles.get(board.brain_id);
  if (!mine || !isAtLeast(mine, 'editor')) throw new MayNotEdit();
  return ctx;
}
