import type { Searchable } from './searchable.ts';
import type { Boost, SearchQuery } from './search-query.ts';

export type Filters = Pick<SearchQuery, 'kinds' | 'types' | 'source'>;

/** Whether a row is among what was asked for. */
export function passesFilters(row: Searchable, { kinds, types, source }: Filters): boolean {
  if (kinds && !kinds.includes(row.kind)) return false;
  if (types && !types.includes(row.type)) return false;
  return source === undefined || comesFrom(row, source);
}

/** The product of the boosts that fit a row. */
export function boostOf(row: Searchable, boosts: readonly Boost[]): number {
  let factor = 1;
  for (const boost of boosts) if (fits(row, boost)) factor *= boost.factor;
  return factor;
}

function fits(row: Searchable, { source, type, author }: Boost): boolean {
  if (source !== undefined && !comesFrom(row, source)) return false;
  return (type === undefined || row.type === type) && (author === undefined || row.author === author);
}

function comesFrom(row: Searchable, source: string): boolean {
  if (source === 'human') return row.source === null;
  if (row.source === null) return false;
  return source === 'auto_ingested' || row.source === source || row.source.startsWith(`${source}:`);
}
