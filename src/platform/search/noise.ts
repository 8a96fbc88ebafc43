// Determines which of the nearest texts stand out.
import type { VectorSet } from './vector-set.ts';

const mostSampled = 256;
/** The noise of a small brain cannot be measured: it is assumed to have this many unrelated texts. */
const supposedStrangers = 4;
/**
 * A text stands out if it is nearer than noise by this share of what is possible, and by half of what the nearest text
 * is.
 */
const leastDistinct = 0.1;
const shareOfNearest = 0.5;

type NearItem = { readonly similarity: number };

/**
 * Similarities differ between models, so no fixed cosine can be the limit. A text stands out by how much nearer it is
 * than the average text of these brains, as a share of how much nearer it could be.
 */
export function createNoise(code: Int8Array) {
  let sum = 0;
  let sampled = supposedStrangers;

  function standsOut({ similarity }: NearItem): number {
    const noise = Math.max(0, sum / sampled);
    return noise < 1 ? Math.max(0, (similarity - noise) / (1 - noise)) : 0;
  }

  return {
    /** Samples the vectors of one brain. */
    read(set: VectorSet): void {
      const sample = set.sample(code, mostSampled);
      sum += sample.reduce((all, each) => all + each, 0);
      sampled += sample.length;
    },
    standsOut,
    /** Those of the nearest texts that stand out, nearest first. */
    outstanding<Hit extends NearItem>(nearest: readonly Hit[]): Hit[] {
      const [first] = nearest;
      if (!first) return [];
      const least = Math.max(leastDistinct, shareOfNearest * standsOut(first));
      return nearest.filter((hit) => standsOut(hit) >= least);
    },
  };
}
