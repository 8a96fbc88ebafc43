import { AppError } from './errors.ts';

/** The most levels of JSON from outside. Readers behind it follow every level, and some by recursion. */
export const deepestJson = 64;

/**
 * Reads JSON from outside. Throws `SyntaxError` for a text that is no JSON, and `invalid_input` for one that is nested
 * deeper than 64 levels.
 */
export function parseJson(text: string): unknown {
  if (!hasTooManyLevels(text)) return JSON.parse(text);
  throw new AppError(
    'invalid_input',
    `The JSON is nested too deeply: more than ${deepestJson} levels. Send a flatter one.`,
  );
}

/** Counted in the text, since a value of hundreds of thousands of levels takes long to make. */
function hasTooManyLevels(text: string): boolean {
  let levels = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = findStringEnd(text, at);
    else if (sign === '[' || sign === '{') levels += 1;
    else if (sign === ']' || sign === '}') levels -= 1;
    if (levels > deepestJson) return true;
  }
  return false;
}

/** The place of the quote that ends a string; the end of the text when there is none. */
function findStringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}

/** Whether a value has at most so many levels of objects and lists. */
export function isShallow(value: unknown, levels = deepestJson): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}
