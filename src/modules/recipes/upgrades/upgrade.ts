// Upgrades what a recipe made, or a bundle with its parts.
import { isAtConsole } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import type { SaveDeps } from '#modules/automations';
import type { CodexRecipe } from '../codex/codex-recipe.ts';
import type { RecipeKind } from '../manifest/kinds.ts';
import { lockInstallsOfBrain } from '../store/installs.ts';
import { findOwnerName } from '../uninstalls/entity-owners.ts';
import { findGhosts } from '../uninstalls/remove-ghosts.ts';
import { leaveBundle } from '../store/uninstalled.ts';
import { findInstall, findInstallOfEntity, joinBundle, listParts } from '../store/upgrades.ts';
import type { RecipeInstallRow } from '../store/tables.ts';
import { installNeeded, listMissingDependencies } from './add-dependencies.ts';
import { findLaterVersion } from './later-version.ts';
import { hashDifference, prepareUpgrade, type PreparedUpgrade, type UpgradeRequest } from './prepare-upgrade.ts';
import { upgradeInstall, type UpgradedInstall } from './upgrade-install.ts';

export type EntityReference = { entity_id: string; entity_kind: RecipeKind };

/** What an upgrade would do. The first is the named install; parts of a bundle follow. */
export type UpgradePreview = {
  prepared: [PreparedUpgrade, ...PreparedUpgrade[]];
  added: AddedRecipe[];
  /** Parts that become standalone. */
  left: RecipeInstallRow[];
  /** The versions after the upgrade, by slug. */
  moving: ReadonlyMap<string, string>;
  /** Stands for the difference. */
  seen: string;
};

/** A recipe that is installed with an upgrade: a dependency, or a new part of a bundle. */
type AddedRecipe = { slug: string; min_version?: string | undefined; bundleId: string | null };

/** The install that made something. Throws `not_found` for another kind, and `conflict` for a part of a bundle. */
export async function getUpgradable(
  ctx: Context,
  { entity_id, entity_kind }: EntityReference,
): Promise<RecipeInstallRow> {
  const install = await findInstallOfEntity(ctx.db, entity_id);
  // An integration with code is an automation, and may be named as either.
  if (!install || ![install.entity_kind, findOwnerName(install)].includes(entity_kind))
    throw createNotFoundError('installed recipe');
  const bundle = install.bundle_id === null ? undefined : await findInstall(ctx.db, install.bundle_id);
  if (!bundle) return install;
  throw new AppError(
    'conflict',
    `${install.name} is part of the bundle ${bundle.name}, and moves only with it. Upgrade the bundle.`,
    { bundle: { entity_id: bundle.entity_id, entity_kind: 'bundle', name: bundle.name, slug: bundle.slug } },
  );
}

const sampleId = '00000000-0000-7000-8000-000000000000';

/** Compares an install and its parts with their newest versions. Nothing is changed. */
export async function previewUpgrade(
  ctx: Context,
  install: RecipeInstallRow,
  request: UpgradeRequest,
  deps: SaveDeps,
): Promise<UpgradePreview> {
  const { installs, added, left } = await planParts(ctx, install);
  const later = new Map<string, CodexRecipe | null>();
  for (const each of installs) later.set(each.id, await findLaterVersion(ctx.db, each));
  const moving = new Map(installs.map(({ id, slug, version }) => [slug, later.get(id)?.version ?? version]));
  const prepared: PreparedUpgrade[] = [];
  for (const each of installs) {
    const recipe = later.get(each.id)?.recipe ?? each.base.recipe;
    const { missing, ids } = await listMissingDependencies(ctx, each, recipe, moving);
    added.push(...missing.map((needed) => ({ ...needed, bundleId: null })));
    const samples = Object.fromEntries(missing.map(({ slug }) => [slug, sampleId]));
    prepared.push(
      await prepareUpgrade(ctx, withIds(each, { ...ids, ...samples }), narrowInputs(request, recipe), deps),
    );
  }
  const [first, ...others] = prepared;
  if (!first) throw createNotFoundError('installed recipe');
  const together = { added: [...new Map(added.map((each) => [each.slug, each])).values()], left };
  const moves = [...together.added.map(({ slug }) => slug), ...left.map(({ id }) => id)];
  return { prepared: [first, ...others], ...together, moving, seen: hashDifference(prepared, moves) };
}

export type Upgrade = {
  upgraded: [UpgradedInstall, ...UpgradedInstall[]];
  added: RecipeInstallRow[];
  left: RecipeInstallRow[];
};

