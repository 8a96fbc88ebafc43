// Checks the template of a recipe as it will be after rendering: with sample values instead of inputs and ids.
import type { z } from 'zod';
import { limits } from '../limits.ts';
import type { InputValue, RecipeInput } from './fields.ts';
import type { Recipe } from './recipe.ts';
import { entitySchemas, getEntityKind, renderEntity } from './render-entity.ts';
import { listPlaceholders, type RenderValues } from './render-template.ts';

const sampleId = '00000000-0000-7000-8000-000000000000';
const samples: Record<RecipeInput['type'], InputValue> = { text: 'text', number: 1, boolean: true };

/** Reports each wrong field of a template, and each placeholder that nothing fills. */
export function checkTemplate(recipe: Recipe, check: z.RefinementCtx): void {
  checkNames(recipe, check);
  if (recipe.kind === 'bundle') return;
  const values = buildSampleValues(recipe);
  const placeholders = listPlaceholders(recipe.template);
  for (const { group, name } of placeholders)
    if (!Object.hasOwn(values[group], name))
      report(check, ['template'], `{{${group}.${name}}}: ${explainMissing[group]}`);
  const { error } = entitySchemas[getEntityKind(recipe)].safeParse(renderEntity(recipe, values));
  for (const { path, message } of error?.issues ?? []) report(check, ['template', ...path], message);
}

const explainMissing = {
  inputs: 'the recipe declares no such input. Add it to `inputs`.',
  ids: 'the recipe depends on no such recipe. Add it to `depends`.',
} as const;

function buildSampleValues({ inputs, depends }: Recipe): RenderValues {
  return {
    inputs: Object.fromEntries(inputs.map(({ name, type, default: usual }) => [name, usual ?? samples[type]])),
    ids: Object.fromEntries(['brain', 'account', ...depends.map(({ slug }) => slug)].map((name) => [name, sampleId])),
  };
}

/** Names are unique among inputs and secrets, and slugs among dependencies and parts. */
function checkNames(recipe: Recipe, check: z.RefinementCtx): void {
  const names = [...recipe.inputs, ...recipe.secrets].map(({ name }) => name);
  reportRepeated(names, (name) => report(check, ['inputs'], `${name}: two inputs or secrets have this name`));
  const slugs = [...recipe.depends, ...(recipe.kind === 'bundle' ? recipe.parts : [])].map(({ slug }) => slug);
  reportRepeated(slugs, (slug) => report(check, ['depends'], `${slug}: is named twice`));
  if (slugs.includes(recipe.slug)) report(check, ['depends'], `${recipe.slug}: a recipe cannot need itself`);
  if (JSON.stringify(recipe).length > limits.manifestBytes)
    report(check, [], `a recipe may have at most ${limits.manifestBytes} bytes as JSON`);
}

function reportRepeated(names: readonly string[], found: (name: string) => void): void {
  for (const name of new Set(names.filter((each, at) => names.indexOf(each) !== at))) found(name);
}

function report(check: z.RefinementCtx, path: PropertyKey[], message: string): void {
  check.addIssue({ code: 'custom', path, message });
}
