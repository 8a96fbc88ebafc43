// Answers a query from one brain's index.
import { createBest } from './best.ts';
import { explain } from './explain.ts';
import type { Explanation } from './explain.ts';
import { boostOf, passesFilters } from './filters.ts';
import type { Filters } from './filters.ts';
import type { IndexedDocument, InvertedIndex } from './inverted-index.ts';
import { countStems, passageStems } from './passages.ts';
import { documentsWithPhrases, excludedDocuments } from './phrases.ts';
import { parseQuery, parseText } from './query.ts';
import type { ParsedQuery, QueryTerm } from './query.ts';
import { scoreAlone, scoreDocuments } from './ranking.ts';
import type { TermStatistics } from './ranking.ts';
import type { Searchable } from './searchable.ts';
import type { Boost } from './search-query.ts';
import { correctSpelling } from './spelling.ts';

const namedAuthorBoost = 1.3;
const ownWordsBoost = 2;
const shortestName = 2;
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
  /** How many of the best to return. */
  readonly limit: number;
};

/** The best documents for a query with operators. */
export function findInIndex(index: InvertedIndex, query: IndexQuery): RankedAnswer {
  const parsed = parseQuery(query.text, index.analyse);
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

type Candidate = { readonly document: IndexedDocument; readonly score: number };

function rank(index: InvertedIndex, query: IndexQuery, parsed: ParsedQuery): RankedAnswer & RankedTerms {
  const { owners } = index.passages;
  const accepts = createFilter(index, query, parsed);
  const factor = createFactor(index, query, parsed);
  const best = createBest<Candidate>(query.limit, comparedByScore);
  let total = 0;

  function offer(document: IndexedDocument, score: number): void {
    total += 1;
    best.offer({ document, score: rounded(score * factor.of(document.row)) });
  }

  const withPhrases = documentsWithPhrases(index, parsed.phrases);
  const statistics = scoreDocuments(index, parsed.terms, (first, score) => {
    const worst = best.kept[query.limit - 1];
    // Most documents are out of reach, and to look at one that is not cached by the processor is slow.
    if (!accepts && !withPhrases && worst && rounded(score * factor.greatest) < worst.score) {
      total += 1;
      return;
    }
    const document = owners[first]!;
    if (withPhrases && !withPhrases.delete(document)) return;
    if (!accepts || accepts(document)) offer(document, score);
  });
  for (const document of withPhrases ?? []) if (!accepts || accepts(document)) offer(document, 0);
  const documents = best.kept.map((kept) => kept.document);
  const explanations = explain(index, documents, parsed.terms, statistics);
  const hits = best.kept.map((kept, at) => ({ ...kept, explanation: explanations[at]! }));
  return { hits, total, terms: parsed.terms, statistics };
}

/** Null when the query takes every document. */
function createFilter(index: InvertedIndex, query: IndexQuery, { exclusions }: ParsedQuery) {
  if (!query.kinds && !query.types && query.source === undefined && exclusions.length === 0) return null;
  const excluded = excludedDocuments(index, exclusions);
  return (document: IndexedDocument) => !excluded.has(document) && passesFilters(document.row, query);
}

/** What a document's score is multiplied by, for who wrote it and what it is; and the most that this can be. */
function createFactor(index: InvertedIndex, { boosts = [] }: IndexQuery, parsed: ParsedQuery) {
  const isNamed = createNamedAuthors(index, parsed);
  const ownWords = parsed.isFirstPerson ? ownWordsBoost : 1;
  const greatest = boosts.reduce((product, { factor }) => product * Math.max(1, factor), namedAuthorBoost * ownWords);
  return {
    greatest,
    of(row: Searchable): number {
      const author = isNamed(row.author) ? namedAuthorBoost : 1;
      return author * (row.role === 'user' ? ownWords : 1) * boostOf(row, boosts);
    },
  };
}

/** Whether the query has a word of an author's name. Answers are kept, as a brain has few authors. */
function createNamedAuthors(index: InvertedIndex, { terms }: ParsedQuery): (author: string | null) => boolean {
  const asked = new Set(terms.flatMap((term) => term.terms));
  const known = new Map<string, boolean>();
  return (author) => {
    if (author === null) return false;
    let isNamed = known.get(author);
    if (isNamed === undefined) {
      const names = index.analyse(author).flatMap((token) => [...token.stems, ...token.wholes]);
      isNamed = names.some((name) => name.length >= shortestName && asked.has(name));
      known.set(author, isNamed);
    }
    return isNamed;
  };
}

/** The order in which words were added changes the last bits of a score; it must not change the order of hits. */
function rounded(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}

/** Of equal scores the newer comes first. */
function comparedByScore(one: Candidate, other: Candidate): number {
  if (one.score !== other.score) return other.score - one.score;
  const newer = other.document.row.occurredAt.getTime() - one.document.row.occurredAt.getTime();
  return newer || (one.document.id < other.document.id ? -1 : 1);
}
