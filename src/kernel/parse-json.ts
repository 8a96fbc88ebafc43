import { AppError } from './errors.ts';

/** The deepest accepted nesting of JSON from outside. Later code follows every level, sometimes by recursion. */
export const deepestJson = 64;

/**
 * Reads JSON from outside. Throws `SyntaxError` for text that is not JSON, and `invalid_input` for JSON nested deeper
 * than 64 levels, or than the given ones.
 */
export function parseJson(text: string, mostLevels = deepestJson): unknown {
  if (!hasTooManyLevels(text, mostLevels)) return JSON.parse(text);
  throw new AppError(
    'invalid_input',
    `The JSON is nested too deeply: more than ${mostLevels} levels. Send JSON with fewer levels.`,
  );
}

/** The levels are counted in the text, because building a value with hundreds of thousands of levels takes long. */
function hasTooManyLevels(text: string, mostLevels: number): boolean {
  let levels = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = findStringEnd(text, at);
    else if (sign === '[' || sign === '{') levels += 1;
    else if (sign === ']' || sign === '}') levels -= 1;
    if (levels > mostLevels) return true;
  }
  return false;
}

/** The position of the quote that ends a string; the end of the text if there is none. */
function findStringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}

/** Whether a value nests objects and lists at most this deep. */
export function isShallow(value: unknown, levels = deepestJson): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}
