// The inputs of an install: what the installer gave, else the default of the recipe.
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import type { CodexRecipe } from '../codex/codex-recipe.ts';
import { limits } from '../limits.ts';
import { inputName, inputValue, isInputOfType, type InputValue, type RecipeInput } from '../manifest/fields.ts';

type AskingRecipe = Pick<CodexRecipe, 'recipe'>;
export type GivenInputs = Record<string, InputValue>;

export const inputsInput = z
  .record(inputName, inputValue)
  .refine((given) => Object.keys(given).length <= limits.inputs, `may have at most ${limits.inputs} names`)
  .describe('Values for the inputs of the recipe, and of those that are installed with it.');

/** An input that the recipe needs and nobody gave. */
export type MissingInput = { slug: string; name: string; description: string; type: RecipeInput['type'] };

/** Throws `invalid_input` for a value of the wrong type, and for one that no recipe asks for. */
export function checkInputs(given: GivenInputs, recipes: readonly AskingRecipe[]): void {
  const declared = recipes.flatMap(({ recipe }) => recipe.inputs);
  for (const [name, value] of Object.entries(given)) {
    const asked = declared.filter((input) => input.name === name);
    if (!asked.length) {
      const known = [...new Set(declared.map((input) => input.name))].join(', ') || 'none';
      throw new AppError('invalid_input', `inputs.${name}: no recipe asks for it. Inputs: ${known}.`);
    }
    const wrong = asked.find(({ type }) => !isInputOfType(type, value));
    if (wrong) throw new AppError('invalid_input', `inputs.${name}: must be a ${wrong.type}.`);
  }
}

/** The values of one recipe's inputs. An optional input without a value is an empty text. */
export function chooseInputs({ recipe }: AskingRecipe, given: GivenInputs): Record<string, InputValue> {
  return Object.fromEntries(
    recipe.inputs.map(({ name, default: usual }) => [name, (Object.hasOwn(given, name) ? given[name] : usual) ?? '']),
  );
}

/** The required inputs of a recipe without a value. An empty text is none. */
export function listMissingInputs(codex: AskingRecipe, given: GivenInputs): MissingInput[] {
  const { slug, inputs } = codex.recipe;
  const chosen = chooseInputs(codex, given);
  return inputs
    .filter(({ name, required }) => required && chosen[name] === '')
    .map(({ name, description, type }) => ({ slug, name, description, type }));
}
