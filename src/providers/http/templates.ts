// Templates as text for people. Placeholders without a value are left out.
import { splitTemplate } from './endpoint.ts';
import { readValue, type Values } from './values.ts';

/** A template with its placeholders written out. */
export function fillTemplate(template: string, values: Values): string {
  return splitTemplate(template)
    .map((part) => ('literal' in part ? part.literal : formatText(readValue(values, part.path))))
    .join('')
    .trim();
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
