// Recovers what was uninstalled, with all it had.
import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { chooseFreeName, getRecoveryLimit } from '#kernel/recovery';
import { withVisibleUninstalled } from '#platform/database';
import { buildInstallEvent, recipeRecovered } from '../events.ts';
import { moveInstallState } from '../install-states.ts';
import type { RecipeInstallRow } from '../store/tables.ts';
import { listInstallNames, lockPartsUninstalledWith, lockUninstalled, markRecovered } from '../store/uninstalled.ts';
import { entityOwners, findOwnerName } from './entity-owners.ts';

const longestName = 200;

/**
 * Recovers what an install made and, of a bundle, the parts that were uninstalled with it: paused, under its name or, where
 * that was taken meanwhile, its name with a number. The named install is the first of the answer. Throws `not_found` after
 * 7 days.
 */
export async function recoverInstalls(ctx: Context, entityId: string): Promise<RecipeInstallRow[]> {
  const since = getRecoveryLimit(ctx.now);
  const recovered = await withVisibleUninstalled(ctx.db, async () => {
    const install = await lockUninstalled(ctx.db, entityId, { since });
    if (!install) throw createNotFoundError('uninstalled recipe');
    const parts = install.entity_kind === 'bundle' ? await lockPartsUninstalledWith(ctx.db, install) : [];
    const shown = [];
    for (const each of [install, ...parts]) shown.push(await show(ctx, each));
    return shown;
  });
  for (const install of recovered) await ctx.emit(buildInstallEvent(recipeRecovered, install));
  return recovered;
}

async function show(ctx: Context, install: RecipeInstallRow): Promise<RecipeInstallRow> {
  const owner = findOwnerName(install);
  const [entity] = owner ? await entityOwners[owner].recover(ctx, [install.entity_id]) : [];
  if (owner && !entity) throw createNotFoundError('uninstalled recipe');
  const name = chooseFreeName(install.name, await listInstallNames(ctx.db, install), longestName);
  const state = moveInstallState(install.state, 'paused');
  await markRecovered(ctx.db, install.id, { name, state, at: ctx.now }).catch(throwAsConflict);
  return { ...install, state, name: entity?.name ?? name };
}

function throwAsConflict(error: unknown): never {
  if ((error as { code?: unknown }).code === '23505')
    throw new AppError('conflict', 'The recipe was installed again at this moment. Recover it again.');
  throw error;
}
