// Plans an install: which recipes it takes, what is made of each, and what is missing. Nothing is changed.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { getRecoveryLimit } from '#kernel/recovery';
import { withVisibleUninstalled } from '#platform/database';
import type { CodexRecipe } from '../codex/codex-recipe.ts';
import { findCodexRecipe } from '../codex/find-recipe.ts';
import {
  checkResolved,
  isBelow,
  listNeeded,
  resolveDependencies,
  type RecipeNode,
} from '../codex/resolve-dependencies.ts';
import { renderTemplate, type RenderValues } from '../manifest/render-template.ts';
import { findUninstalledByName } from '../store/uninstalled.ts';
import { findInstallByName, listInstallsOfSlugs } from '../store/installs.ts';
import type { Db, RecipeInstallRow } from '../store/tables.ts';
import { checkInputs, chooseInputs, listMissingInputs, type GivenInputs, type MissingInput } from './choose-inputs.ts';
import { checkOverrides, getChosenName, type Overrides } from '../manifest/overrides.ts';

/** What is installed, where, and with which values. */
export type InstallRequest = {
  target: CodexRecipe;
  brainId: string;
  overrides: Overrides;
  inputs: GivenInputs;
  /** The account that the target uses; null: none was chosen. */
  connectionId: string | null;
};

/** One recipe of a plan. `use`: the brain has it already; `recover`: it had it, and can have it back. */
export type PlannedStep = {
  codex: CodexRecipe;
  action: 'create' | 'use' | 'recover';
  /** The name of the install, and, if it is free, of what is made. */
  name: string;
  isNameChosen: boolean;
  isTarget: boolean;
  /** The bundle that brings it. */
  bundle: string | null;
  chain: string[];
  /** The install that the brain has or had. */
  install: RecipeInstallRow | null;
  /** An input that is missing has … as its value, so that the plan can be shown. */
  inputs: RenderValues['inputs'];
};

export type InstallPlan = {
  request: InstallRequest;
  /** Dependencies and parts first, the target last. */
  steps: PlannedStep[];
  missingInputs: MissingInput[];
};

/**
 * Throws `conflict` with the chain for a dependency that is missing, too old or circular, and `invalid_input` for wrong
 * inputs and overrides. Missing inputs are in the plan.
 */
export async function planInstall(ctx: Context, request: InstallRequest): Promise<InstallPlan> {
  const { target, overrides, inputs, brainId } = request;
  checkOverrides(overrides, target.recipe.kind);
  const resolution = await resolveDependencies((slug) => findCodexRecipe(ctx.db, { slug }), target);
  checkResolved(resolution);
  const { nodes } = resolution;
  checkInputs(
    inputs,
    nodes.map(({ codex }) => codex),
  );
  const installed = await listInstallsOfSlugs(
    ctx.db,
    brainId,
    nodes.map(({ codex }) => codex.recipe.slug),
  );
  checkInstalledVersions(nodes, installed);
  const steps: PlannedStep[] = [];
  for (const node of nodes) steps.push(await planStep(ctx, node, request, installed));
  const missingInputs = steps
    .filter(({ action }) => action === 'create')
    .flatMap(({ codex }) => listMissingInputs(codex, inputs));
  return { request, steps, missingInputs };
}

async function planStep(
  { db, now }: Context,
  { codex, bundle, chain }: RecipeNode,
  { target, overrides, inputs: given, brainId }: InstallRequest,
  installed: readonly RecipeInstallRow[],
): Promise<PlannedStep> {
  const { slug } = codex.recipe;
  const isTarget = slug === target.recipe.slug;
  const unknown = listMissingInputs(codex, given).map((missing) => [missing.name, '…']);
  const inputs = { ...chooseInputs(codex, given), ...(Object.fromEntries(unknown) as RenderValues['inputs']) };
  const chosen = isTarget ? getChosenName(overrides) : undefined;
  const name = chosen ?? buildName(codex, inputs);
  const install = isTarget
    ? await findInstallByName(db, { brainId, slug, name })
    : installed.find((each) => each.slug === slug);
  const uninstalled = install ? undefined : await findRecoverable(db, { brainId, slug, name, now });
  return {
    codex,
    action: install ? 'use' : uninstalled ? 'recover' : 'create',
    name,
    isNameChosen: chosen !== undefined,
    isTarget,
    bundle,
    chain,
    install: install ?? uninstalled ?? null,
    inputs,
  };
}

function findRecoverable(
  db: Db,
  { now, ...named }: { brainId: string; slug: string; name: string; now: Date },
): Promise<RecipeInstallRow | undefined> {
  return withVisibleUninstalled(db, () => findUninstalledByName(db, { ...named, since: getRecoveryLimit(now) }));
}

/** The name of what a recipe makes, with its inputs. */
function buildName({ recipe }: CodexRecipe, inputs: RenderValues['inputs']): string {
  const named = findNameOfTemplate(recipe);
  const name = renderTemplate(named ?? recipe.name, { inputs, ids: {} }).trim();
  if (name.length >= 1 && name.length <= 200) return name;
  throw new AppError(
    'invalid_input',
    `inputs: the name of ${recipe.slug} would have ${name.length} characters; 1 to 200 are allowed.`,
  );
}

function findNameOfTemplate(recipe: CodexRecipe['recipe']): string | undefined {
  if (recipe.kind === 'bundle') return undefined;
  if (recipe.kind === 'workflow') return recipe.template.title;
  return 'name' in recipe.template ? recipe.template.name : undefined;
}

/** Throws `conflict` for an installed recipe that is older than another one of the plan needs. */
function checkInstalledVersions(nodes: readonly RecipeNode[], installed: readonly RecipeInstallRow[]): void {
  for (const { codex, chain } of nodes) {
    for (const { slug, min_version } of listNeeded(codex)) {
      const present = installed.find((each) => each.slug === slug);
      if (!present || !isBelow(present.version, min_version)) continue;
      const whole = [...chain, slug];
      throw new AppError(
        'conflict',
        `${slug} is installed in version ${present.version}, and ${codex.recipe.slug} needs ${min_version}. Upgrade it first. The chain: ${whole.join(' → ')}.`,
        { chain: whole, problem: 'too_old', install_id: present.id },
      );
    }
  }
}
