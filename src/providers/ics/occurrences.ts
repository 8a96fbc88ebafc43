// The occurrences of the events of a calendar file within a window: series are expanded, with their changed occurrences.
import { RRuleTemporal } from 'rrule-temporal';
import type { CalendarEvent } from '#providers/reading';
import { UnreadableEvent, type FileEvent, type WallTime } from './event.ts';
import { utc, type Zone } from './zones.ts';

/** Events that take place between two moments, and all-day events that do in the given time zone; UTC by default. */
export type Window = { from: number; until: number; zone?: Zone };

/** The most occurrences of one series that are stored. A series that repeats every hour of a year has more. */
const mostOccurrences = 2_000;
const mostSteps = 20_000;
const dayMs = 24 * 60 * 60_000;

/** The events of one uid within the window, cancelled ones too. Throws `UnreadableEvent`. */
export function listOccurrences(events: readonly FileEvent[], window: Window): CalendarEvent[] {
  const newest = events.toSorted((one, other) => one.sequence - other.sequence);
  const series = newest.findLast(({ instead }) => !instead);
  const changed = new Map(
    newest.flatMap((event) => (event.instead ? [[formatKey(event.instead), event] as const] : [])),
  );
  const starts = series ? listStarts(series, { ...window, from: window.from - series.lengthMs }) : [];
  const isSeries = series !== undefined && (series.repeating !== null || series.more.length > 0);
  const usual = starts
    .filter((start) => !changed.has(formatKey(start)))
    .map((start) => buildEvent(series!, start, isSeries ? formatKey(start) : null)); // only a series has starts
  const others = [...changed].map(([key, event]) => buildEvent(event, event.start, key));
  return [...usual, ...others].filter((event) => isInWindow(event, window));
}

function buildEvent({ uid, about, lengthMs }: FileEvent, start: WallTime, key: string | null): CalendarEvent {
  const end = { ...start, wall: start.zone.toWall(start.zone.toUtc(start.wall) + lengthMs) };
  return { ...about, id: key === null ? uid : `${uid}:${key}`, start: writeWallTime(start), end: writeWallTime(end) };
}

/** The identity of an occurrence: its original start. */
function formatKey({ wall, isDay, zone }: WallTime): string {
  const text = new Date(isDay ? wall : zone.toUtc(wall)).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return isDay ? text.slice(0, 8) : text;
}

function listStarts(series: FileEvent, window: Window): WallTime[] {
  const { start, repeating, more, except } = series;
  const usual = repeating ? listStartsByRule(series, window) : [start];
  const [days, moments] = [except.filter(({ isDay }) => isDay), except.filter(({ isDay }) => !isDay)];
  const leftOut = new Set(moments.map(formatKey));
  const daysOut = new Set(days.map(({ wall }) => wall));
  const all = new Map([...usual, ...more].map((each) => [formatKey(each), each]));
  return [...all]
    .filter(([key, { wall }]) => !leftOut.has(key) && !daysOut.has(wall - (wall % dayMs)))
    .map(([, each]) => each);
}

/** In local time: nine o'clock stays nine o'clock when the clocks change. */
function listStartsByRule({ start, repeating }: FileEvent, { from, until }: Window): WallTime[] {
  const text = `DTSTART:${formatStamp(start.wall)}\nRRULE:${repeating!.rule}`; // only for series
  const end = repeating!.until ? Math.min(until + dayMs, repeating!.until.wall) : until + dayMs;
  const [first, last] = [new Date(Math.max(from - dayMs, start.wall)), new Date(end)];
  if (last < first) return [];
  const walls = expandRule(text, first, last);
  if (walls.length > mostOccurrences) throw new UnreadableEvent(`It repeats more than ${mostOccurrences} times.`);
  // The first occurrence counts, even if the rule does not include it (RFC 5545 section 3.8.5.3).
  return [...new Set([start.wall, ...walls])].map((wall) => ({ ...start, wall }));
}

function expandRule(rruleString: string, first: Date, last: Date): number[] {
  try {
    const rule = new RRuleTemporal({
      rruleString,
      maxIterations: mostSteps,
      maxCandidateEvaluations: mostSteps,
      cache: false,
    });
    return rule.between(first, last, true).map(({ epochMilliseconds }) => epochMilliseconds);
  } catch (cause) {
    throw new UnreadableEvent('It repeats too often, or in a way that is not understood.', { cause });
  }
}

function isInWindow({ start, end }: CalendarEvent, { from, until, zone = utc }: Window): boolean {
  const [first, last] = [parseMoment(start), parseMoment(end)];
  const [since, before] = start?.date ? [zone.toWall(from), zone.toWall(until)] : [from, until];
  return first < before && (last > since || first >= since);
}

function parseMoment(time: CalendarEvent['start']): number {
  return Date.parse(time?.dateTime ?? time?.date ?? '');
}

/** The format of Google's API: a time with its offset, or a day. */
function writeWallTime({ wall, isDay, zone }: WallTime): NonNullable<CalendarEvent['start']> {
  const text = new Date(wall).toISOString();
  if (isDay) return { date: text.slice(0, 10) };
  const minutes = Math.round((wall - zone.toUtc(wall)) / 60_000);
  const size = Math.abs(minutes);
  const clock = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return { dateTime: `${text.slice(0, 19)}${minutes === 0 ? 'Z' : `${minutes < 0 ? '-' : '+'}${clock}`}` };
}

function formatStamp(wall: number): string {
  return new Date(wall).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
