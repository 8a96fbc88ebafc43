/** The criteria for the order of hits; `time` in ms since 1970. */
type HitRank = { readonly score: number; readonly time: number; readonly id: string };

/**
 * The one order of hits, in one brain and over many, so that pages join without gaps: by score, then the newer first.
 */
export function compareHits(one: HitRank, other: HitRank): number {
  return other.score - one.score || other.time - one.time || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}

/** The order in which words are added changes the last bits of a score; this must not change the order of hits. */
export function roundScore(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}
