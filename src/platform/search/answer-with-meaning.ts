// Answers a query over several brains by words and by embeddings.
import { createMerged } from './answer.ts';
import type { BrainIndexes, VectorsOf } from './brain-indexes.ts';
import { findInIndex } from './rank-documents.ts';
import { createSurvey } from './collection.ts';
import { fuse, leastByWords } from './fusion.ts';
import { createNearest } from './nearest.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { SearchAnswer, SearchHit, SearchQuery } from './search-query.ts';
import type { VectorSet } from './vector-set.ts';

const notice = 'Vectors cannot be searched on this server now, so this search used words only.';

/** The union of hits by words and hits by embeddings. When vectors fail, only words answer. */
export async function answerWithMeaning(
  indexes: BrainIndexes,
  query: SearchQuery,
  { space, vector }: NonNullable<SearchQuery['meaning']>,
): Promise<SearchAnswer> {
  const depth = Math.max(leastByWords, query.offset + query.limit);
  const merged = createMerged(depth);
  const nearest = createNearest(query, vector);
  let isWhole = true;
  const survey = createSurvey(query.text);
  const answerFrom = async (brainId: string, index: InvertedIndex, getVectors: VectorsOf) => {
    const set = await findVectors(getVectors, space);
    const found = findInIndex(index, { ...query, limit: depth }, survey.read(index));
    merged.add(brainId, found);
    if (set) nearest.add(brainId, index, set, found.hits);
    else isWhole = false;
  };
  await indexes.forEach(query, answerFrom, survey.add);
  const byWords = merged.answer();
  const byMeaning = nearest.answer();
  const { hits, unexpected } = unite(byWords.hits, byMeaning.hits, nearest.getSimilarity);
  return {
    hits: hits.slice(query.offset, query.offset + query.limit),
    total: byWords.total + unexpected,
    confidence: Math.max(byWords.confidence, byMeaning.standsOut),
    ...(isWhole ? {} : { notice }),
  };
}

function findVectors(getVectors: VectorsOf, space: string): Promise<VectorSet | null> {
  return getVectors(space).catch(() => null);
}

/** `unexpected`: how many hits have none of the words, and so are not counted among the hits by words. */
function unite(
  byWords: readonly SearchHit[],
  byMeaning: readonly SearchHit[],
  getSimilarity: (id: string) => number | null,
): { hits: SearchHit[]; unexpected: number } {
  const ids = (hits: readonly SearchHit[]) => hits.map(({ id }) => id);
  const near = new Map(byMeaning.map((hit) => [hit.id, hit]));
  const worded = new Map(byWords.map((hit) => [hit.id, hit]));
  const hits = fuse(ids(byWords), ids(byMeaning)).flatMap(({ id, score }): SearchHit[] => {
    const hit = worded.get(id) ?? near.get(id);
    if (!hit) return [];
    const { fields } = hit.why;
    const why = { ...hit.why, fields: near.has(id) ? [...fields, 'meaning' as const] : fields };
    const similarity = near.get(id)?.similarity ?? getSimilarity(id);
    return [{ ...hit, score, similarity: similarity && Math.round(similarity * 1e4) / 1e4, why }];
  });
  const unexpected = byMeaning.filter(({ id, why }) => !worded.has(id) && why.terms.length === 0).length;
  return { hits, unexpected };
}
