// Runs a script that registers recipes by `add({…})`, in the sandbox: without network and without operations.
import { AppError } from '#kernel/errors';
import { SandboxUnavailable, type Result, type Sandbox } from '#platform/sandbox';
import { z } from 'zod';
import { recipeSchema } from '../manifest/recipe-schema.ts';
import type { Recipe } from '../manifest/recipe.ts';

const limits = { wallMs: 3_000, cpuMs: 2_000, memoryMb: 300, outputBytes: 16_000, messageBytes: 4_000_000 };
const mostRecipes = 100;
/** On the first line, so that errors name the lines of the script. */
const begin = 'globalThis.added = []; globalThis.add = (recipe) => void globalThis.added.push(recipe); ';
const end = '\n;return globalThis.added;';

/** The recipes of a script, checked. Throws `invalid_input` for a script that fails or adds none. */
export async function collectRecipes(sandbox: Sandbox, source: string, personId: string): Promise<Recipe[]> {
  const turn = { kind: 'test', of: personId } as const;
  const result = await sandbox
    .run({ turn, source: `${begin}${source}${end}`, host: {}, limits })
    .catch(throwAsUnavailable);
  const { data: added = [], error } = z.array(z.unknown()).max(mostRecipes).safeParse(readValue(result));
  if (error) throw new AppError('invalid_input', `source: a script may add at most ${mostRecipes} recipes.`);
  if (!added.length)
    throw new AppError('invalid_input', 'source: the script adds no recipe. Call add({…}) at its top level.');
  return added.map((each, index) => parseAdded(each, index));
}

function readValue({ status, value, error, reason }: Result): unknown {
  if (status === 'succeeded') return value;
  throw new AppError('invalid_input', `source: the script failed. ${error?.message ?? reason ?? ''}`);
}

function parseAdded(added: unknown, index: number): Recipe {
  const { data, error } = recipeSchema.safeParse(added);
  if (data) return data;
  const issues = error?.issues ?? [];
  const problems = issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  throw new AppError('invalid_input', `source: recipe ${index + 1} is not valid. ${problems.join('. ')}.`, {
    issues: issues.map(({ path, message }) => ({ path: path.map(String), message })),
  });
}

function throwAsUnavailable(error: unknown): never {
  if (error instanceof SandboxUnavailable) throw new AppError('unavailable', error.message, {}, { cause: error });
  throw error;
}
