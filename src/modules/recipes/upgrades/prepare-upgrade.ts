// Compares an installed entity with a later version of its recipe. Nothing is changed.
import { createHash } from 'node:crypto';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import type { SaveDeps } from '#modules/automations';
import type { CodexRecipe } from '../codex/codex-recipe.ts';
import type { GivenInputs, MissingInput } from '../installs/choose-inputs.ts';
import { parseEntity } from '../installs/make-entity.ts';
import { getEntityKind, type MakingRecipe } from '../manifest/render-entity.ts';
import type { RenderValues } from '../manifest/render-template.ts';
import type { RecipeInstallRow } from '../store/tables.ts';
import { alignNames, nameFields } from './align-names.ts';
import { designKinds, type AnyDesign } from './design-kinds.ts';
import { chooseUpgradeValues, findLaterVersion } from './later-version.ts';
import {
  compareTemplates,
  mergeTemplate,
  replaceTemplate,
  type KeptField,
  type TemplateChange,
} from './merge-template.ts';

export type UpgradeRequest = { isForced: boolean; inputs: GivenInputs };

export type PreparedUpgrade = {
  install: RecipeInstallRow;
  /** Null: the present version is the newest. */
  later: CodexRecipe | null;
  recipe: CodexRecipe['recipe'];
  values: RenderValues;
  missingInputs: MissingInput[];
  userChanges: TemplateChange[];
  changes: TemplateChange[];
  kept: KeptField[];
  /** The name of the install: that of the recipe, unless the installer chose one. */
  installName: string;
  /** What the entity will be, and what it would be made of. Null: the install has no entity of its own. */
  target: { design: AnyDesign; input: unknown } | null;
};

export async function prepareUpgrade(
  ctx: Context,
  install: RecipeInstallRow,
  { isForced, inputs }: UpgradeRequest,
  deps: SaveDeps,
): Promise<PreparedUpgrade> {
  const later = await findLaterVersion(ctx.db, install);
  const recipe = later?.recipe ?? install.base.recipe;
  checkSameKind(install.base.recipe, recipe);
  const { values, missingInputs } = chooseUpgradeValues({ recipe }, install, inputs);
  const common = { install, later, recipe, values, missingInputs };
  const none = { userChanges: [], changes: [], kept: [], target: null, installName: install.name };
  if (recipe.kind === 'bundle' || missingInputs.length) return { ...common, ...none };
  const kind = getEntityKind(recipe);
  if (kind === 'reading') return { ...common, ...none, changes: compareReadings(install, recipe) };
  const { base } = install;
  const { rule, build, read } = designKinds[kind];
  const overrides = base.overrides ?? {};
  const input = parseEntity(recipe, kind, { values, overrides });
  const before = parseEntity(base.recipe as MakingRecipe, kind, { values: base.values, overrides }); // of the same kind
  const nameField = nameFields[kind];
  const named = chooseNames(install, nameField, build(before, deps, ctx.now), build(input, deps, ctx.now));
  const present = await read(ctx.db, install.entity_id, base.change_ids ?? []);
  const { design: mine, restore } = alignNames(present, named.base, nameField);
  const merged = isForced
    ? replaceTemplate(mine, named.theirs, rule)
    : mergeTemplate(named.base, mine, named.theirs, rule);
  return {
    ...common,
    userChanges: compareTemplates(named.base, mine, rule),
    changes: merged.changes,
    kept: merged.kept,
    installName: String(named.theirs[nameField]),
    target: { design: restore(merged.template), input },
  };
}

/** The name that the installer chose stays, whatever the recipe is called. */
function chooseNames(install: RecipeInstallRow, field: 'name' | 'title', base: AnyDesign, theirs: AnyDesign) {
  const isChosen = base[field] !== install.name;
  return {
    base: { ...base, [field]: install.name },
    theirs: isChosen ? { ...theirs, [field]: install.name } : theirs,
  };
}

function compareReadings({ base }: RecipeInstallRow, recipe: MakingRecipe): TemplateChange[] {
  const before = base.recipe.kind === 'bundle' ? {} : base.recipe.template;
  return compareTemplates<object>(before, recipe.template, { by: 'field', of: { mapping: { by: 'field' } } });
}

function checkSameKind(before: CodexRecipe['recipe'], after: CodexRecipe['recipe']): void {
  const [from, to] = [before, after].map((recipe) => (recipe.kind === 'bundle' ? 'bundle' : getEntityKind(recipe)));
  if (from === to) return;
  throw new AppError(
    'conflict',
    `The new version of ${after.slug} makes another kind of thing. Uninstall the present one, and install it again.`,
  );
}

/** Stands for a difference as it was shown, so that a person agrees to exactly this one. `moves`: what comes and goes with it. */
export function hashDifference(prepared: readonly PreparedUpgrade[], moves: readonly string[]): string {
  const shown = prepared.map(({ install, later, changes, kept }) => {
    return [install.id, install.version, later?.sha256 ?? null, changes, kept];
  });
  return createHash('sha256')
    .update(JSON.stringify([shown, moves]))
    .digest('hex');
}
