// Estimates the probability that something relevant was found, from the share of the query that the best hit has.

/**
 * Logistic regression over questions about their own conversations, and over questions without an answer there
 * (`bench/memory/retrieval.ts` prints how well it still fits). It has one feature and two numbers, so that it also fits
 * other kinds of texts.
 */
const [bias, slope] = [-2, 5.8];

/**
 * The probability, 0 to 1, rounded to hundredths. `share`: the share of the query's words, from `explain`; null without
 * a hit.
 */
export function computeConfidence(share: number | null): number {
  if (share === null) return 0;
  return Math.round(100 / (1 + Math.exp(-(bias + slope * share)))) / 100;
}
