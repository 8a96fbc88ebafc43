// Carries out a plan in one transaction: makes what each recipe describes, and stores the installs.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { noLease } from '#platform/lease';
import type { SaveDeps } from '#modules/automations';
import { recipeInstalled } from '../events.ts';
import type { InstallState } from '../install-states.ts';
import { getEntityKind, type MakingRecipe } from '../manifest/render-entity.ts';
import type { RenderValues } from '../manifest/render-template.ts';
import { insertInstall } from '../store/installs.ts';
import { updateInstall } from '../store/readings.ts';
import type { RecipeInstallRow } from '../store/tables.ts';
import { recoverInstalls } from '../uninstalls/recover.ts';
import { listMissingAccounts, listMissingSecrets } from './find-missing.ts';
import { makeEntity } from './make-entity.ts';
import type { InstallPlan, PlannedStep } from './plan-install.ts';

/** An install of a plan, and whether the plan made it, found it or recovered it. */
export type AppliedStep = {
  step: PlannedStep;
  install: RecipeInstallRow;
  entityName: string;
  outcome: 'created' | 'used' | 'recovered';
};

/**
 * Makes all that the plan says, dependencies and parts first. The caller locks the brain's installs before it plans, so
 * that equal installs at once make one. Throws `invalid_input` with all missing inputs.
 */
export async function applyPlan(ctx: Context, plan: InstallPlan, deps: SaveDeps): Promise<AppliedStep[]> {
  if (plan.missingInputs.length) throw createMissingInputsError(plan);
  const bundleIds = new Map<string, string>();
  for (const { codex, install } of plan.steps)
    if (codex.recipe.kind === 'bundle') bundleIds.set(codex.recipe.slug, install?.id ?? ctx.newId());
  // A bundle is stored before its parts, which name it, and an outer bundle before an inner one.
  const bundles = plan.steps.filter(({ codex }) => codex.recipe.kind === 'bundle').toReversed();
  const others = plan.steps.filter(({ codex }) => codex.recipe.kind !== 'bundle');
  const applied = new Map<string, AppliedStep>();
  const recovered = new Map<string, RecipeInstallRow>();
  for (const step of [...bundles, ...others])
    applied.set(step.codex.recipe.slug, await applyStep(ctx, step, { plan, deps, applied, bundleIds, recovered }));
  return plan.steps.flatMap(({ codex }) => applied.get(codex.recipe.slug) ?? []);
}

type Applying = {
  plan: InstallPlan;
  deps: SaveDeps;
  applied: ReadonlyMap<string, AppliedStep>;
  bundleIds: ReadonlyMap<string, string>;
  /** By id: a bundle is recovered with its parts. */
  recovered: Map<string, RecipeInstallRow>;
};

async function applyStep(ctx: Context, step: PlannedStep, applying: Applying): Promise<AppliedStep> {
  const { codex, install, name, isTarget } = step;
  if (install && step.action === 'use') {
    const present = await finishSetup(ctx, install, codex, applying);
    return { step, install: present, entityName: present.name, outcome: 'used' };
  }
  if (install) {
    const back = await recoverOnce(ctx, install, applying.recovered);
    return { step, install: back, entityName: back.name, outcome: 'recovered' };
  }
  const { request } = applying.plan;
  const { recipe } = codex;
  const values = buildValues(step, applying);
  const id = applying.bundleIds.get(recipe.slug) ?? ctx.newId();
  const place = { brainId: request.brainId, name, isNameChosen: step.isNameChosen };
  const making = { place, values, overrides: isTarget ? request.overrides : {}, deps: applying.deps };
  const made = recipe.kind === 'bundle' ? null : await makeEntity(ctx, recipe, making);
  const entity = made ?? { id, name };
  const row = await buildInstallRow(ctx, step, { id, entityId: entity.id, values, applying });
  if (!(await insertInstall(ctx.db, row)))
    throw new AppError('conflict', `This brain has an install of ${recipe.slug} called ${name}. Try again.`);
  const { brain_id, slug, version, entity_kind, entity_id } = row;
  const payload = { install_id: id, brain_id, slug, version, entity_kind, entity_id };
  await ctx.emit(recipeInstalled(payload, { brainId: brain_id }));
  return { step, install: row, entityName: entity.name, outcome: 'created' };
}

