// Determines whether the rules for a medium apply to a wide screen.

const [screenWidth, screenHeight] = [1_024, 768];
const em = 16;
const media = new Set(['all', 'screen']);

/** Features that a normal screen with a mouse has; null: with any value. */
const features: Readonly<Record<string, readonly string[] | null>> = {
  'orientation': ['landscape'],
  'hover': ['hover'],
  'any-hover': ['hover'],
  'pointer': ['fine'],
  'any-pointer': ['fine'],
  'prefers-color-scheme': ['light'],
  'prefers-reduced-motion': ['no-preference'],
  'prefers-contrast': ['no-preference'],
  'color': null,
  'scripting': [],
}; // prettier-ignore

/** Whether the media of a query include a wide screen, in `@media` or the attribute `media`. */
export function isForScreen(queries: string): boolean {
  return queries.split(',').some((query) => {
    const text = query.trim().toLowerCase();
    const conditions = [...text.matchAll(/\(([^()]{1,100})\)/g)].map(([, condition = '']) => condition.trim());
    const type = /^(?:(?:not|only)\s+)?([a-z]+)/.exec(text)?.[1] ?? 'all';
    const isMet = (type === 'not' || media.has(type)) && conditions.every(hasCondition);
    return /^not\b/.test(text) ? !isMet : isMet;
  });
}

function hasCondition(condition: string): boolean {
  const bounds = readBounds(condition);
  if (bounds) return bounds.every((isWithin) => isWithin);
  const [name = '', value] = condition.split(':').map((part) => part.trim());
  if (/^-webkit-min-device-pixel-ratio$|^min-resolution$/.test(name)) return Number.parseFloat(value ?? '') <= 1;
  if (!Object.hasOwn(features, name)) return false;
  return value === undefined || (features[name]?.includes(value) ?? true);
}

const named = /^(?:(min|max)-)?(?:device-)?(width|height):([\d.]{1,9})(px|em|rem)?$/;
const compared = /^(width|height)([<>]=?)([\d.]{1,9})(px|em|rem)?$/;
const reversed = /^([\d.]{1,9})(px|em|rem)?([<>]=?)(width|height)(?:([<>]=?)([\d.]{1,9})(px|em|rem)?)?$/;

/** What a condition requires of the screen size; null: it requires something else. */
function readBounds(spaced: string): boolean[] | null {
  const condition = spaced.replaceAll(/\s/g, '');
  const [, bound, side = '', number = '', unit = ''] = named.exec(condition) ?? [];
  if (side) return [compare(side, bound === 'min' ? '>=' : bound === 'max' ? '<=' : '=', number, unit)];
  const after = compared.exec(condition);
  if (after) return [compare(after[1]!, after[2]!, after[3]!, after[4])];
  const before = reversed.exec(condition);
  if (!before) return null;
  const [, least = '', leastUnit, sign = '', which = '', second, most = '', mostUnit] = before;
  const first = compare(
    which,
    sign.startsWith('<') ? sign.replace('<', '>') : sign.replace('>', '<'),
    least,
    leastUnit,
  );
  return second ? [first, compare(which, second, most, mostUnit)] : [first];
}

function compare(side: string, sign: string, number: string, unit: string | undefined): boolean {
  const has = side === 'width' ? screenWidth : screenHeight;
  const asked = Number(number) * (unit === 'em' || unit === 'rem' ? em : 1);
  if (sign === '=') return has === asked;
  if (sign.endsWith('=') && has === asked) return true;
  return sign.startsWith('<') ? has < asked : has > asked;
}
