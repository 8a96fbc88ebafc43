// Templates as text for people. Placeholders without a value are left out.
import { splitTemplate } from './endpoint.ts';
import { readOwnValue, readValue, type Values } from './values.ts';

/** A template with its placeholders written out. */
export function fillTemplate(template: string, values: Values): string {
  return splitTemplate(template)
    .map((part) => ('literal' in part ? part.literal : formatText(readValue(values, part.path))))
    .join('')
    .trim();
}

const ownPath = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/;

/**
 * What is wrong with a template of plain paths; null: nothing. A placeholder is a path of own properties: no `*`, no `+`,
 * no format and no expression.
 */
export function findPlainTemplateError(template: string): string | null {
  const parts = splitTemplate(template);
  const wrong = parts.find((part) => ('path' in part ? !ownPath.test(part.path) : part.literal.includes('{{')));
  if (!wrong) return null;
  const shown = 'path' in wrong ? `{{${wrong.path}}}` : wrong.literal.slice(wrong.literal.indexOf('{{')).slice(0, 60);
  return `${shown} cannot be filled in. Write the path of a value with dots, such as {{quote.USD.price}}`;
}

/** The paths of a template's placeholders. */
export function listTemplatePaths(template: string): string[] {
  return splitTemplate(template).flatMap((part) => ('path' in part ? [part.path] : []));
}

/** A template of plain paths with each value as JavaScript writes it as text; a missing value is empty. */
export function fillPlainTemplate(template: string, values: unknown): string {
  return splitTemplate(template)
    .map((part) => ('literal' in part ? part.literal : writeValue(readOwnValue(values, part.path))))
    .join('');
}

function writeValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value);
}

/** A template that is a single placeholder keeps the type of its value; any other becomes text. */
export function readTemplateValue(template: string, values: Values): unknown {
  const [only, ...others] = splitTemplate(template);
  return only && 'path' in only && others.length === 0 ? readValue(values, only.path) : fillTemplate(template, values);
}

/** A value as text: lists with commas; empty for objects and missing values. */
export function formatText(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatText).filter(Boolean).join(', ');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
