// Answers a query from one brain's index.
import { adjacencyOf } from './adjacency.ts';
import { createBest } from './best.ts';
import { explain } from './explain.ts';
import type { Explanation } from './explain.ts';
import type { Filters } from './filters.ts';
import type { IndexedDocument, InvertedIndex } from './inverted-index.ts';
import { createJudge } from './judge.ts';
import { countStems, passageStems } from './passages.ts';
import { documentsWithPhrases } from './phrases.ts';
import { parseQuery, parseText } from './query.ts';
import type { ParsedQuery, QueryTerm } from './query.ts';
import { scoreAlone, scoreDocuments } from './ranking.ts';
import type { TermStatistics } from './ranking.ts';
import type { Boost } from './search-query.ts';
import { correctSpelling } from './spelling.ts';

/** How many of the best are read again for words that stand together. */
const readAgain = 30;
/** Of a long text only its rarest words are looked for; more of them find the same and cost more. */
const mostTermsOfText = 24;

export type Ranked = {
  readonly document: IndexedDocument;
  readonly score: number;
  readonly explanation: Explanation;
};

export type RankedAnswer = { readonly hits: Ranked[]; readonly total: number };

type RankedTerms = { readonly terms: readonly QueryTerm[]; readonly statistics: readonly TermStatistics[] };

export type IndexQuery = Filters & {
  readonly text: string;
  readonly boosts?: readonly Boost[];
  /** What «last week» in the text is counted from; now unless told. */
  readonly askedAt?: Date;
  /** How many of the best to return. */
  readonly limit: number;
};

/** The best documents for a query with operators. */
export function findInIndex(index: InvertedIndex, query: IndexQuery): RankedAnswer {
  const parsed = parseQuery(query.text, index.analyse, query.askedAt ?? new Date());
  const { hits, total } = rank(index, query, { ...parsed, terms: correctSpelling(index, parsed.terms) });
  return { hits, total };
}

/** The documents most like a text, and what the text itself would score. */
export function similarInIndex(
  index: InvertedIndex,
  query: Pick<IndexQuery, 'text' | 'limit'>,
): RankedAnswer & { selfScore: number } {
  const tokens = index.analyse(query.text);
  const parsed = parseText(query.text, index.analyse);
  const found = rank(index, query, { ...parsed, terms: rarestTerms(index, parsed.terms) });
  const spelled = tokens.flatMap((token) => [...token.stems, ...token.wholes]);
  const counts = found.terms.map(({ terms }) => spelled.filter((term) => terms.includes(term)).length);
  const length = Math.min(passageStems, countStems(tokens));
  return { ...found, selfScore: scoreAlone(index, found.statistics, counts, length) };
}

/** Words the brain does not have stay too: they find nothing, and tell how much of the text is new. */
function rarestTerms(index: InvertedIndex, terms: readonly QueryTerm[]): QueryTerm[] {
  const frequencies = new Map(terms.map((term) => [term, index.words.get(term.terms[0]!)?.length ?? 0]));
  const isUnknown = (term: QueryTerm) => frequencies.get(term) === 0;
  const known = terms.filter((term) => !isUnknown(term));
  known.sort((one, other) => frequencies.get(one)! - frequencies.get(other)!);
  return [...known.slice(0, mostTermsOfText), ...terms.filter(isUnknown)];
}

type Candidate = { readonly document: IndexedDocument; readonly score: number; readonly factor: number };

function rank(index: InvertedIndex, query: IndexQuery, parsed: ParsedQuery): RankedAnswer & RankedTerms {
  const { owners, times } = index.passages;
  const judge = createJudge(index, query, parsed);
  const kept = Math.max(query.limit, parsed.pairs.length > 0 ? readAgain : 0);
  const best = createBest<Candidate>(kept, comparedByScore);
  let total = 0;

  function offer(first: number, score: number): void {
    const factor = judge.factorOf(first);
    if (factor === 0) return;
    total += 1;
    const final = rounded(score * factor);
    const worst = best.kept[kept - 1];
    // Most are out of reach, and to look at a document that is not cached by the processor is slow.
    if (worst && (final < worst.score || (final === worst.score && times[first]! < timeOf(worst)))) return;
    best.offer({ document: owners[first]!, score: final, factor });
  }

  const withPhrases = documentsWithPhrases(index, parsed.phrases);
  const statistics = scoreDocuments(index, parsed.terms, (first, score) => {
    if (!withPhrases || withPhrases.delete(first)) offer(first, score);
  });
  for (const first of withPhrases ?? []) offer(first, 0);
  const candidates = withAdjacency(index, best.kept, parsed, statistics).slice(0, query.limit);
  const documents = candidates.map((candidate) => candidate.document);
  const explanations = explain(index, documents, parsed.terms, statistics);
  const hits = candidates.map(({ document, score }, at) => ({ document, score, explanation: explanations[at]! }));
  return { hits, total, terms: parsed.terms, statistics };
}

/** The best are read once more, for words that stand together as in the query. Others cannot overtake them. */
function withAdjacency(
  index: InvertedIndex,
  candidates: readonly Candidate[],
  { terms, pairs }: ParsedQuery,
  statistics: readonly TermStatistics[],
): readonly Candidate[] {
  if (pairs.length === 0) return candidates;
  const rarities = new Map(terms.map((term, at) => [term.terms[0]!, statistics[at]!.rarity]));
  const again = candidates.slice(0, readAgain).map((candidate) => {
    const bonus = adjacencyOf(index, candidate.document, pairs, rarities);
    return bonus > 0 ? { ...candidate, score: rounded(candidate.score + bonus * candidate.factor) } : candidate;
  });
  return [...again.sort(comparedByScore), ...candidates.slice(readAgain)];
}

/** The order in which words were added changes the last bits of a score; it must not change the order of hits. */
function rounded(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}

function timeOf({ document }: Candidate): number {
  return document.row.occurredAt.getTime();
}

/** Of equal scores the newer comes first. */
function comparedByScore(one: Candidate, other: Candidate): number {
  if (one.score !== other.score) return other.score - one.score;
  return timeOf(other) - timeOf(one) || (one.document.id < other.document.id ? -1 : 1);
}
