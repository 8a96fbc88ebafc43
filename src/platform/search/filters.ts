import type { Facet } from './facets.ts';
import type { SearchQuery } from './search-query.ts';

export type Filters = Pick<
  SearchQuery,
  'kinds' | 'types' | 'saliences' | 'source' | 'author' | 'since' | 'until' | 'clock'
>;

/** Whether a facet passes the filters. */
export function isMatchingFacet(facet: Facet, { kinds, types, saliences, source, author }: Filters): boolean {
  if (kinds && !kinds.includes(facet.kind)) return false;
  if (types && !types.includes(facet.type)) return false;
  if (saliences && (facet.salience === null || !saliences.includes(facet.salience))) return false;
  if (author !== undefined && !isByAuthor(facet, author)) return false;
  return source === undefined || isFromSource(facet, source);
}

/** The author's name contains every requested word: `ada` finds `Ada Lovelace <ada@example.com>`. */
function isByAuthor({ author }: Facet, asked: string): boolean {
  if (author === null) return false;
  const name = author.toLowerCase();
  return asked
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.includes(word));
}

/**
 * A source has levels, `platform:channel:identity`; a filter names one or more consecutive levels: `make:gmail`, or
 * only `gmail`.
 */
function isFromSource({ source: own }: Facet, source: string): boolean {
  if (source === 'human') return own === null;
  if (own === null) return false;
  return source === 'auto_ingested' || `:${own}:`.includes(`:${source}:`);
}
