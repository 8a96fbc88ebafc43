const dayMs = 24 * 60 * 60 * 1000;

/** A day as `YYYY-MM-DD`, in UTC. */
export function formatDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The start, in UTC, of the first of the last days, including today. */
export function computeStartOfDays(now: Date, days: number): Date {
  return new Date(`${formatDay(new Date(now.getTime() - (days - 1) * dayMs))}T00:00:00Z`);
}

/** The last days in order, today last. */
export function listLastDays(now: Date, days: number): string[] {
  const first = computeStartOfDays(now, days).getTime();
  return Array.from({ length: days }, (_, day) => formatDay(new Date(first + day * dayMs)));
}