/** An install that waited for a secret or an account is read from now on, once they are there. */
async function finishSetup(
  ctx: Context,
  install: RecipeInstallRow,
  codex: PlannedStep['codex'],
  applying: Applying,
): Promise<RecipeInstallRow> {
  const { recipe } = install.base;
  if (install.state !== 'needs_setup' || recipe.kind === 'bundle') return install;
  const state = await chooseState(ctx, { ...codex, recipe }, applying);
  if (state === 'needs_setup') return install;
  const { id, inputs, base, connection_id } = install;
  const isDue = state === 'active';
  const change = { state, inputs, base, connection_id, person_id: ctx.caller.personId, at: ctx.now, isDue };
  return updateInstall(ctx.db, id, change);
}

async function recoverOnce(
  ctx: Context,
  { id, entity_id }: RecipeInstallRow,
  recovered: Map<string, RecipeInstallRow>,
): Promise<RecipeInstallRow> {
  if (!recovered.has(id)) for (const each of await recoverInstalls(ctx, entity_id)) recovered.set(each.id, each);
  const back = recovered.get(id);
  if (back) return back;
  throw new AppError('conflict', 'The recipe was purged at this moment. Install it again.');
}

/** The values of a recipe: its inputs, and what its dependencies made. */
function buildValues({ codex, inputs, isTarget }: PlannedStep, { plan, applied }: Applying): RenderValues {
  const { brainId, connectionId } = plan.request;
  const ids: Record<string, string> = { brain: brainId, account: (isTarget ? connectionId : null) ?? '' };
  for (const { slug } of codex.recipe.depends) {
    const needed = applied.get(slug);
    if (needed) ids[slug] = needed.install.entity_id;
  }
  return { inputs, ids };
}

async function buildInstallRow(
  ctx: Context,
  { codex, name, isTarget, bundle, inputs }: PlannedStep,
  { id, entityId, values, applying }: { id: string; entityId: string; values: RenderValues; applying: Applying },
): Promise<RecipeInstallRow> {
  const { workspaceId, personId, label } = ctx.caller;
  const { brainId, connectionId } = applying.plan.request;
  const { recipe } = codex;
  const state = recipe.kind === 'bundle' ? 'active' : await chooseState(ctx, { ...codex, recipe }, applying);
  return {
    id,
    workspace_id: workspaceId,
    brain_id: brainId,
    recipe_id: codex.publisherId === null ? null : codex.id,
    slug: recipe.slug,
    name,
    version: codex.version,
    entity_kind: recipe.kind,
    entity_id: entityId,
    bundle_id: (bundle === null ? undefined : applying.bundleIds.get(bundle)) ?? null,
    person_id: personId,
    inputs,
    connection_id: isTarget ? connectionId : null,
    base: { recipe, values, ...(isTarget && { overrides: applying.plan.request.overrides }) },
    state,
    next_at:
      recipe.kind === 'integration' && getEntityKind(recipe) === 'reading' && state === 'active' ? ctx.now : null,
    ...noLease,
    counters: {},
    uninstalled_at: null,
    created_by: label,
    created_at: ctx.now,
    updated_at: ctx.now,
  };
}

/**
 * An integration without code is read from now on, unless a secret is missing, or the caller may not set up reading.
 * What other recipes make has a state of its own.
 */
async function chooseState(
  ctx: Context,
  codex: PlannedStep['codex'] & { recipe: MakingRecipe },
  { plan, deps }: Applying,
): Promise<InstallState> {
  if (getEntityKind(codex.recipe) !== 'reading') return 'active';
  const secrets = await listMissingSecrets(ctx, codex, plan.request.brainId);
  const accounts = await listMissingAccounts(ctx, codex, deps.publicUrl);
  if (secrets.length || accounts.length) return 'needs_setup';
  return ctx.caller.scopes.has('syncs:write') ? 'active' : 'paused';
}

function createMissingInputsError({ missingInputs }: InstallPlan): AppError {
  const names = missingInputs.map(({ name, description }) => (description ? `${name} (${description})` : name));
  return new AppError('invalid_input', `inputs: these are missing: ${names.join(', ')}`, { missing: missingInputs });
}
