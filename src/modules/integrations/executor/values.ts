export type Values = Readonly<Record<string, unknown>>;

/** Another path in brackets, a name in quotes, or a name, `*` or `+`. */
const step = /\[([\w.-]+)\]|'([^']+)'|[^.[\]]+/g;

/**
 * What a path names among values: own properties alone, of objects and of lists. The empty path is the whole, `*` every
 * element of a list or an object, `+` the same as one text, `-1` the last of a list, and `[item.user]` the property whose name stands at that
 * other path.
 */
export function valueAt(values: unknown, path: string): unknown {
  const names = [...path.matchAll(step)].map(([name, other, quoted]) =>
    other === undefined ? (quoted ?? name) : String(valueAt(values, other) ?? ''),
  );
  return follow(values, names);
}

function follow(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (name === '*') return Object.values(value).map((each) => follow(each, rest));
  if (name === '+')
    return Object.values(value)
      .map((each) => follow(each, rest) ?? '')
      .join('');
  if (name === '-1' && Array.isArray(value)) return follow(value.at(-1), rest);
  return Object.hasOwn(value, name) ? follow((value as Record<string, unknown>)[name], rest) : undefined;
}
