// Templates as text for people: what has no value is left out.
import { partsOf } from './endpoint.ts';
import { valueAt, type Values } from './values.ts';

/** A template with its placeholders written out. */
export function written(template: string, values: Values): string {
  return partsOf(template)
    .map((part) => ('literal' in part ? part.literal : textOf(valueAt(values, part.path))))
    .join('')
    .trim();
}

/** A template that is one placeholder has its value with its type, any other is text. */
export function valueOf(template: string, values: Values): unknown {
  const [only, ...others] = partsOf(template);
  return only && 'path' in only && others.length === 0 ? valueAt(values, only.path) : written(template, values);
}

/** Of lists, what is in them; of what is no text, nothing. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
