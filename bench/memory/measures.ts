// Measures of a ranking, by Manning, Raghavan and Schütze (2008), chapter 8, and how sure one can be of their means.

/** For one question: where the evidence was found. */
export type Measures = Record<'recall@5' | 'recall@10' | 'recall@20' | 'nDCG@10' | 'MRR', number>;
export const measureNames = ['recall@5', 'recall@10', 'recall@20', 'nDCG@10', 'MRR'] as const;

/** Holds a ranking, best first, against its evidence. */
export function measure(ranking: readonly number[], evidence: readonly number[]): Measures {
  const wanted = new Set(evidence);
  const recall = (depth: number) => ranking.slice(0, depth).filter((place) => wanted.has(place)).length / wanted.size;
  const gain = (at: number) => 1 / Math.log2(at + 2);
  const gained = ranking.slice(0, 10).reduce((sum, place, at) => sum + (wanted.has(place) ? gain(at) : 0), 0);
  const ideal = Array.from({ length: Math.min(10, wanted.size) }, (_, at) => gain(at)).reduce(
    (sum, one) => sum + one,
    0,
  );
  const first = ranking.findIndex((place) => wanted.has(place));
  return {
    'recall@5': recall(5),
    'recall@10': recall(10),
    'recall@20': recall(20),
    'nDCG@10': gained / ideal,
    MRR: first < 0 ? 0 : 1 / (first + 1),
  };
}

const resamples = 1_000;

/** The mean, and the interval that holds 95 % of the means of samples drawn again from the same values. */
export function computeMeanWithInterval(values: readonly number[]): { mean: number; low: number; high: number } {
  const mean = (of: (at: number) => number) => {
    let sum = 0;
    for (let at = 0; at < values.length; at += 1) sum += of(at);
    return sum / values.length;
  };
  let state = 1;
  const random = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
  const means = Array.from({ length: resamples }, () => mean(() => values[Math.floor(random() * values.length)]!));
  means.sort((a, b) => a - b);
  return { mean: mean((at) => values[at]!), low: means[resamples * 0.025]!, high: means[resamples * 0.975]! };
}

/**
 * The area under the ROC curve: the share of pairs (one positive, one negative) in which the positive has the higher
 * probability.
 */
export function computeAreaUnderCurve(predictions: readonly { probability: number; isTrue: boolean }[]): number {
  const positives = predictions.filter(({ isTrue }) => isTrue);
  const negatives = predictions.filter(({ isTrue }) => !isTrue);
  let won = 0;
  for (const { probability } of positives) {
    for (const other of negatives)
      won += probability > other.probability ? 1 : probability === other.probability ? 0.5 : 0;
  }
  return won / (positives.length * negatives.length);
}

/** How far a probability is off, on average: it is compared with what came true, in ten equal ranges. */
export function computeCalibrationError(predictions: readonly { probability: number; isTrue: boolean }[]): number {
  const ranges = Map.groupBy(predictions, ({ probability }) => Math.min(9, Math.floor(probability * 10)));
  let off = 0;
  for (const range of ranges.values()) {
    const said = range.reduce((sum, { probability }) => sum + probability, 0);
    off += Math.abs(said - range.filter(({ isTrue }) => isTrue).length);
  }
  return off / predictions.length;
}
