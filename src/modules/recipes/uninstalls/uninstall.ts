// Uninstalls what recipes made. It can be recovered for some days.
import { isAtLeast } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { withVisibleUninstalled } from '#platform/database';
import { buildInstallEvent, recipeUninstalled } from '../events.ts';
import { moveInstallState } from '../install-states.ts';
import { lockInstallsOfBrain } from '../store/installs.ts';
import type { RecipeInstallRow } from '../store/tables.ts';
import {
  leaveBundle,
  listBrainsOfInstalls,
  listDependents,
  lockInstalls,
  markUninstalled,
  type InstallSelection,
} from '../store/uninstalled.ts';
import { entityOwners, findOwnerName, mapEntityNames, ownerNames } from './entity-owners.ts';

export type NeededInstall = { install: RecipeInstallRow; neededBy: string[] };
export type Uninstall = {
  uninstalled: RecipeInstallRow[];
  /** How many of them went as parts of a bundle. */
  cascadeCount: number;
  /** Parts that stay, because other installs need them. */
  kept: NeededInstall[];
};

/**
 * Uninstalls installs and, with `isCascading`, the parts of bundles. What another install needs stays. Throws `not_found`
 * where there is none, and `conflict` where another install needs each of those that are named.
 */
export async function uninstallRecipe(
  ctx: Context,
  selection: InstallSelection,
  { isCascading }: { isCascading: boolean },
): Promise<Uninstall> {
  // What is installed meanwhile may need what goes.
  for (const brainId of await listBrainsOfInstalls(ctx.db, selection)) await lockInstallsOfBrain(ctx.db, brainId);
  const named = await withNames(ctx, await lockInstalls(ctx.db, selection));
  if (!named.length) throw createNotFoundError('installed recipe');
  const bundleIds = named.filter(({ entity_kind }) => entity_kind === 'bundle').map(({ id }) => id);
  const parts = bundleIds.length ? await withNames(ctx, await lockInstalls(ctx.db, { bundleIds })) : [];
  const others = parts.filter(({ id }) => !named.some((install) => install.id === id));
  const { free, needed } = await splitNeeded(ctx, [...named, ...(isCascading ? others : [])]);
  const isNamed = ({ id }: RecipeInstallRow) => named.some((install) => install.id === id);
  const refused = needed.filter(({ install }) => isNamed(install));
  if (refused.length && !free.some(isNamed)) throw createNeededError(refused);
  for (const install of [...named, ...free]) await checkMayUninstall(ctx, install);
  await hide(ctx, free);
  await leaveBundle(
    ctx.db,
    parts.filter(({ id }) => !free.some((install) => install.id === id)).map(({ id }) => id),
    ctx.now,
  );
  return { uninstalled: free, cascadeCount: free.filter((install) => !isNamed(install)).length, kept: needed };
}

/** Installs with the present names of what they made. */
async function withNames({ db }: Context, installs: readonly RecipeInstallRow[]): Promise<RecipeInstallRow[]> {
  const names = await mapEntityNames(db, installs);
  return installs.map((install) => ({ ...install, name: names.get(install.entity_id) ?? install.name }));
}

/** The installer may, and admins of the brain; an automation, which is its person's, administrators of the workspace. */
async function checkMayUninstall(ctx: Context, install: RecipeInstallRow): Promise<void> {
  const { person_id, brain_id, name } = install;
  if (person_id === ctx.caller.personId) return;
  const isAutomation = findOwnerName(install) === 'automation';
  const role = (await ctx.brains()).roles.get(brain_id);
  if (isAutomation ? ctx.caller.role !== 'member' : role && isAtLeast(role, 'admin')) return;
  const who = isAutomation ? 'an administrator of the workspace' : 'an admin of the brain';
  throw new AppError('forbidden', `Somebody else installed ${name}. They or ${who} can uninstall it.`);
}

/** What may go: an install stays as long as one that stays needs it. */
async function splitNeeded(
  { db }: Context,
  installs: readonly RecipeInstallRow[],
): Promise<{ free: RecipeInstallRow[]; needed: NeededInstall[] }> {
  const dependents = await listDependents(
    db,
    installs.map(({ entity_id }) => entity_id),
  );
  const needed = new Map<string, NeededInstall>();
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const install of installs) {
      const staying = dependents.filter(
        ({ id, needed_id }) =>
          needed_id === install.entity_id &&
          id !== install.id &&
          (needed.has(id) || !installs.some((each) => each.id === id)),
      );
      if (!staying.length || needed.has(install.id)) continue;
      needed.set(install.id, { install, neededBy: staying.map(({ name }) => name) });
      isSettled = false;
    }
  }
  return { free: installs.filter(({ id }) => !needed.has(id)), needed: [...needed.values()] };
}

async function hide(ctx: Context, installs: readonly RecipeInstallRow[]): Promise<void> {
  for (const install of installs) moveInstallState(install.state, 'uninstalled');
  for (const owner of ownerNames) {
    const entities = installs.filter((install) => findOwnerName(install) === owner);
    await entityOwners[owner].uninstall(
      ctx,
      entities.map(({ entity_id }) => entity_id),
    );
  }
  const ids = installs.map(({ id }) => id);
  await withVisibleUninstalled(ctx.db, () => markUninstalled(ctx.db, ids, ctx.now));
  for (const install of installs) await ctx.emit(buildInstallEvent(recipeUninstalled, install));
}

function createNeededError(refused: readonly NeededInstall[]): AppError {
  const [first] = refused;
  const names = [...new Set(refused.flatMap(({ neededBy }) => neededBy))];
  return new AppError('conflict', `${first?.install.name} is needed by ${names.join(', ')}. Uninstall that first.`, {
    needed_by: names,
  });
}
