import type { Deadline } from './parts.ts';

const dayMs = 24 * 60 * 60 * 1_000;

/** When a deadline ends, in ms. A date ends with its day in UTC. */
export function computeDeadlineEnd({ due }: Pick<Deadline, 'due'>): number {
  return due.length === 10 ? Date.parse(due) + dayMs : Date.parse(due);
}

/** The earliest end of an open deadline, not before a time. */
export function findNextEnd(deadlines: readonly Deadline[], since: Date): Date | null {
  const ends = deadlines.filter(({ is_done }) => !is_done).map(computeDeadlineEnd);
  const next = Math.min(...ends.filter((end) => end >= since.getTime()));
  return Number.isFinite(next) ? new Date(next) : null;
}