/**
 * Upgrades an install and, of a bundle, its parts: all of it or nothing. With `seen` the difference must still be the one
 * that was shown. Throws `conflict` where it is another one.
 */
export async function upgradeRecipe(
  ctx: Context,
  reference: EntityReference,
  { seen, ...request }: UpgradeRequest & { seen: string | undefined },
  deps: SaveDeps,
): Promise<Upgrade> {
  const { brain_id } = await getUpgradable(ctx, reference);
  await lockInstallsOfBrain(ctx.db, brain_id);
  const install = await getUpgradable(ctx, reference); // as it is under the lock
  const preview = await previewUpgrade(ctx, install, request, deps);
  if (seen !== undefined && seen !== preview.seen)
    throw new AppError(
      'conflict',
      'The difference changed after it was shown to you. Nothing was upgraded: look at it again.',
    );
  const isSeen = seen !== undefined && isAtConsole(ctx.caller) && ctx.face === 'console';
  const added = await installNeeded(ctx, install, preview.added, { inputs: request.inputs, deps });
  for (const { slug, bundleId } of preview.added) {
    const part = added.get(slug);
    if (part && bundleId !== null) await joinBundle(ctx.db, part.id, bundleId);
  }
  const leaving = preview.left.map(({ id }) => id);
  await leaveBundle(ctx.db, leaving, ctx.now);
  const upgraded: UpgradedInstall[] = [];
  for (const { install: before, recipe } of preview.prepared) {
    const each = await findInstall(ctx.db, before.id);
    if (!each) throw createNotFoundError('installed recipe');
    const { ids } = await listMissingDependencies(ctx, each, recipe, preview.moving);
    const fresh = await prepareUpgrade(ctx, withIds(each, ids), narrowInputs(request, recipe), deps);
    upgraded.push(await upgradeInstall(ctx, fresh, { isSeen }, deps));
  }
  const [first, ...others] = upgraded;
  if (!first) throw createNotFoundError('installed recipe');
  return { upgraded: [first, ...others], added: [...added.values()], left: preview.left };
}

type PlannedParts = { installs: RecipeInstallRow[]; added: AddedRecipe[]; left: RecipeInstallRow[] };

/**
 * The installs that move together, bundles before their parts. Parts go by their slug: what a person uninstalled stays so,
 * and what the bundle no longer names becomes standalone.
 */
async function planParts(ctx: Context, install: RecipeInstallRow): Promise<PlannedParts> {
  if (install.entity_kind !== 'bundle') return { installs: [install], added: [], left: [] };
  const later = await findLaterVersion(ctx.db, install);
  const before = listPartSlugs(install.base.recipe);
  const after = listPartSlugs(later?.recipe ?? install.base.recipe);
  const known = await listParts(ctx.db, install.id);
  const deleted = await findGhosts(ctx.db, known);
  const parts = known.filter((part) => !deleted.includes(part));
  const hasLeft = ({ slug }: RecipeInstallRow) => before.includes(slug) && !after.includes(slug);
  const isNew = (slug: string) => !before.includes(slug) && !known.some((part) => part.slug === slug);
  const planned: PlannedParts = {
    installs: [install],
    added: after.filter(isNew).map((slug) => ({ slug, bundleId: install.id })),
    left: parts.filter(hasLeft),
  };
  for (const part of parts.filter((each) => !hasLeft(each))) {
    const { installs, added, left } = await planParts(ctx, part);
    planned.installs.push(...installs);
    planned.added.push(...added);
    planned.left.push(...left);
  }
  return planned;
}

function listPartSlugs(recipe: RecipeInstallRow['base']['recipe']): string[] {
  return recipe.kind === 'bundle' ? recipe.parts.map(({ slug }) => slug) : [];
}

/** An install with the ids of what its later version needs. */
function withIds(install: RecipeInstallRow, ids: Record<string, string>): RecipeInstallRow {
  const { values } = install.base;
  return { ...install, base: { ...install.base, values: { ...values, ids: { ...ids, ...values.ids } } } };
}

/** The new inputs that a recipe asks for: a bundle passes on those of its parts. */
function narrowInputs({ isForced, inputs }: UpgradeRequest, recipe: PreparedUpgrade['recipe']): UpgradeRequest {
  const asked = new Set(recipe.inputs.map(({ name }) => name));
  return { isForced, inputs: Object.fromEntries(Object.entries(inputs).filter(([name]) => asked.has(name))) };
}
