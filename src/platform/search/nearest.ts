// Texts of several brains with a meaning similar to a query, found by their vectors.
import { createBest } from './best.ts';
import { explain } from './explain.ts';
import { mostByMeaning } from './fusion.ts';
import type { IndexedDocument, InvertedIndex } from './inverted-index.ts';
import { createJudge } from './facet-weights.ts';
import { createNoise } from './noise.ts';
import { findDocumentsWithPhrases } from './phrases.ts';
import { parseQuery } from './query.ts';
import type { SearchHit, SearchQuery } from './search-query.ts';
import { correctSpelling } from './spelling.ts';
import { encodeVector } from './vector-code.ts';
import type { VectorSet } from './vector-set.ts';

/** In the form of a hit; its score is its similarity. */
type NearHit = SearchHit & { readonly similarity: number };

export type Nearest = {
  /** Reads one brain: its nearest texts, and the similarity of its hits by words. */
  add(brainId: string, index: InvertedIndex, set: VectorSet, byWords: readonly { document: IndexedDocument }[]): void;
  /** The similarity of a hit by words. */
  getSimilarity(id: string): number | null;
  /** The texts that stand out by similarity, nearest first, and how much the first stands out, 0 to 1. */
  answer(): { hits: NearHit[]; standsOut: number };
};

/** Finds the texts that stand out for the vector of a query. */
export function createNearest(query: SearchQuery, vector: Float32Array): Nearest {
  const code = encodeVector(vector);
  const best = createBest<NearHit>(mostByMeaning, compareByNearness);
  const similarities = new Map<string, number>();
  const noise = createNoise(code);

  return {
    add(brainId, index, set, byWords) {
      const near = findNearestInBrain(index, set, code, query);
      for (const { document, similarity, terms, fields, nearby } of near) {
        const { id, row, isTruncated } = document;
        const why = { terms, fields, nearby };
        best.offer({ id, brainId, kind: row.kind, isTruncated, score: similarity, similarity, why });
      }
      for (const { document } of byWords) {
        const similarity = set.similarity(document.id, code);
        if (similarity !== null) similarities.set(document.id, similarity);
      }
      noise.read(set);
    },
    getSimilarity: (id) => similarities.get(id) ?? null,
    answer() {
      const hits = noise.outstanding(best.kept);
      const [first] = hits;
      return { hits, standsOut: first ? Math.min(1, noise.standsOut(first)) : 0 };
    },
  };
}

/** The nearest texts of one brain that pass all filters of the query. */
function findNearestInBrain(index: InvertedIndex, set: VectorSet, code: Int8Array, query: SearchQuery) {
  const parsed = parseQuery(query.text, index, new Date());
  const withPhrases = findDocumentsWithPhrases(index, parsed.phrases);
  const judge = createJudge(index, query, parsed);
  const accepts = (id: string) => {
    const first = index.documents.get(id)?.passages[0];
    if (first === undefined || (withPhrases && !withPhrases.has(first))) return false;
    return judge.getFactor(first) > 0;
  };
  const near = set.nearest(code, mostByMeaning, accepts);
  const documents = near.map(({ id }) => index.documents.get(id)!);
  const terms = correctSpelling(index, parsed.terms);
  const unweighed = terms.map(() => ({ rarity: 0, bags: 0 }));
  const explanations = explain(index, documents, terms, unweighed);
  return near.map(({ similarity }, at) => ({ document: documents[at]!, similarity, ...explanations[at]! }));
}

function compareByNearness(one: NearHit, other: NearHit): number {
  return other.similarity - one.similarity || (one.id < other.id ? -1 : 1);
}
