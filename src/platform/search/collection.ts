// Counts over all brains that are searched together, so that a score means the same in each of them.
import { completeWords } from './complete-words.ts';
import type { InvertedIndex } from './inverted-index.ts';
import { parseQuery } from './query.ts';
import type { ParsedQuery, QueryTerm } from './query.ts';
import { countTermBags } from './bm25.ts';
import type { Collection } from './bm25.ts';
import { correctSpelling } from './spelling.ts';

/** A query as one index interprets it. */
export type ReadQuery = {
  readonly parsed: ParsedQuery;
  /** Undefined when only one index is searched: then its own counts are used. */
  readonly collection?: Collection;
};

type Count = { known: number; guessed: number; passages: number };
type CorrectedQuery = { readonly parsed: ParsedQuery; readonly corrected: readonly QueryTerm[] };

/**
 * Counts over several indexes: `add` each of them first, then `read` the query for each. A single index needs no `add`.
 */
export function createSurvey(text: string, askedAt = new Date()) {
  const counts = new Map<string, Count>();
  const reads = new WeakMap<InvertedIndex, CorrectedQuery>();
  let passages = 0;
  let totalLength = 0;

  function understand(index: InvertedIndex): CorrectedQuery {
    const known = reads.get(index);
    if (known) return known;
    const parsed = parseQuery(text, index, askedAt);
    const read = { parsed, corrected: correctSpelling(index, completeWords(index, parsed.terms)) };
    reads.set(index, read);
    return read;
  }

  const collection: Collection = {
    get meanLength() {
      return totalLength / passages || 1;
    },
    getCount({ key }) {
      const count = counts.get(key);
      return { bags: count?.known || count?.guessed || 0, passages: count?.passages ?? 0 };
    },
  };

  return {
    add(index: InvertedIndex): void {
      passages += index.passages.count;
      totalLength += index.passages.totalLength;
      for (const term of understand(index).corrected) {
        const count = counts.get(term.key) ?? { known: 0, guessed: 0, passages: 0 };
        count[term.isGuess ? 'guessed' : 'known'] += countTermBags(index, term);
        // A word that is not a term in a brain's language is not counted there.
        count.passages += index.passages.count;
        counts.set(term.key, count);
      }
    },
    /** A word that another of the brains has is not a misspelling here. */
    read(index: InvertedIndex): ReadQuery {
      const { parsed, corrected } = understand(index);
      const isKnown = ({ key }: QueryTerm) => (counts.get(key)?.known ?? 0) > 0;
      const terms = corrected.map((term, at) => (term.isGuess && isKnown(term) ? parsed.terms[at]! : term));
      return { parsed: { ...parsed, terms }, ...(counts.size > 0 && { collection }) };
    },
  };
}
