// Reads an event of a calendar file: its content, its time and its recurrence.
import { createHash } from 'node:crypto';
import { type CalendarEvent, isTimeZone } from '#providers/reading';
import { isReadable, parseLines, type CalendarFile, type Line } from './file.ts';
import { findKnownZone, utc, type Zone } from './zones.ts';

/** A local time in milliseconds, as if it were UTC; or the start of a whole day. */
export type WallTime = { wall: number; isDay: boolean; zone: Zone };

/** The recurrence: the rule as text without its end, additional times, and excluded times. */
export type EventRecurrence = { rule: string; until: WallTime | null } | null;

export type FileEvent = {
  uid: string;
  sequence: number;
  start: WallTime;
  lengthMs: number;
  repeating: EventRecurrence;
  more: WallTime[];
  except: WallTime[];
  /** The event changes or cancels the occurrence with this original start. */
  instead: WallTime | null;
  about: Omit<CalendarEvent, 'id' | 'start' | 'end'>;
};

/** Why an event cannot be read. */
export class UnreadableEvent extends Error {}

const dayMs = 24 * 60 * 60_000;
const longestUid = 200;

/** Throws `UnreadableEvent` with the reason. */
export function readEvent(text: string, file: CalendarFile): FileEvent {
  if (!isReadable(text)) throw new UnreadableEvent('It is too large.');
  const lines = parse(text);
  const of = (name: string) => lines.filter((line) => line.name === name);
  const times = (name: string) => of(name).flatMap((line) => readTimes(line, file));
  const first = (name: string) => of(name)[0];
  const [start] = times('dtstart');
  if (!start) throw new UnreadableEvent('It has no start.');
  const rule = first('rrule');
  return {
    uid: readUid(text),
    sequence: Number(first('sequence')?.values[0] ?? 0) || 0,
    start,
    lengthMs: computeLength(start, times('dtend')[0], first('duration')),
    repeating: rule ? readRepeating(rule, start) : null,
    more: times('rdate'),
    except: times('exdate'),
    instead: times('recurrence-id')[0] ?? null,
    about: readAbout(lines),
  };
}

/** The identity of an event, also of an event that is otherwise unreadable. */
export function readUid(text: string): string {
  const uid =
    /^UID(?:;[^:\r\n]*)?:([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)/im
      .exec(text)?.[1]
      ?.replaceAll(/\r\n[ \t]/g, '')
      .trim() ?? '';
  if (uid !== '' && uid.length <= longestUid) return uid;
  return createHash('sha256')
    .update(uid || text)
    .digest('hex')
    .slice(0, 32);
}

function parse(text: string): Line[] {
  try {
    return parseLines(text);
  } catch (cause) {
    throw new UnreadableEvent('It does not follow RFC 5545.', { cause });
  }
}

function readTimes({ params, form, values }: Line, file: CalendarFile): WallTime[] {
  // A period counts from its start: RFC 7265 writes it as a list. Some programs write a line without any value.
  const texts = values.map((value) => String(form === 'period' && Array.isArray(value) ? value[0] : value));
  return texts.filter(hasDigits).map((written) => {
    const text = readDay(written);
    const [, day = '', time, isUtc] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(Z?))?$/.exec(text) ?? [];
    const iso = `${day}T${time ?? '00:00:00'}.000Z`;
    const wall = Date.parse(iso);
    // Date.parse reads 31 February as 3 March.
    if (Number.isNaN(wall) || new Date(wall).toISOString() !== iso) throw new UnreadableEvent(`${text} is not a time.`);
    return { wall, isDay: time === undefined, zone: isUtc ? utc : findZone(params['tzid'], file) };
  });
}

function hasDigits(text: string): boolean {
  return /\d/.test(text);
}

/** A day without `VALUE=DATE` arrives as a time without hours. */
function readDay(text: string): string {
  return text.replace(/T::Z?$/, '');
}

/** A time without a zone is in the reader's zone; the calendar's zone is the closest known one. */
function findZone(given: unknown, { zones, zoneName }: CalendarFile): Zone {
  const name = typeof given === 'string' ? given : zoneName !== null && isTimeZone(zoneName) ? zoneName : null;
  if (name === null) return utc;
  const zone = zones.get(name) ?? findKnownZone(name);
  if (zone) zones.set(name, zone); // creating one takes longer than using it
  if (!zone) throw new UnreadableEvent(`Its time zone ${name.slice(0, 100)} is unknown.`);
  return zone;
}

function computeLength(start: WallTime, end: WallTime | undefined, duration: Line | undefined): number {
  // An all-day event that ends when it begins lasts one day: many programs write the last day as its end.
  if (end) return Math.max(start.isDay ? dayMs : 0, end.zone.toUtc(end.wall) - start.zone.toUtc(start.wall));
  if (duration) return parseDurationMs(String(duration.values[0]));
  return start.isDay ? dayMs : 0;
}

/** RFC 5545 section 3.3.6, `P1DT2H`. */
function parseDurationMs(text: string): number {
  const [, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] =
    /^\+?P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,5})S)?)?$/.exec(text) ?? [];
  const length = Number(weeks) * 7 * dayMs + Number(days) * dayMs;
  return length + Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000;
}

function readRepeating({ values }: Line, start: WallTime): EventRecurrence {
  const { until, ...parts } = values[0] as Record<string, unknown>; // RFC 7265: a rule is an object
  const rule = Object.entries(parts).map(([name, value]) => `${name.toUpperCase()}=${[value].flat().join(',')}`);
  const end = typeof until === 'string' ? parseUntil(until, start) : null;
  return { rule: rule.join(';'), until: end };
}

/** The end in UTC, or unchanged; an end given as a day includes its last moment. */
function parseUntil(text: string, { zone, isDay }: WallTime): WallTime {
  const time = Date.parse(text.length === 10 ? `${text}T23:59:59Z` : `${text.replace(/Z$/, '')}Z`);
  if (Number.isNaN(time)) throw new UnreadableEvent(`${text} is not a time.`);
  const wall = text.endsWith('Z') && !isDay ? zone.toWall(time) : time;
  return { wall, isDay, zone };
}

function readAbout(lines: readonly Line[]): FileEvent['about'] {
  const text = (name: string) => {
    const value = lines.find((line) => line.name === name)?.values[0];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const [organizer] = listPeople(lines, 'organizer');
  const [summary, description, location] = [text('summary'), text('description'), text('location')];
  const [htmlLink, hangoutLink] = [text('url'), text('x-google-conference') ?? text('conference')];
  return {
    status: (text('status') ?? 'confirmed').toLowerCase(),
    ...(summary && { summary }),
    ...(description && { description }),
    ...(location && { location }),
    ...(htmlLink && { htmlLink }),
    ...(hangoutLink && { hangoutLink }),
    ...(organizer && { organizer }),
    attendees: listPeople(lines, 'attendee').slice(0, 500),
  };
}

const answers: Readonly<Record<string, string>> = {
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
  'NEEDS-ACTION': 'needsAction',
};

function listPeople(lines: readonly Line[], name: string): CalendarEvent['attendees'] {
  return lines
    .filter((line) => line.name === name)
    .map(({ params, values }) => {
      const { cn, partstat } = params;
      const answer = typeof partstat === 'string' ? answers[partstat.toUpperCase()] : undefined;
      return {
        email: String(values[0]).replace(/^mailto:/i, ''),
        ...(typeof cn === 'string' && { displayName: cn }),
        ...(answer && { responseStatus: answer }),
      };
    });
}
