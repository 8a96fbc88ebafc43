// Reads fields of a body by path, and its shape, without running code.
import { deepestJson } from '#kernel/parse-json';
import { createHash } from 'node:crypto';

/** The value at a path such as `event.id`; undefined where there is none. */
export function getFieldAt(value: unknown, path: string): unknown {
  let at: unknown = value;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

const mostNodes = 20_000;

/** A hash of the names and types in a value. Events of one kind share it. */
export function hashShape(value: unknown): string {
  let nodes = 0;
  const walk = (each: unknown, levels: number): string => {
    nodes += 1;
    if (nodes > mostNodes || levels === 0) return '…';
    if (Array.isArray(each))
      return `[${[...new Set(each.map((item) => walk(item, levels - 1)))].toSorted().join('|')}]`;
    if (typeof each !== 'object' || each === null) return each === null ? 'null' : typeof each;
    const fields = Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${walk(field, levels - 1)}`).join(',')}}`;
  };
  return createHash('sha256').update(walk(value, deepestJson)).digest('hex').slice(0, 32);
}
