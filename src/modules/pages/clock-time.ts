/**
 * A moment, and the local time of the person who wrote it, as if it were UTC. Timed pages are compared by the moment,
 * all-day pages by local time: the 16th is the 16th in every time zone.
 */
export type ClockTime = { readonly moment: Date; readonly clock: Date };

/** Reads an ISO date, which counts as UTC, or an ISO time with its offset. */
export function readClockTime(iso: string): ClockTime {
  return { moment: new Date(iso), clock: new Date(iso.replace(/(?:Z|[+-]\d{2}:?\d{2})$/i, 'Z')) };
}

/** A period; pages with a duration are in it from their start to their end. */
export type Period = {
  readonly since?: ClockTime;
  /** The first time after it. */
  readonly until?: ClockTime;
};

/** The period between two ISO dates or times. */
export function readPeriod({ since, until }: { since?: string | undefined; until?: string | undefined }): Period {
  return { ...(since && { since: readClockTime(since) }), ...(until && { until: readClockTime(until) }) };
}
