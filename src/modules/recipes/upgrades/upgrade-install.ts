// Upgrades one install in the transaction of the call.
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { chooseFreeName } from '#kernel/recovery';
import type { Scope } from '#kernel/scopes';
import type { SaveDeps } from '#modules/automations';
import { buildInstallEvent, recipeUpgraded } from '../events.ts';
import { listMissingSecrets } from '../installs/find-missing.ts';
import { listRecipeScopes } from '../installs/needed-scopes.ts';
import { moveInstallState, type InstallState } from '../install-states.ts';
import { getEntityKind } from '../manifest/render-entity.ts';
import { listInstallNames } from '../store/uninstalled.ts';
import { updateUpgraded } from '../store/upgrades.ts';
import { designKinds, type AppliedDesign } from './design-kinds.ts';
import { checkNothingMissing } from './later-version.ts';
import type { PreparedUpgrade } from './prepare-upgrade.ts';

const longestName = 200;

export type UpgradedInstall = PreparedUpgrade & AppliedDesign & { version: string };

/**
 * Changes what an install made to what was prepared. `isSeen`: a person saw exactly this difference on a human surface.
 * Throws `forbidden` without the scopes of what changes, and `invalid_input` for missing inputs.
 */
export async function upgradeInstall(
  ctx: Context,
  prepared: PreparedUpgrade,
  { isSeen }: { isSeen: boolean },
  deps: SaveDeps,
): Promise<UpgradedInstall> {
  const { install, later, recipe, values } = prepared;
  checkNothingMissing(prepared.missingInputs);
  checkScopes(ctx, prepared);
  if (!later && !prepared.changes.length && isDeepStrictEqual(values.inputs, install.inputs))
    return { ...prepared, changeIds: install.base.change_ids ?? [], misfits: [], version: install.version };
  const applied = await applyDesign(ctx, prepared, isSeen, deps);
  const version = later?.version ?? install.version;
  const base = { ...install.base, recipe, values, change_ids: applied.changeIds };
  const state = await chooseState(ctx, prepared);
  const name = await chooseInstallName(ctx, prepared);
  await updateUpgraded(ctx.db, install, { version, name, base, inputs: values.inputs, state, at: ctx.now });
  if (version !== install.version) await ctx.emit(buildInstallEvent(recipeUpgraded, { ...install, version }));
  return { ...prepared, ...applied, version };
}

/** A name that the recipe changed, with a number where another install of it has the name. */
async function chooseInstallName({ db }: Context, { install, installName }: PreparedUpgrade): Promise<string> {
  if (installName === install.name) return installName;
  return chooseFreeName(installName, await listInstallNames(db, install), longestName);
}

async function applyDesign(
  ctx: Context,
  { install, recipe, target }: PreparedUpgrade,
  isSeen: boolean,
  deps: SaveDeps,
): Promise<AppliedDesign> {
  const kind = recipe.kind === 'bundle' ? 'reading' : getEntityKind(recipe);
  if (!target || kind === 'reading') return { changeIds: [], misfits: [] };
  const changeIds = install.base.change_ids ?? [];
  return designKinds[kind].apply(ctx, install.entity_id, { ...target, isSeen, changeIds }, deps);
}

/** As by hand: what changes needs the scopes that changing it needs. What is read again and again needs `syncs:write`. */
function checkScopes({ caller }: Context, { install, recipe, later }: PreparedUpgrade): void {
  if (recipe.kind === 'bundle') return;
  const isReadAlready = getEntityKind(recipe) === 'reading' && install.state !== 'paused' && later !== null;
  const scopes: Scope[] = [...listRecipeScopes(recipe), ...(isReadAlready ? (['syncs:write'] as const) : [])];
  const hasAutomations = scopes.includes('automations:write');
  if (hasAutomations && caller.reach !== 'owner')
    throw new AppError('forbidden', 'This changes automations. Use a key that reaches all brains of its person.');
  const lacking = scopes.find((scope) => !caller.scopes.has(scope));
  if (lacking)
    throw new AppError('forbidden', `Upgrading ${install.name} needs the scope ${lacking}.`, { scope: lacking });
}

/** An integration without code that needs a new secret waits for it. */
async function chooseState(ctx: Context, { install, later, recipe }: PreparedUpgrade): Promise<InstallState> {
  if (!later || recipe.kind === 'bundle' || getEntityKind(recipe) !== 'reading') return install.state;
  const secrets = await listMissingSecrets(ctx, later, install.brain_id);
  return secrets.length && install.state !== 'paused' ? moveInstallState(install.state, 'needs_setup') : install.state;
}
