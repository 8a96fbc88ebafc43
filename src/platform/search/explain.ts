// Explains why a document was found, and how much of the query it answers.
import { listNeighbors } from './context.ts';
import type { IndexedDocument, InvertedIndex } from './inverted-index.ts';
import { getCount, getPassage } from './postings.ts';
import type { QueryTerm } from './query.ts';
import { guessWeight } from './bm25.ts';
import type { TermStatistics } from './bm25.ts';
import type { SearchField } from './search-query.ts';

const nearbyWeight = 0.5;

export type Explanation = {
  readonly terms: string[];
  readonly fields: SearchField[];
  /** Neighbouring turns with terms that the document itself lacks. */
  readonly nearby: string[];
  /**
   * The share of the query's words that it has, 0 to 1, each weighted by its rarity in the searched brains. A word
   * found only in a neighbouring turn, or in another spelling, counts half.
   */
  readonly share: number;
};

/** Explains hits of one query. Costs one pass over the postings of its terms, however many hits there are. */
export function explain(
  index: InvertedIndex,
  hits: readonly IndexedDocument[],
  terms: readonly QueryTerm[],
  statistics: readonly TermStatistics[],
): Explanation[] {
  const relevant = markPassages(index, [
    ...hits,
    ...hits.flatMap((hit) => listNeighbors(hit).map((near) => near.neighbour)),
  ]);
  const places = terms.map((term) => countTermInDocuments(index, term, relevant));
  return hits.map((hit) => {
    const fields = new Set<SearchField>();
    const words = new Set<string>();
    const nearby = new Set<string>();
    let asked = 0;
    let answered = 0;
    terms.forEach((term, at) => {
      const lenders = listLendingNeighbors(hit, places[at]!);
      const found = listTermFields(index, hit, term, places[at]!, lenders.length > 0);
      const { rarity, bags } = statistics[at]!;
      if (bags > 0 || !term.isWhole) asked += rarity;
      if (found.length === 0) return;
      answered += rarity * (term.isGuess ? guessWeight : 1) * (found[0] === 'thread' ? nearbyWeight : 1);
      words.add(term.word);
      if (found[0] === 'thread') for (const lender of lenders) nearby.add(lender.id);
      for (const field of found) fields.add(field);
    });
    const share = asked > 0 ? answered / asked : 1;
    return { terms: [...words], fields: [...fields], nearby: [...nearby], share };
  });
}

type Counts = ReadonlyMap<IndexedDocument, number>;

/**
 * By passage: whether it belongs to one of the documents. A typed array, because every posting of a query is checked
 * against it.
 */
function markPassages({ passages }: InvertedIndex, documents: readonly IndexedDocument[]): Uint8Array {
  const marks = new Uint8Array(passages.owners.length);
  for (const document of documents) for (const passage of document.passages) marks[passage] = 1;
  return marks;
}

/** The highest count of a term in a passage of each marked document. */
function countTermInDocuments({ passages, words }: InvertedIndex, { terms }: QueryTerm, marks: Uint8Array): Counts {
  const counts = new Map<IndexedDocument, number>();
  for (const term of terms) {
    for (const posting of words.get(term) ?? []) {
      if (marks[getPassage(posting)] === 0) continue;
      const owner = passages.owners[getPassage(posting)]!;
      counts.set(owner, Math.max(counts.get(owner) ?? 0, getCount(posting)));
    }
  }
  return counts;
}

/** Where a term is in a document. `thread` only when it appears nowhere else. */
function listTermFields(
  index: InvertedIndex,
  document: IndexedDocument,
  term: QueryTerm,
  counts: Counts,
  isNearby: boolean,
): SearchField[] {
  const { row, groups } = document;
  const times = (text: string) => countOccurrences(index, text, term);
  const inTitle = times(row.title ?? '');
  const inLabels = times(row.labels);
  const fields: SearchField[] = [];
  if (inTitle > 0) fields.push('title');
  if (inLabels > 0) fields.push('labels');
  if ((counts.get(document) ?? 0) > inTitle + inLabels) fields.push('body');
  const own = groups.filter(({ isDate }) => !isDate || term.mayBeDate);
  if (own.some(({ weights }) => term.terms.some((each) => weights.has(each))))
    fields.push(times(row.author ?? '') > 0 ? 'author' : 'date');
  if (fields.length > 0) return fields;
  return isNearby ? ['thread'] : [];
}

function listLendingNeighbors(document: IndexedDocument, words: Counts): IndexedDocument[] {
  return listNeighbors(document).flatMap(({ neighbour }) => (words.has(neighbour) ? [neighbour] : []));
}

function countOccurrences(index: InvertedIndex, text: string, { terms }: QueryTerm): number {
  if (text === '') return 0;
  let count = 0;
  for (const token of index.analyse(text)) {
    for (const term of [...token.stems, ...token.wholes]) if (terms.includes(term)) count += 1;
  }
  return count;
}
