// Answers a query over documents by words and by embeddings. Constellations are embedded, and passages are shown.
import { createBest } from './best.ts';
import type { BrainIndexes } from './brain-indexes.ts';
import { fuse, mostByMeaning } from './fusion.ts';
import { createNoise } from './noise.ts';
import type { FoundPassage, PassageAnswer, PassageIndexes, PassageQuery } from './passage-indexes.ts';
import type { Passage, PassagePostings } from './passage-postings.ts';
import { encodeVector } from './vector-code.ts';
import type { NearVector, VectorSet } from './vector-set.ts';

/** At most this many passages of a constellation are embedded: see the view `embeddable`. */
const embeddedPassages = 48;

const unworded = { rank: 0, score: 0, share: 0, isByWords: false, standsOut: 0 } as const;

type NearPassage = FoundPassage & { readonly similarity: number };
type MeaningSearchDeps = { passages: PassageIndexes; indexes: BrainIndexes };

/** The union of hits by words and hits by embeddings. Without vectors, only words answer. */
export async function findPassagesWithMeaning(
  { passages, indexes }: MeaningSearchDeps,
  query: PassageQuery,
  { space, vector }: NonNullable<PassageQuery['meaning']>,
): Promise<PassageAnswer> {
  const code = encodeVector(vector);
  const noise = createNoise(code);
  const best = createBest<NearPassage>(mostByMeaning, (one, other) => other.similarity - one.similarity);
  const sets = new Map<string, VectorSet>();
  const { workspaceId } = query;
  const { hits: byWords } = await passages.find(query, (brainId, index) =>
    indexes.forEach({ workspaceId, brainIds: [brainId] }, async (_brainId, _index, getVectors) => {
      const set = await getVectors(space).catch(() => null);
      if (!set) return;
      sets.set(brainId, set);
      noise.read(set);
      for (const near of set.nearest(code, mostByMeaning, (id) => index.ofConstellation.has(id)))
        best.offer({ ...findNearestPassage(index, near), brainId, ...unworded, similarity: near.similarity });
    }),
  );
  const byMeaning = noise
    .outstanding(best.kept)
    .map((hit) => ({ ...hit, standsOut: Math.min(1, noise.standsOut(hit)) }));
  return {
    hits: unite(
      byWords,
      byMeaning,
      ({ brainId, constellationId }) => sets.get(brainId)?.similarity(constellationId, code) ?? null,
    ),
  };
}

/** A passage near the most similar piece of a constellation. */
function findNearestPassage({ ofConstellation, passages }: PassagePostings, { id, at }: NearVector) {
  const numbers = ofConstellation
    .get(id)!
    .toSorted((one, other) => passages[one]!.position - passages[other]!.position);
  const place = Math.floor(at * Math.min(numbers.length, embeddedPassages));
  const { documentId, constellationId, position, lineStart, lineEnd }: Passage = passages[numbers[place]!]!;
  return { documentId, constellationId, position, lineStart, lineEnd };
}

/** A hit by words shows its best passage by words. Scores are those of `fuse`, like those of memories. */
function unite(
  byWords: readonly FoundPassage[],
  byMeaning: readonly NearPassage[],
  getSimilarity: (hit: FoundPassage) => number | null,
): FoundPassage[] {
  const ids = (hits: readonly FoundPassage[]) => hits.map(({ constellationId }) => constellationId);
  const worded = new Map(byWords.map((hit) => [hit.constellationId, hit]));
  const near = new Map(byMeaning.map((hit) => [hit.constellationId, hit]));
  return fuse(ids(byWords), ids(byMeaning)).map(({ id, score }) => {
    const hit = (worded.get(id) ?? near.get(id))!;
    const { standsOut = 0 } = near.get(id) ?? {};
    return { ...hit, rank: score, score, similarity: getSimilarity(hit), standsOut };
  });
}
