// Unites what was found by words with what was found by meaning. First the union, then an order: nothing is left out.

/** Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): how little the first ranks differ. */
const flatness = 60;

/** So many are found by meaning at most. The order of all that comes after them is that of the words. */
export const mostByMeaning = 50;
/**
 * How far the order by words must be known for pages of up to 100 not to overlap: the items found by meaning all stand
 * among the first 200, whatever comes later.
 */
export const leastByWords = 320;

export type Fused = {
  readonly id: string;
  /** 0 to 1; 1 is the best by words and by meaning. Never higher than that of the one before. */
  readonly score: number;
};

/**
 * The union of both, best first. Whoever stands at place n of the order by words stands at place 2n at the latest, so
 * that what has the very words asked for is never lost behind what only means the like.
 */
export function fuse(byWords: readonly string[], byMeaning: readonly string[]): Fused[] {
  const scores = new Map<string, number>();
  for (const ranked of [byWords, byMeaning]) {
    for (const [at, id] of ranked.entries()) {
      const part = (flatness + 1) / (flatness + 1 + at) / 2;
      scores.set(id, (scores.get(id) ?? 0) + part);
    }
  }
  const ranked = [...scores].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  return withFallingScores(
    inTime(
      ranked.map(([id]) => id),
      byWords,
    ),
    scores,
  );
}

/** The given order, in which every second place is for the next by words that has none yet. */
function inTime(ranked: readonly string[], byWords: readonly string[]): string[] {
  const order = new Set<string>();
  const others = ranked.values();
  while (order.size < ranked.length) {
    const due = (order.size + 1) / 2;
    const late = Number.isInteger(due) ? byWords.slice(0, due).find((id) => !order.has(id)) : undefined;
    order.add(late ?? nextOf(others, order));
  }
  return [...order];
}

function nextOf(others: Iterator<string>, order: ReadonlySet<string>): string {
  for (let next = others.next(); !next.done; next = others.next()) if (!order.has(next.value)) return next.value;
  throw new Error('a fused order came to its end too soon');
}

function withFallingScores(order: readonly string[], scores: ReadonlyMap<string, number>): Fused[] {
  let least = 0;
  const fused = order.toReversed().map((id) => {
    least = Math.max(least, scores.get(id) ?? 0);
    return { id, score: Math.round(least * 1e6) / 1e6 };
  });
  return fused.toReversed();
}
