// Puts inputs and ids into the texts of a template, where {{inputs.x}} and {{ids.slug}} stand.
import type { InputValue } from './fields.ts';

/**
 * What is put into a template: inputs by name, and ids. Of ids, `brain` is the brain of the install, `account` the chosen
 * account or '', and every other name the slug of a recipe: the id of what it made.
 */
export type RenderValues = { inputs: Record<string, InputValue>; ids: Record<string, string> };

const placeholder = /\{\{\s*(inputs|ids)\.([a-z0-9_-]{1,100})\s*\}\}/g;
const plainName = /\{\{\s*([a-z0-9_]{1,64})\s*\}\}/g;

/** A copy of a template with all values in its texts. Names of fields stay. Placeholders without a value stay, too. */
export function renderTemplate<Template>(template: Template, values: RenderValues): Template {
  return mapTexts(template, (text) =>
    text.replaceAll(placeholder, (whole, group: keyof RenderValues, name: string) =>
      Object.hasOwn(values[group], name) ? String(values[group][name]) : whole,
    ),
  ) as Template; // texts stay texts
}

/**
 * The values that a source names, as settings of its automation: they are put in at each run, within the text around
 * them. A source may name an input by {{inputs.x}} or {{x}}.
 */
export function buildSettings(source: string, values: RenderValues): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const { group, name } of listPlaceholders(source))
    if (Object.hasOwn(values[group], name)) settings[`${group}.${name}`] = String(values[group][name]);
  for (const [, name = ''] of source.matchAll(plainName))
    if (Object.hasOwn(values.inputs, name)) settings[name] = String(values.inputs[name]);
  return settings;
}

/** A placeholder of a template. */
export type Placeholder = { group: keyof RenderValues; name: string };

/** Every placeholder in the texts of a template, once. */
export function listPlaceholders(template: unknown): Placeholder[] {
  const found = new Map<string, Placeholder>();
  mapTexts(template, (text) => {
    for (const [, group, name] of text.matchAll(placeholder))
      found.set(`${group}.${name}`, { group: group as keyof RenderValues, name: name ?? '' }); // of the expression
    return text;
  });
  return [...found.values()];
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, change)]));
}
