// Texts of several brains with a similar meaning as a query, by their vectors.
import { createBest } from './best.ts';
import { explain } from './explain.ts';
import { mostByMeaning } from './fusion.ts';
import type { IndexedDocument, InvertedIndex } from './inverted-index.ts';
import { createJudge } from './judge.ts';
import { documentsWithPhrases } from './phrases.ts';
import { parseQuery } from './query.ts';
import type { SearchHit, SearchQuery } from './search-query.ts';
import { correctSpelling } from './spelling.ts';
import { codeOf } from './vector-code.ts';
import type { VectorSet } from './vector-set.ts';

/** As a hit; its score is its similarity. */
type NearHit = SearchHit & { readonly similarity: number };

export type Nearest = {
  /** Reads one brain: its nearest texts, and the similarity of its hits by words. */
  add(brainId: string, index: InvertedIndex, set: VectorSet, byWords: readonly { document: IndexedDocument }[]): void;
  /** The similarity of a hit by words. */
  similarityOf(id: string): number | null;
  /** The outstanding texts by meaning, nearest first, and how much the first stands out, 0 to 1. */
  answer(): { hits: NearHit[]; standsOut: number };
};

const mostSampled = 256;
/** The noise of a small brain cannot be measured; it is taken for so many texts that have nothing in common. */
const supposedStrangers = 4;
/** Nearer than noise by this part of what is possible, and by half of what the nearest is. */
const leastStandingOut = 0.1;
const shareOfNearest = 0.5;

/**
 * Similarities differ between models, so no fixed cosine is a limit. A text stands out by how much nearer it is than
 * texts of these brains are on average, as a share of how much nearer it could be.
 */
export function createNearest(query: SearchQuery, vector: Float32Array): Nearest {
  const code = codeOf(vector);
  const best = createBest<NearHit>(mostByMeaning, comparedByNearness);
  const similarities = new Map<string, number>();
  let sum = 0;
  let sampled = supposedStrangers;

  function standsOut({ similarity }: NearHit): number {
    const noise = Math.max(0, sum / sampled);
    return noise < 1 ? Math.max(0, (similarity - noise) / (1 - noise)) : 0;
  }

  return {
    add(brainId, index, set, byWords) {
      const near = nearIn(index, set, code, query);
      for (const { document, similarity, terms, fields, nearby } of near) {
        const { id, row } = document;
        best.offer({ id, brainId, kind: row.kind, score: similarity, similarity, why: { terms, fields, nearby } });
      }
      for (const { document } of byWords) {
        const similarity = set.similarity(document.id, code);
        if (similarity !== null) similarities.set(document.id, similarity);
      }
      const sample = set.sample(code, mostSampled);
      sum += sample.reduce((all, each) => all + each, 0);
      sampled += sample.length;
    },
    similarityOf: (id) => similarities.get(id) ?? null,
    answer() {
      const [first] = best.kept;
      if (!first) return { hits: [], standsOut: 0 };
      const least = Math.max(leastStandingOut, shareOfNearest * standsOut(first));
      const hits = best.kept.filter((hit) => standsOut(hit) >= least);
      return { hits, standsOut: hits.length > 0 ? Math.min(1, standsOut(first)) : 0 };
    },
  };
}

/** The nearest texts of one brain that pass all filters of the query. */
function nearIn(index: InvertedIndex, set: VectorSet, code: Int8Array, query: SearchQuery) {
  const parsed = parseQuery(query.text, index.analyse, new Date());
  const withPhrases = documentsWithPhrases(index, parsed.phrases);
  const judge = createJudge(index, query, parsed);
  const accepts = (id: string) => {
    const first = index.documents.get(id)?.passages[0];
    if (first === undefined || (withPhrases && !withPhrases.has(first))) return false;
    return judge.factorOf(first) > 0;
  };
  const near = set.nearest(code, mostByMeaning, accepts);
  const documents = near.map(({ id }) => index.documents.get(id)!);
  const terms = correctSpelling(index, parsed.terms);
  const unweighed = terms.map(() => ({ rarity: 0, bags: 0 }));
  const explanations = explain(index, documents, terms, unweighed);
  return near.map(({ similarity }, at) => ({ document: documents[at]!, similarity, ...explanations[at]! }));
}

function comparedByNearness(one: NearHit, other: NearHit): number {
  return other.similarity - one.similarity || (one.id < other.id ? -1 : 1);
}
