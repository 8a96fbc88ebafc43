/**
 * A moment, and what the clock of the person who wrote it shows then, as if it were UTC. Timed pages are compared with
 * the moment, all-day pages with the clock: the 16th is the 16th wherever somebody asks.
 */
export type ClockTime = { readonly moment: Date; readonly clock: Date };

/** Reads an ISO date, which counts as UTC, or an ISO time with its offset. */
export function readClockTime(iso: string): ClockTime {
  return { moment: new Date(iso), clock: new Date(iso.replace(/(?:Z|[+-]\d{2}:?\d{2})$/i, 'Z')) };
}

/** A period; pages that last longer than a moment are in it from their begin to their end. */
export type Period = {
  readonly since?: ClockTime;
  /** The first time after it. */
  readonly until?: ClockTime;
};

/** The period between two ISO dates or times. */
export function readPeriod({ since, until }: { since?: string | undefined; until?: string | undefined }): Period {
  return { ...(since && { since: readClockTime(since) }), ...(until && { until: readClockTime(until) }) };
}
