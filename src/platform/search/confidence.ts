// Turns how much of a query the best hit has into how probable it is that something relevant was found.

/**
 * Logistic regression over questions asked of the conversations they belong to, and of others without an answer
 * (`bench/memory/retrieval.ts` prints how well it still fits). One feature and two numbers, so that it also fits other
 * kinds of texts.
 */
const [bias, slope] = [-2, 5.8];

/**
 * The probability, 0 to 1, rounded to hundredths. `share`: of the query's words, from `explain`; null without a hit.
 */
export function computeConfidence(share: number | null): number {
  if (share === null) return 0;
  return Math.round(100 / (1 + Math.exp(-(bias + slope * share)))) / 100;
}
