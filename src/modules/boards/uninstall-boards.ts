// Uninstalls boards, and recovers them with their rows.
import type { Context } from '#kernel/context';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { chooseFreeName, getRecoveryLimit } from '#kernel/recovery';
import { withVisibleUninstalled } from '#platform/database';
import { emitBoardChanged } from './events.ts';
import { limits } from './limits.ts';
import { resumeRecipes, suspendRecipes } from './store/recipes.ts';
import {
  listTakenNames,
  lockUninstalled,
  markRecovered,
  markUninstalled,
  removeBoardsUninstalledBefore,
} from './store/uninstalled.ts';

/** Hides boards with all they have. Boards that were uninstalled before stay as they are. */
export async function uninstallBoards(ctx: Context, ids: readonly string[]): Promise<void> {
  if (!ids.length) return;
  const boards = await withVisibleUninstalled(ctx.db, async () => {
    await suspendRecipes(ctx.db, ids);
    return markUninstalled(ctx.db, ids, ctx.now);
  });
  for (const board of boards) await emitBoardChanged(ctx, board);
}

/**
 * Shows uninstalled boards again, each under its name or, where that was taken meanwhile, its name with a number. Returns
 * the recovered ones. Throws `conflict` when somebody takes the name at the same moment.
 */
export async function recoverBoards(ctx: Context, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  if (!ids.length) return [];
  const recovered = await withVisibleUninstalled(ctx.db, async () => {
    const boards = await lockUninstalled(ctx.db, ids);
    const named = [];
    for (const board of boards) {
      const taken = await listTakenNames(ctx.db, board.brain_id, board.name.slice(0, limits.nameCharacters / 2));
      const name = chooseFreeName(board.name, taken, limits.nameCharacters);
      await markRecovered(ctx.db, board.id, { name, at: ctx.now }).catch(throwAsConflict);
      named.push({ ...board, name });
    }
    await resumeRecipes(ctx.db, ids);
    return named;
  });
  for (const board of recovered) await emitBoardChanged(ctx, board);
  return recovered;
}

/** Deletes boards that can no longer be recovered. */
export async function purgeBoards(db: Db, at: Date): Promise<void> {
  await withVisibleUninstalled(db, () => removeBoardsUninstalledBefore(db, getRecoveryLimit(at)));
}

function throwAsConflict(error: unknown): never {
  if ((error as { code?: unknown }).code === '23505')
    throw new AppError('conflict', 'Another board took the name at this moment. Recover it again.');
  throw error;
}
