// Finds texts that are similar to a text by its own words. Every stored memory needs this, so it reads few postings.
import { createBest } from './best.ts';
import type { RankedAnswer } from './rank-documents.ts';
import type { IndexedDocument, InvertedIndex } from './inverted-index.ts';
import { compareHits, roundScore } from './order.ts';
import { countStems, passageStems } from './passages.ts';
import { buildQueryTerms } from './query.ts';
import type { QueryTerm } from './query.ts';
import { scoreAlone, scoreDocuments } from './bm25.ts';
import { mostTermsOfRow } from './row-passages.ts';

/** Only the rarest words of a text are looked up: at most this many, as long as they are in few passages together. */
const mostTerms = 24;
const mostPostings = 20_000;
const fewestTerms = 2;
/** Of a long hit only the beginning is compared. */
const readCharacters = 8_000;

/**
 * The documents most similar to a text, and the score of the text itself. The terms of a hit are those that both share.
 */
export function findSimilarInIndex(
  index: InvertedIndex,
  { text, limit }: { readonly text: string; readonly limit: number },
): RankedAnswer & { selfScore: number } {
  const tokens = index.analyse(text, mostTermsOfRow);
  const terms = buildQueryTerms(tokens);
  const { owners, times } = index.passages;
  const best = createBest<{ document: IndexedDocument; score: number }>(limit, compareByScore);
  const rarest = selectRarestTerms(index, terms);
  let total = 0;
  const statistics = scoreDocuments(index, rarest, { isAlone: true }, (first, score) => {
    total += 1;
    const final = roundScore(score);
    const worst = best.bar;
    if (worst && (final < worst.score || (final === worst.score && times[first]! < getTime(worst.document)))) return;
    best.offer({ document: owners[first]!, score: final });
  });
  const spelled = Map.groupBy(
    tokens.flatMap((token) => [...token.stems, ...token.wholes]),
    (term) => term,
  );
  const counts = rarest.map(({ terms: [term = ''] }) => spelled.get(term)?.length ?? 0);
  const length = Math.min(passageStems, countStems(tokens));
  const hits = best.kept.map((hit) => ({ ...hit, explanation: listSharedTerms(index, hit.document, terms) }));
  return { hits, total, selfScore: scoreAlone(index, statistics, counts, length) };
}

/** The rarest known words first, and unknown words: they find nothing but show how much is new. */
function selectRarestTerms(index: InvertedIndex, terms: readonly QueryTerm[]): QueryTerm[] {
  const getFrequency = ({ terms: [term] }: QueryTerm) => index.words.get(term ?? '')?.length ?? 0;
  const byFrequency = terms.map((term) => ({ term, frequency: getFrequency(term) }));
  const known = byFrequency.filter(({ frequency }) => frequency > 0).toSorted((a, b) => a.frequency - b.frequency);
  let postings = 0;
  const rarest = known.filter(({ frequency }, at) => at < fewestTerms || (postings += frequency) <= mostPostings);
  const unknown = byFrequency.filter(({ frequency }) => frequency === 0);
  return [...rarest.slice(0, mostTerms), ...unknown].map(({ term }) => term);
}

/** The terms of a text that a document also has; its share counts every word equally. */
function listSharedTerms(index: InvertedIndex, { row }: IndexedDocument, terms: readonly QueryTerm[]) {
  const own = new Set(
    index
      .analyse(`${row.title ?? ''}\n${row.body.slice(0, readCharacters)}`)
      .flatMap((token) => [...token.stems, ...token.wholes]),
  );
  const found = terms.filter((term) => term.terms.some((each) => own.has(each)));
  const share = terms.length > 0 ? found.length / terms.length : 0;
  return { terms: [...new Set(found.map(({ word }) => word))], fields: ['body' as const], nearby: [], share };
}

function getTime({ row }: IndexedDocument): number {
  return row.occurredAt.getTime();
}

type ScoredDocument = { readonly document: IndexedDocument; readonly score: number };

function compareByScore(one: ScoredDocument, other: ScoredDocument): number {
  return compareHits(
    { score: one.score, time: getTime(one.document), id: one.document.id },
    { score: other.score, time: getTime(other.document), id: other.document.id },
  );
}
