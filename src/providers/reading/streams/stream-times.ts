// The period for which a stream is read.
import { parseMoment, formatMoment } from '../moments.ts';
import type { ChangesSince } from '../source.ts';
import type { ListPosition } from './places.ts';
import type { AnyStream } from './stream.ts';

export const dayMs = 24 * 60 * 60_000;
/** How far ahead future items are read. */
const futureDays = 366;

/** The end of the period for future items. */
export function findEnd({ now }: ChangesSince): Date {
  return new Date(now.getTime() + futureDays * dayMs);
}

/** The latest time of change that an item names; `-Infinity` when it names none. */
export function findChange(item: unknown, stream: AnyStream): number {
  const times = stream.readTimes(item).map((time) => parseMoment(time, stream.since.as));
  return Math.max(...times.filter((time) => !Number.isNaN(time)), Number.NEGATIVE_INFINITY);
}

/** The later of a time and an item's last change. An unreadable time is ignored. */
export function pickLater(latest: string | null, item: unknown, stream: AnyStream): string | null {
  const time = findChange(item, stream);
  if (!Number.isFinite(time)) return latest;
  return latest !== null && Date.parse(latest) >= time ? latest : new Date(time).toISOString();
}

/** The times in a request. */
export function writeTimes(since: ChangesSince, stream: AnyStream, from: number): { since: string; until: string } {
  return { since: formatMoment(from, stream.since.as), until: findEnd(since).toISOString() };
}

/** The start of the period for changes. */
export function findStart({ since }: ListPosition, { since: { overlapDays = 0 } }: AnyStream): number {
  return since === null ? 0 : Math.max(0, Date.parse(since) - overlapDays * dayMs);
}

/**
 * Looking back into a one-page list costs nothing. Each further page makes looking back a quarter of an hour less
 * frequent.
 */
const restPerPageMs = 15 * 60_000;
const longestRestMs = dayMs;

/**
 * The start time of a request for a list: the last known change, or an earlier time when looking back is due, for lists
 * whose items do not move when they change. An interrupted reading continues with its own start time.
 */
export function findListStart(place: ListPosition, stream: AnyStream, now: Date): number {
  const since = findStart(place, stream);
  const { lookBackDays } = stream.since;
  if (lookBackDays === undefined) return since;
  if (place.page !== null && place.listed_from !== undefined) return Date.parse(place.listed_from ?? '') || 0;
  const { looked } = place;
  const rest = Math.min(longestRestMs, ((looked?.pages ?? 0) - 1) * restPerPageMs);
  const isDue = !looked || now.getTime() >= Date.parse(looked.at) + rest;
  return isDue ? Math.min(since, now.getTime() - lookBackDays * dayMs) : since;
}
