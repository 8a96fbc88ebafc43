// Answers a query over several brains.
import { createBest } from './best.ts';
import { createSurvey } from './collection.ts';
import { computeConfidence } from './confidence.ts';
import type { BrainIndexes } from './brain-indexes.ts';
import { findInIndex } from './rank-documents.ts';
import type { RankedDocument } from './rank-documents.ts';
import { findSimilarInIndex } from './likeness.ts';
import { compareHits } from './order.ts';
import type { SearchAnswer, SearchHit, SearchQuery, SimilarAnswer, SimilarQuery } from './search-query.ts';

/** Merges the best hits of each brain by score; scores use counts over all searched brains. */
export async function answerFind(indexes: BrainIndexes, query: SearchQuery): Promise<SearchAnswer> {
  const limit = query.offset + query.limit;
  const merged = createMerged(limit);
  const survey = createSurvey(query.text);
  await indexes.forEach(
    query,
    (brainId, index) => merged.add(brainId, findInIndex(index, { ...query, limit }, survey.read(index))),
    survey.add,
  );
  const { hits, ...answer } = merged.answer();
  return { ...answer, hits: hits.slice(query.offset) };
}

/** The same for a text that is not a query. */
export async function answerSimilar(indexes: BrainIndexes, query: SimilarQuery): Promise<SimilarAnswer> {
  const merged = createMerged(query.limit);
  let selfScore = 0;
  await indexes.forEach({ workspaceId: query.workspaceId, brainIds: [query.brainId] }, (brainId, index) => {
    const found = findSimilarInIndex(index, query);
    ({ selfScore } = found);
    merged.add(brainId, found);
  });
  return { ...merged.answer(), selfScore };
}

/** Gathers hits of several brains, best first. */
export function createMerged(limit: number) {
  const best = createBest<SearchHit & { share: number; time: number }>(limit, compareHits);
  let total = 0;
  return {
    add(brainId: string, found: { hits: readonly RankedDocument[]; total: number }): void {
      total += found.total;
      for (const { document, score, explanation } of found.hits) {
        const { terms, fields, nearby, share } = explanation;
        best.offer({
          id: document.id,
          brainId,
          kind: document.row.kind,
          isTruncated: document.isTruncated,
          score,
          similarity: null,
          why: { terms, fields, nearby },
          share,
          time: document.row.occurredAt.getTime(),
        });
      }
    },
    answer(): SearchAnswer {
      const hits = best.kept.map(({ share: _share, time: _time, ...hit }) => hit);
      return { hits, total, confidence: computeConfidence(best.kept[0]?.share ?? null) };
    },
  };
}
