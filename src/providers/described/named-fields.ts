// Checks, before anything is stored, whether a person's description fits the received items.
import { AppError } from '#kernel/errors';
import { splitTemplate, readValue } from '#providers/http';

const mostSamples = 50;
const mostNamed = 20;

/**
 * Throws `invalid_input` when a text has an unreadable placeholder, or names only fields that no item has. `texts` are
 * by the name of their setting, with placeholders such as `{{item.name}}`. Without items the names cannot be checked.
 */
export function checkNamedFields(texts: Readonly<Record<string, string>>, items: readonly unknown[]): void {
  const samples = items.slice(0, mostSamples);
  for (const [name, text] of Object.entries(texts)) {
    const parts = splitTemplate(text);
    if (parts.some((part) => 'literal' in part && /\{\{|\}\}/.test(part.literal)))
      throw createFieldError(`${name}: a placeholder of ${text} cannot be read. Write it as {{item.name}}.`);
    const paths = parts.flatMap((part) => ('path' in part ? [part.path] : []));
    const isThere = (path: string) => samples.some((item) => !isNothing(readValue({ item }, path)));
    if (samples.length === 0 || paths.length === 0 || paths.some(isThere)) continue;
    throw createFieldError(`${name}: no item has ${paths.join(', ')}. There are: ${listFields(samples).join(', ')}.`);
  }
}

function listFields(items: readonly unknown[]): string[] {
  const names = items.flatMap((item) => (typeof item === 'object' && item !== null ? Object.keys(item) : []));
  return [...new Set(names)].slice(0, mostNamed).map((name) => `item.${name}`);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function createFieldError(message: string): AppError {
  return new AppError('invalid_input', message);
}
