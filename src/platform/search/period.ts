// Determines which documents took place, or were still going on, within a period.
import type { InvertedIndex } from './inverted-index.ts';
import type { SearchQuery } from './search-query.ts';

/**
 * Whether a document is within the period, by its first passage. Whole days are compared in the clock of the person who
 * asks.
 */
export function createPeriod(
  index: InvertedIndex,
  { since, until, clock }: Pick<SearchQuery, 'since' | 'until' | 'clock'>,
): (first: number) => boolean {
  if (!since && !until) return () => true;
  const { owners } = index.passages;
  const isMomentIn = createBounds(index, since, until);
  if (!clock) return isMomentIn;
  const isDayIn = createBounds(index, clock.since, clock.until);
  // every passage that is found has an owner
  return (first) => (owners[first]!.row.isWholeDay ? isDayIn(first) : isMomentIn(first));
}

function createBounds({ passages: { times, owners } }: InvertedIndex, since?: Date, until?: Date) {
  const from = since?.getTime() ?? Number.NEGATIVE_INFINITY;
  const to = until?.getTime() ?? Number.POSITIVE_INFINITY;
  return (first: number): boolean => {
    const time = times[first]!;
    if (time >= to) return false;
    if (time >= from) return true;
    const { endsAt } = owners[first]!.row;
    return endsAt !== null && endsAt.getTime() > from;
  };
}
