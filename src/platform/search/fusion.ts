// Unites hits by words with hits by embeddings. It first forms the union and then orders it, so no hit is lost.

/** Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): how similar the first ranks count. */
const flatness = 60;

/** The most hits by embeddings. All later hits have the order by words. */
export const mostByMeaning = 50;
/**
 * How much of the order by words must be known so that pages of up to 100 do not overlap: all hits by embeddings are
 * among the first 200.
 */
export const leastByWords = 320;

export type FusedHit = {
  readonly id: string;
  /** 0 to 1; 1 is best by words and by embeddings. Never higher than the score before it. */
  readonly score: number;
};

/**
 * The union of both, best first. The item at position n of the order by words is at position 2n at the latest, so that
 * exact words are never lost behind similar meanings.
 */
export function fuse(byWords: readonly string[], byMeaning: readonly string[]): FusedHit[] {
  const scores = new Map<string, number>();
  for (const ranked of [byWords, byMeaning]) {
    for (const [at, id] of ranked.entries()) {
      const part = (flatness + 1) / (flatness + 1 + at) / 2;
      scores.set(id, (scores.get(id) ?? 0) + part);
    }
  }
  const ranked = [...scores].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  return withFallingScores(
    addHitsByWords(
      ranked.map(([id]) => id),
      byWords,
    ),
    scores,
  );
}

/** The given order, where every second position goes to the next item by words that has none yet. */
function addHitsByWords(ranked: readonly string[], byWords: readonly string[]): string[] {
  const order = new Set<string>();
  const others = ranked.values();
  while (order.size < ranked.length) {
    const due = (order.size + 1) / 2;
    const late = Number.isInteger(due) ? byWords.slice(0, due).find((id) => !order.has(id)) : undefined;
    order.add(late ?? findNextUnranked(others, order));
  }
  return [...order];
}

function findNextUnranked(others: Iterator<string>, order: ReadonlySet<string>): string {
  for (let next = others.next(); !next.done; next = others.next()) if (!order.has(next.value)) return next.value;
  throw new Error('a fused order ended too early');
}

function withFallingScores(order: readonly string[], scores: ReadonlyMap<string, number>): FusedHit[] {
  let least = 0;
  const fused = order.toReversed().map((id) => {
    least = Math.max(least, scores.get(id) ?? 0);
    return { id, score: Math.round(least * 1e6) / 1e6 };
  });
  return fused.toReversed();
}
