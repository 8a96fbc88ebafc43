// The times between which a stream is read.
import { valueAt } from '#providers/http';
import { momentOf, type Since, writtenMoment } from '#providers/reading';
import type { Stream } from './descriptor.ts';
import type { Place } from './places.ts';

export const dayMs = 24 * 60 * 60_000;
/** How far ahead future items are read. */
const futureDays = 366;

/** The end of the time for future items. */
export function endOf({ now }: Since): Date {
  return new Date(now.getTime() + futureDays * dayMs);
}

/** When an item was last changed, by all that says so; NaN when nothing does. */
export function changedAt(item: unknown, { since: { at, also = [], as } }: Stream): number {
  const times = [at, ...also].map((place) => momentOf(valueAt(item, place), as));
  return Math.max(...times.filter((time) => !Number.isNaN(time)), Number.NEGATIVE_INFINITY);
}

/** The later of a time and of an item's last change. A time that cannot be read counts nothing. */
export function later(latest: string | null, item: unknown, stream: Stream): string | null {
  const time = changedAt(item, stream);
  if (!Number.isFinite(time)) return latest;
  return latest !== null && Date.parse(latest) >= time ? latest : new Date(time).toISOString();
}

/** The times that a call is filled with. */
export function timesOf(since: Since, stream: Stream, from: number): { since: string; until: string } {
  return { since: writtenMoment(from, stream.since.as), until: endOf(since).toISOString() };
}

/** The start of the time for changes. */
export function askedSince({ since }: Place, { since: { overlapDays = 0 } }: Stream): number {
  return since === null ? 0 : Math.max(0, Date.parse(since) - overlapDays * dayMs);
}

/** Looking back into a list of one page costs nothing; each further page is looked into a quarter of an hour less often. */
const restPerPageMs = 15 * 60_000;
const longestRestMs = dayMs;

/**
 * From when on a list is asked for: since the last change that is known, or, where later changes do not move an item, from further
 * back when that is due. A reading that was broken off goes on with what it asked for.
 */
export function listedSince(place: Place, stream: Stream, now: Date): number {
  const since = askedSince(place, stream);
  const { lookBackDays } = stream.since;
  if (lookBackDays === undefined) return since;
  if (place.page !== null && place.listed_from !== undefined) return Date.parse(place.listed_from ?? '') || 0;
  const { looked } = place;
  const rest = Math.min(longestRestMs, ((looked?.pages ?? 0) - 1) * restPerPageMs);
  const isDue = !looked || now.getTime() >= Date.parse(looked.at) + rest;
  return isDue ? Math.min(since, now.getTime() - lookBackDays * dayMs) : since;
}
