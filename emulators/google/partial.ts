// Google's partial responses: `fields=nextPageToken,files(id,owners/emailAddress)`.
import { createLegacyError } from './errors.ts';

/** What to keep: a field to its own selection, or to everything below it. */
export type Selection = Map<string, Selection> | 'all';

function createSelectionError(what: string) {
  return createLegacyError(400, {
    reason: 'invalidParameter',
    message: `Invalid field selection ${what}`,
    location: 'fields',
    locationType: 'parameter',
  });
}

/** Parses a selector; throws 400 invalidParameter when it is malformed. */
export function parseFields(source: string): Selection {
  const tokens = source.match(/[A-Za-z0-9_*]+|[(),/]/g) ?? [];
  if (tokens.join('') !== source.replaceAll(/\s/g, '')) throw createSelectionError(source);
  let at = 0;
  const readList = (): Map<string, Selection> => {
    const selection = new Map<string, Selection>();
    do readItem(selection);
    while (tokens[at] === ',' && (at += 1));
    return selection;
  };
  const readItem = (into: Map<string, Selection>): void => {
    const name = tokens[at] ?? '';
    if (!/^[A-Za-z0-9_*]+$/.test(name)) throw createSelectionError(source);
    at += 1;
    let below: Selection = 'all';
    if (tokens[at] === '/') {
      at += 1;
      below = new Map();
      readItem(below);
    } else if (tokens[at] === '(') {
      at += 1;
      below = readList();
      if (tokens[at] !== ')') throw createSelectionError(source);
      at += 1;
    }
    into.set(name, merge(into.get(name), below));
  };
  const selection = readList();
  if (at !== tokens.length) throw createSelectionError(source);
  return selection;
}

function merge(one: Selection | undefined, other: Selection): Selection {
  if (one === undefined) return other;
  if (one === 'all' || other === 'all') return 'all';
  const merged = new Map(one);
  for (const [name, below] of other) merged.set(name, merge(merged.get(name), below));
  return merged;
}

/** Keeps only the selected fields, in each item of a list too. */
export function keepFields(value: unknown, selection: Selection): unknown {
  if (selection === 'all' || value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => keepFields(item, selection));
  const kept: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const below = selection.get(name) ?? selection.get('*');
    if (below !== undefined && item !== undefined) kept[name] = keepFields(item, below);
  }
  return kept;
}

/** Refuses selected names that a resource does not have. */
export function checkFields(selection: Selection | undefined, known: readonly string[]): void {
  if (selection === undefined || selection === 'all') return;
  for (const name of selection.keys()) if (name !== '*' && !known.includes(name)) throw createSelectionError(name);
}
