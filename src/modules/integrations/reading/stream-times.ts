// The times between which a stream is read.
import type { Since } from '../sources/source.ts';
import type { Stream } from './descriptor.ts';
import { momentOf, writtenMoment } from './moments.ts';
import type { Place } from './places.ts';

export const dayMs = 24 * 60 * 60_000;
/** How far ahead future items are read. */
const futureDays = 366;

/** The end of the time for future items. */
export function endOf({ now }: Since): Date {
  return new Date(now.getTime() + futureDays * dayMs);
}

/** The later of two times. One that cannot be read counts nothing. */
export function later(latest: string | null, found: unknown, { since }: Stream): string | null {
  const time = momentOf(found, since.as);
  if (Number.isNaN(time)) return latest;
  return latest !== null && Date.parse(latest) >= time ? latest : new Date(time).toISOString();
}

/** The times that a call is filled with. */
export function timesOf(since: Since, stream: Stream, from: Place): { since: string; until: string } {
  const until = endOf(since).toISOString();
  return { since: writtenMoment(askedSince(from, stream), stream.since.as), until };
}

/** The start of the time for changes. */
export function askedSince({ since }: Place, { since: { overlapDays = 0 } }: Stream): number {
  return since === null ? 0 : Math.max(0, Date.parse(since) - overlapDays * dayMs);
}
