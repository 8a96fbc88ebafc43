// What an install makes of a template: the input of the operation that would make the same by hand.
import { automationInput } from '#modules/automations';
import type { z } from 'zod';
import { readingTemplate } from './reading-template.ts';
import { isReading, type Recipe } from './recipe.ts';
import { buildSettings, renderTemplate, type RenderValues } from './render-template.ts';
import { boardTemplate, workflowTemplate } from './templates.ts';

/** A recipe that makes something of its own. */
export type MakingRecipe = Exclude<Recipe, { kind: 'bundle' }>;
type Fields = Record<string, unknown>;

/** The fields of each kind after rendering. A recipe of kind `integration` with code makes an automation. */
export const entitySchemas = {
  board: boardTemplate,
  automation: automationInput,
  workflow: workflowTemplate,
  reading: readingTemplate,
} as const;
export type EntityKind = keyof typeof entitySchemas;
export type EntityInput<Kind extends EntityKind> = z.output<(typeof entitySchemas)[Kind]>;

/** What a recipe makes: an automation or a reading, where it is an integration. */
export function getEntityKind(recipe: MakingRecipe): EntityKind {
  if (recipe.kind !== 'integration') return recipe.kind;
  return isReading(recipe.template) ? 'reading' : 'automation';
}

/** The template of a recipe with its values, not yet checked by the schema of its kind. Sources stay: their values are settings. */
export function renderEntity(recipe: MakingRecipe, values: RenderValues): Fields {
  const template = recipe.template as Fields; // checked by the schema of its kind afterwards
  const kind = getEntityKind(recipe);
  if (kind === 'automation') return renderAutomation({ name: recipe.name, ...template }, values);
  if (kind === 'reading') return template; // filled at each reading, together with the fields of its items
  if (kind === 'board') return renderTemplate(template, values);
  const { automations, ...rest } = template;
  if (!Array.isArray(automations)) return renderTemplate(template, values);
  const own = automations.map((each: unknown) => (isFields(each) ? renderAutomation(each, values) : each));
  return { ...renderTemplate(rest, values), automations: own };
}

function renderAutomation({ source, hosts, ...template }: Fields, values: RenderValues): Fields {
  const rendered: Fields = renderTemplate(template, values);
  const { settings, acknowledged_http_fetch_hosts: acknowledged } = rendered;
  const settled = { ...rendered, source, ...(typeof source === 'string' && mergeSettings(settings, source, values)) };
  if (!Array.isArray(hosts))
    return hosts === undefined ? settled : { ...settled, acknowledged_http_fetch_hosts: hosts };
  const more: unknown[] = Array.isArray(acknowledged) ? acknowledged : [];
  return { ...settled, acknowledged_http_fetch_hosts: [...new Set([...renderTemplate(hosts, values), ...more])] };
}

function mergeSettings(settings: unknown, source: string, values: RenderValues): Fields {
  const own = buildSettings(source, values);
  if (settings === undefined) return Object.keys(own).length ? { settings: own } : {};
  return isFields(settings) ? { settings: { ...settings, ...own } } : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
