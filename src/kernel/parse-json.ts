import { AppError } from './errors.ts';

/** The most levels of JSON from outside. Readers behind it follow every level, and some by recursion. */
export const deepestJson = 64;

/**
 * Reads JSON from outside. Throws `SyntaxError` for a text that is no JSON, and `invalid_input` for one that is nested
 * deeper than 64 levels.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isShallow(value)) return value;
  throw new AppError(
    'invalid_input',
    `The JSON is nested too deeply: more than ${deepestJson} levels. Send a flatter one.`,
  );
}

/** Whether a value has at most so many levels of objects and lists. */
export function isShallow(value: unknown, levels = deepestJson): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}
