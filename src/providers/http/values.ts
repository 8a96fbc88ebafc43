import { memoize } from '#kernel/memoize';

export type Values = Readonly<Record<string, unknown>>;

/** A segment is another path in brackets, a quoted name, or a name, `*` or `+`. */
const step = /\[([\w.-]+)\]|'([^']+)'|[^.[\]]+/g;

/**
 * Reads the value at a path. Only own properties of objects and lists count. The empty path is the whole value, `*`
 * every element of a list or object, `+` the same joined as one text, `-1` the last element, and `[item.user]` the
 * property whose name is the value at that other path.
 */
export function readValue(values: unknown, path: string): unknown {
  const steps = parsePath(path);
  const names = steps.map((each) => (typeof each === 'string' ? each : String(readValue(values, each.at) ?? '')));
  return followPath(values, names, 0);
}

/** The value at a path of names with dots between them. Inherited properties do not count. */
export function readOwnValue(values: unknown, path: string): unknown {
  let value = values;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** A name, or the path of a name. */
export type Step = string | { at: string };

/** A parsed path, memoized because descriptors use few paths. */
export const parsePath = memoize(5_000, (path): readonly Step[] =>
  [...path.matchAll(step)].map(([name, at, quoted]) => (at === undefined ? (quoted ?? name) : { at })),
);

function followPath(value: unknown, names: readonly string[], from: number): unknown {
  const name = names[from];
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const next = from + 1;
  if (name === '*') return Object.values(value).map((each) => followPath(each, names, next));
  if (name === '+')
    return Object.values(value)
      .map((each) => followPath(each, names, next) ?? '')
      .join('');
  if (name === '-1' && Array.isArray(value)) return followPath(value.at(-1), names, next);
  return Object.hasOwn(value, name) ? followPath((value as Record<string, unknown>)[name], names, next) : undefined;
}
