// Facets: the properties that filters check. A brain has few combinations, so a query checks each combination once
// instead of every document.
import type { Searchable } from './searchable.ts';
import type { AnalyseText } from './tokens.ts';

export type Facet = Pick<Searchable, 'kind' | 'type' | 'salience' | 'source' | 'role' | 'author' | 'ownerId'> & {
  /** The terms of the author's name. */
  readonly names: readonly string[];
};

/** Facets stay as long as the index; `bytes` is an estimate of the memory they take. */
export type FacetTable = { readonly facets: Facet[]; readonly numbers: Map<string, number>; bytes: number };

const mostNames = 64;

export function createFacetTable(): FacetTable {
  return { facets: [], numbers: new Map(), bytes: 0 };
}

/** The number of a row's facet; equal rows have the same. */
export function getFacetNumber(table: FacetTable, row: Searchable, analyse: AnalyseText): number {
  const { facets, numbers } = table;
  const { kind, type, salience, source, role, author, ownerId } = row;
  const key = `${kind}\n${type}\n${salience}\n${source}\n${role}\n${author}\n${ownerId}`;
  let number = numbers.get(key);
  if (number === undefined) {
    const names = analyse(author ?? '', mostNames).flatMap((token) => [...token.stems, ...token.wholes]);
    number = facets.push({ kind, type, salience, source, role, author, ownerId, names }) - 1;
    numbers.set(key, number);
    table.bytes += 800 + 12 * key.length;
  }
  return number;
}
