// The version that an install can be upgraded to, and the values that it needs.
import { AppError } from '#kernel/errors';
import type { CodexRecipe } from '../codex/codex-recipe.ts';
import { findCodexRecipe } from '../codex/find-recipe.ts';
import {
  checkInputs,
  chooseInputs,
  listMissingInputs,
  type GivenInputs,
  type MissingInput,
} from '../installs/choose-inputs.ts';
import { isInputOfType } from '../manifest/fields.ts';
import type { RenderValues } from '../manifest/render-template.ts';
import { compareVersions } from '../manifest/versions.ts';
import type { Db, RecipeInstallRow } from '../store/tables.ts';

/** The newest version of the recipe of an install that is above its own. Null: there is none. */
export async function findLaterVersion(db: Db, install: RecipeInstallRow): Promise<CodexRecipe | null> {
  const found = await findCodexRecipe(db, { slug: install.slug });
  if (!found || (found.publisherId === null ? null : found.id) !== install.recipe_id) return null;
  return compareVersions(found.version, install.version) > 0 ? found : null;
}

export type UpgradeValues = { values: RenderValues; missingInputs: MissingInput[] };

/**
 * The values of a version: those of the install where the version still asks for them, and new ones. Throws
 * `invalid_input` for a new value that the version does not ask for.
 */
export function chooseUpgradeValues(
  codex: Pick<CodexRecipe, 'recipe'>,
  { inputs: before, base }: Pick<RecipeInstallRow, 'inputs' | 'base'>,
  inputs: GivenInputs,
): UpgradeValues {
  const whole = codex as CodexRecipe; // only its recipe is read
  checkInputs(inputs, [whole]);
  const asked = new Map(codex.recipe.inputs.map((input) => [input.name, input.type]));
  const stay = Object.entries(before).filter(([name, value]) => {
    const type = asked.get(name);
    return type !== undefined && isInputOfType(type, value);
  });
  const given = { ...Object.fromEntries(stay), ...inputs };
  return {
    values: { inputs: chooseInputs(whole, given), ids: base.values.ids },
    missingInputs: listMissingInputs(whole, given),
  };
}

/** Throws `invalid_input` that names each missing input. */
export function checkNothingMissing(missing: readonly MissingInput[]): void {
  if (!missing.length) return;
  const names = missing.map(({ slug, name }) => `${name} (of ${slug})`).join(', ');
  throw new AppError('invalid_input', `inputs: the new version also needs ${names}.`, { missing_inputs: missing });
}
