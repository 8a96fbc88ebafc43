// Answers a query from one brain's index.
import { computeAdjacencyBonus } from './adjacency.ts';
import { createBest } from './best.ts';
import { completeWords } from './complete-words.ts';
import type { ReadQuery } from './collection.ts';
import { compareHits, roundScore } from './order.ts';
import { explain } from './explain.ts';
import type { Explanation } from './explain.ts';
import type { Filters } from './filters.ts';
import type { IndexedDocument, InvertedIndex } from './inverted-index.ts';
import { createJudge } from './facet-weights.ts';
import { findDocumentsWithPhrases } from './phrases.ts';
import { parseQuery } from './query.ts';
import type { ParsedQuery } from './query.ts';
import { scoreDocuments } from './bm25.ts';
import type { Collection, TermStatistics } from './bm25.ts';
import { correctSpelling } from './spelling.ts';

/** How many of the best hits are read again to reward adjacent words. */
const readAgain = 30;

export type RankedDocument = {
  readonly document: IndexedDocument;
  readonly score: number;
  readonly explanation: Explanation;
};

export type RankedAnswer = { readonly hits: RankedDocument[]; readonly total: number };

export type IndexQuery = Filters & {
  readonly text: string;
  /** The reference time of «last week» in the text; default: now. */
  readonly askedAt?: Date;
  /** See `SearchQuery`. */
  readonly ignoresTimes?: boolean;
  /** How many of the best to return. */
  readonly limit: number;
};

/** The best documents for a query with operators. `read`: the query as interpreted for several indexes together. */
export function findInIndex(index: InvertedIndex, query: IndexQuery, read?: ReadQuery): RankedAnswer {
  if (read) return rank(index, query, read.parsed, read.collection);
  const parsed = parseQuery(query.text, index, query.askedAt ?? new Date());
  return rank(index, query, { ...parsed, terms: correctSpelling(index, completeWords(index, parsed.terms)) });
}

type Candidate = { readonly document: IndexedDocument; readonly score: number; readonly factor: number };

function rank(index: InvertedIndex, query: IndexQuery, read: ParsedQuery, collection?: Collection): RankedAnswer {
  const parsed = query.ignoresTimes ? ignoreTimes(read) : read;
  const { owners, times } = index.passages;
  const judge = createJudge(index, query, parsed);
  const kept = Math.max(query.limit, parsed.pairs.length > 0 ? readAgain : 0);
  const best = createBest<Candidate>(kept, compareByScore);
  let total = 0;

  function offer(first: number, score: number): void {
    const factor = judge.getFactor(first);
    if (factor === 0) return;
    total += 1;
    const final = roundScore(score * factor);
    const worst = best.bar;
    // Most documents cannot reach the best, and reading one outside the processor's cache is slow.
    if (worst && (final < worst.score || (final === worst.score && times[first]! < getTime(worst)))) return;
    best.offer({ document: owners[first]!, score: final, factor });
  }

  const withPhrases = findDocumentsWithPhrases(index, parsed.phrases);
  const statistics = scoreDocuments(index, parsed.terms, collection ? { collection } : {}, (first, score) => {
    if (!withPhrases || withPhrases.delete(first)) offer(first, score);
  });
  for (const first of withPhrases ?? []) offer(first, 0);
  const candidates = withAdjacency(index, best.kept, parsed, statistics).slice(0, query.limit);
  const documents = candidates.map((candidate) => candidate.document);
  const explanations = explain(index, documents, parsed.terms, statistics);
  const hits = candidates.map(({ document, score }, at) => ({ document, score, explanation: explanations[at]! }));
  return { hits, total };
}

/** The best are read once more, to reward adjacent words of the query. Others cannot overtake them. */
function withAdjacency(
  index: InvertedIndex,
  candidates: readonly Candidate[],
  { terms, pairs }: ParsedQuery,
  statistics: readonly TermStatistics[],
): readonly Candidate[] {
  if (pairs.length === 0) return candidates;
  const rarities = new Map(terms.map((term, at) => [term.terms[0]!, statistics[at]!.rarity]));
  const again = candidates.slice(0, readAgain).map((candidate) => {
    const bonus = computeAdjacencyBonus(index, candidate.document, pairs, rarities);
    return bonus > 0 ? { ...candidate, score: roundScore(candidate.score + bonus * candidate.factor) } : candidate;
  });
  return [...again.sort(compareByScore), ...candidates.slice(readAgain)];
}

function getTime({ document }: Candidate): number {
  return document.row.occurredAt.getTime();
}

function compareByScore(one: Candidate, other: Candidate): number {
  return compareHits(
    { score: one.score, time: getTime(one), id: one.document.id },
    { score: other.score, time: getTime(other), id: other.document.id },
  );
}

function ignoreTimes(parsed: ParsedQuery): ParsedQuery {
  return { ...parsed, times: [], terms: parsed.terms.map((term) => ({ ...term, mayBeDate: false })) };
}
