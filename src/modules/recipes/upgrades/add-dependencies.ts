// The recipes that a later version needs beside those that are there.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { SaveDeps } from '#modules/automations';
import { findCodexRecipe } from '../codex/find-recipe.ts';
import { isBelow } from '../codex/resolve-dependencies.ts';
import type { GivenInputs } from '../installs/choose-inputs.ts';
import { applyPlan } from '../installs/apply-plan.ts';
import { listPlanScopes } from '../installs/needed-scopes.ts';
import { planInstall } from '../installs/plan-install.ts';
import type { Recipe } from '../manifest/recipe.ts';
import { listInstallsOfSlugs } from '../store/installs.ts';
import type { RecipeInstallRow } from '../store/tables.ts';

type NeededRecipe = { slug: string; min_version?: string | undefined };

/** What a version needs and the brain does not have. `moving`: the versions of what is upgraded with it. Throws `conflict` for an installed recipe that is too old. */
export async function listMissingDependencies(
  ctx: Context,
  { brain_id }: Pick<RecipeInstallRow, 'brain_id'>,
  { depends }: Pick<Recipe, 'depends'>,
  moving: ReadonlyMap<string, string>,
): Promise<{ missing: NeededRecipe[]; ids: Record<string, string> }> {
  const installed = await listInstallsOfSlugs(
    ctx.db,
    brain_id,
    depends.map(({ slug }) => slug),
  );
  const missing: NeededRecipe[] = [];
  const ids: Record<string, string> = {};
  for (const { slug, min_version } of depends) {
    const present = installed.find((each) => each.slug === slug);
    if (!present) missing.push({ slug, min_version });
    else if (isBelow(moving.get(slug) ?? present.version, min_version)) throw createTooOldError(present, min_version);
    else ids[slug] = present.entity_id;
  }
  return { missing, ids };
}

/** Installs recipes in a brain, each with what it needs itself. Returns the ids of what they made, by slug. */
export async function installNeeded(
  ctx: Context,
  { brain_id }: Pick<RecipeInstallRow, 'brain_id'>,
  needed: readonly NeededRecipe[],
  { inputs, deps }: { inputs: GivenInputs; deps: SaveDeps },
): Promise<Map<string, RecipeInstallRow>> {
  const installed = new Map<string, RecipeInstallRow>();
  for (const { slug, min_version } of needed) {
    const target = await findCodexRecipe(ctx.db, { slug });
    if (!target || isBelow(target.version, min_version))
      throw new AppError(
        'conflict',
        `The new version needs ${slug}${min_version ? ` ${min_version}` : ''}, which the codex does not have.`,
        {
          chain: [slug],
        },
      );
    const asked = new Set(target.recipe.inputs.map(({ name }) => name));
    const own = Object.fromEntries(Object.entries(inputs).filter(([name]) => asked.has(name)));
    const plan = await planInstall(ctx, { target, brainId: brain_id, overrides: {}, inputs: own, connectionId: null });
    const lacking = listPlanScopes(plan).find((scope) => !ctx.caller.scopes.has(scope));
    if (lacking) throw new AppError('forbidden', `Installing ${slug} needs the scope ${lacking}.`, { scope: lacking });
    const last = (await applyPlan(ctx, plan, deps)).at(-1);
    if (last) installed.set(slug, last.install);
  }
  return installed;
}

function createTooOldError({ slug, version, entity_id }: RecipeInstallRow, minimum: string | undefined): AppError {
  const message = `${slug} is installed in version ${version}, and the new version needs ${minimum}. Upgrade ${slug} first.`;
  return new AppError('conflict', message, { slug, entity_id });
}
