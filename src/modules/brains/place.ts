// Checks the place of a brain in the tree.
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { checkLimit, type Limits } from './limits.ts';
import { lockTree, listBrainLineage, listBrainSubtree, type Brain } from './store/brains.ts';

/** Throws `plan_limit` when a brain with this many levels below it would make the tree too deep under this parent. */
export async function checkDepth(db: Db, limits: Limits, parentId: string | null, levelsBelow = 0): Promise<void> {
  if (limits.depth === null) return;
  const above = parentId ? await listBrainLineage(db, parentId) : [];
  checkLimit(limits, 'depth', above.length + 1 + levelsBelow);
}

/**
 * Throws unless the brain may be moved below this one (null: to the top). Locks all moves until the transaction ends.
 */
export async function checkMove(db: Db, limits: Limits, brain: Brain, parentId: string | null): Promise<void> {
  if (brain.personal_to && parentId) {
    throw new AppError(
      'conflict',
      'A personal brain cannot be put below another brain. Create a brain to share instead.',
    );
  }
  await lockTree(db);
  const subtree = await listBrainSubtree(db, brain.id);
  if (subtree.some(({ id }) => id === parentId)) {
    throw new AppError('conflict', 'A brain cannot be put below itself or below one of its own children.');
  }
  await checkDepth(db, limits, parentId, Math.max(...subtree.map(({ level }) => level)));
}
