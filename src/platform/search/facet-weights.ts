// Weights documents by type, author and time, independent of their words.
import type { Facet } from './facets.ts';
import { isMatchingFacet } from './filters.ts';
import type { Filters } from './filters.ts';
import { createPeriod } from './period.ts';
import type { InvertedIndex } from './inverted-index.ts';
import { findExcludedDocuments } from './phrases.ts';
import type { ParsedQuery } from './query.ts';
import type { SearchQuery } from './search-query.ts';

const namedAuthorBoost = 1.3;
const ownWordsBoost = 2;
/** For documents that the caller's own connectors stored. */
const ownSourceBoost = 1.25;
/** For documents from a time that the query names. */
const askedTimeBoost = 1.5;
const shortestName = 2;

/** The factor for a score, by author, type and time; 0: the filters exclude the document. */
export function createJudge(index: InvertedIndex, query: Filters & Pick<SearchQuery, 'ownerId'>, parsed: ParsedQuery) {
  const { facets: facetOfPassage } = index.passages;
  const { facets } = index.facets;
  const asked = new Set(parsed.terms.flatMap((term) => term.terms));
  /** By the number of the facet; negative: not computed yet. */
  const factors = new Float64Array(facets.length).fill(-1);
  const excluded = findExcludedDocuments(index, parsed.exclusions);
  const isWithin = createPeriod(index, query);
  const isNamed = parsed.times.map(({ start, end }) => createPeriod(index, { since: start, until: end }));

  function factorOfFacet(facet: Facet): number {
    if (!isMatchingFacet(facet, query)) return 0;
    const named = facet.names.some((name) => name.length >= shortestName && asked.has(name)) ? namedAuthorBoost : 1;
    const own = parsed.isFirstPerson && facet.role === 'user' ? ownWordsBoost : 1;
    const stored = facet.ownerId !== null && facet.ownerId === query.ownerId ? ownSourceBoost : 1;
    return named * own * stored;
  }

  return {
    getFactor(first: number): number {
      if (!isWithin(first) || excluded.has(first)) return 0;
      const number = facetOfPassage[first]!;
      let factor = factors[number]!;
      if (factor < 0) factor = factors[number] = factorOfFacet(facets[number]!);
      for (const isIn of isNamed) if (isIn(first)) return factor * askedTimeBoost;
      return factor;
    },
  };
}
