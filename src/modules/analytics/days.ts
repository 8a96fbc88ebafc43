const dayMs = 24 * 60 * 60 * 1000;

/** A day as `YYYY-MM-DD`, in UTC. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The start, in UTC, of the first of the last days, today included. */
export function beginningOf(now: Date, days: number): Date {
  return new Date(`${dayOf(new Date(now.getTime() - (days - 1) * dayMs))}T00:00:00Z`);
}

/** The last days in order, today last. */
export function lastDays(now: Date, days: number): string[] {
  const first = beginningOf(now, days).getTime();
  return Array.from({ length: days }, (_, day) => dayOf(new Date(first + day * dayMs)));
}
