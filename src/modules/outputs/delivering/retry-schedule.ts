// When a delivery is retried, by the schedule that Standard Webhooks recommends: ten attempts over three days.
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The pauses after the first attempt, the second, and so on. */
export const pauses: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
const mostRetryAfter = 24 * hour;
/** The most jitter of a pause, so that deliveries that failed together are not retried together. */
const jitter = 0.2;

/**
 * When to retry after this many attempts. Null: that was the last. `retryAfterMs`: the receiver's Retry-After, which
 * can only make the pause longer. `random`: from 0 to 1.
 */
export function computeNextAttempt(
  attempts: number,
  at: Date,
  { retryAfterMs, random }: { retryAfterMs: number | null; random: number },
): Date | null {
  const pause = pauses[attempts - 1];
  if (pause === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, mostRetryAfter);
  return new Date(at.getTime() + Math.max(pause * (1 + jitter * random), asked));
}

/** A destination that fails for this long is paused. Its owner is notified after half that time. */
export const pausedAfterMs = 5 * 24 * hour;
