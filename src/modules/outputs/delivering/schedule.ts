// When a delivery is tried again: the schedule that Standard Webhooks recommends, ten attempts over three days.
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
/** A pause is this share longer at most, so that what failed together does not come back together. */
const jitter = 0.2;

/**
 * When to try again after so many attempts; null: it was the last. `retryAfterMs`: what the receiver asked for, which only makes the
 * pause longer. `random`: from 0 to 1.
 */
export function nextAttempt(
  attempts: number,
  at: Date,
  { retryAfterMs, random }: { retryAfterMs: number | null; random: number },
): Date | null {
  const pause = pauses[attempts - 1];
  if (pause === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, mostRetryAfter);
  return new Date(at.getTime() + Math.max(pause * (1 + jitter * random), asked));
}

/** What a Retry-After header asks for, in seconds or as a date (RFC 9110 §10.2.3); null: nothing that can be read. */
export function retryAfterMs(header: string | undefined, at: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * second;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - at.getTime());
}

/** A destination that fails for so long is paused; its owner is told at the half. */
export const pausedAfterMs = 5 * 24 * hour;
