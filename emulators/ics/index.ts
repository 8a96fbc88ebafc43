// An emulator of a calendar feed: iCalendar (RFC 5545) over HTTP, with ETag and Last-Modified. See README.md.
import { createHash, randomBytes } from 'node:crypto';
import { startEmulator } from '../kit/emulator.ts';
import type { Emulator, EmulatorOptions } from '../kit/emulator.ts';
import type { OrderedAnswer } from '../kit/failures.ts';
import type { Dialect } from '../kit/server.ts';
import { WireError } from '../kit/wire.ts';
import type { IncomingRequest, Reply, World } from '../kit/wire.ts';

/** When something begins or ends: a UTC instant, a wall time in a zone (`2026-03-02T09:00:00`), or a whole day. */
export type FeedTime = Date | { wall: string; zone: string } | { day: string };

/** An event of a feed. */
export type FeedEvent = {
  uid: string;
  summary: string;
  start: FeedTime;
  end?: FeedTime;
  description?: string;
  location?: string;
  organizer?: string;
  attendees?: string[];
  /** Such as `FREQ=WEEKLY;COUNT=4`. */
  rrule?: string;
  exdates?: FeedTime[];
  /** Makes it one changed occurrence of the series of the same uid. */
  recurrenceId?: FeedTime;
  cancelled?: boolean;
};

type Feed = { name: string; events: (FeedEvent & { sequence: number; stamp: Date })[]; changedAt: Date; raw?: Buffer };

type Data = { feeds: Map<string, Feed> };

/** A feed with its address; the path is secret, as those of real feeds are. */
export type FeedHandle = {
  url: string;
  /** Adds an event, or changes the one of the same uid and occurrence. */
  put(event: FeedEvent): void;
  remove(uid: string): void;
  /** Answers these bytes instead. */
  setRaw(content: string | Uint8Array): void;
};

/** A running emulator. */
export type IcsEmulator = Emulator & { addFeed(name: string): FeedHandle };

const formatDigits = (text: string) => text.replaceAll(/[-:]|\.\d+/g, '');

/** A property with its time: `;TZID=…`, `;VALUE=DATE`, or UTC. */
function formatTimeProperty(name: string, time: FeedTime): string {
  if (time instanceof Date) return `${name}:${formatDigits(time.toISOString())}`;
  if ('day' in time) return `${name};VALUE=DATE:${formatDigits(time.day)}`;
  return `${name};TZID=${time.zone}:${formatDigits(time.wall)}`;
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(';', '\\;').replaceAll(',', '\\,').replaceAll('\n', '\\n');
}

/** Folds a line at 75 octets, never inside a character (RFC 5545 3.1). */
function fold(line: string): string {
  const parts: string[] = [];
  let part = '';
  for (const character of line) {
    if (Buffer.byteLength(part + character) > 75) {
      parts.push(part);
      part = ' ';
    }
    part += character;
  }
  return [...parts, part].join('\r\n');
}

/** Rules of the zones that feeds here may use; the offsets are those of the current law. */
const zones: Record<string, [standard: string, daylight: string, toDaylight: string, toStandard: string]> = {
  'Europe/Berlin': ['+0100', '+0200', 'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'],
  'America/New_York': ['-0500', '-0400', 'FREQ=YEARLY;BYMONTH=3;BYDAY=2SU', 'FREQ=YEARLY;BYMONTH=11;BYDAY=1SU'],
};

function formatZoneLines(zone: string): string[] {
  const rules = zones[zone];
  if (!rules) throw new Error(`The emulator knows no rules of ${zone}`);
  const [standard, daylight, toDaylight, toStandard] = rules;
  const part = (kind: string, from: string, to: string, start: string, rule: string) => [
    `BEGIN:${kind}`,
    `DTSTART:${start}`,
    `TZOFFSETFROM:${from}`,
    `TZOFFSETTO:${to}`,
    `RRULE:${rule}`,
    `END:${kind}`,
  ];
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...part('DAYLIGHT', standard, daylight, '20070311T020000', toDaylight),
    ...part('STANDARD', daylight, standard, '20071104T030000', toStandard),
    'END:VTIMEZONE',
  ];
}

function formatEventLines(event: Feed['events'][number]): string[] {
  const {
    uid,
    summary,
    start,
    end,
    description,
    location,
    organizer,
    attendees = [],
    rrule,
    exdates = [],
    recurrenceId,
  } = event;
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${formatDigits(event.stamp.toISOString())}`,
    `LAST-MODIFIED:${formatDigits(event.stamp.toISOString())}`,
    `SEQUENCE:${event.sequence}`,
    formatTimeProperty('DTSTART', start),
    ...(end ? [formatTimeProperty('DTEND', end)] : []),
    ...(recurrenceId ? [formatTimeProperty('RECURRENCE-ID', recurrenceId)] : []),
    ...(rrule ? [`RRULE:${rrule}`] : []),
    ...exdates.map((time) => formatTimeProperty('EXDATE', time)),
    `SUMMARY:${escape(summary)}`,
    ...(description ? [`DESCRIPTION:${escape(description)}`] : []),
    ...(location ? [`LOCATION:${escape(location)}`] : []),
    ...(organizer ? [`ORGANIZER:mailto:${organizer}`] : []),
    ...attendees.map((address) => `ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:${address}`),
    ...(event.cancelled ? ['STATUS:CANCELLED'] : ['STATUS:CONFIRMED']),
    'END:VEVENT',
  ];
}

function listZones(feed: Feed): string[] {
  const times = feed.events.flatMap(({ start, end, recurrenceId, exdates = [] }) => [
    start,
    end,
    recurrenceId,
    ...exdates,
  ]);
  return [...new Set(times.flatMap((time) => (time && 'zone' in time ? [time.zone] : [])))];
}

function formatCalendar(feed: Feed): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Emulated//Calendar feed//EN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escape(feed.name)}`,
    ...listZones(feed).flatMap(formatZoneLines),
    ...feed.events.flatMap(formatEventLines),
    'END:VCALENDAR',
  ];
  return `${lines.map(fold).join('\r\n')}\r\n`;
}

/** Invalid files. Readers have to refuse them, or use their valid parts. */
const badFiles: Record<string, string> = {
  '/bad/html.ics': '<!DOCTYPE html><html><title>Sign in</title></html>',
  '/bad/empty.ics': '',
  '/bad/cut.ics': 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMM',
  '/bad/nesting.ics': 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nEND:VCALENDAR\r\nEND:VEVENT\r\n',
  '/bad/dates.ics':
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:bad\r\nDTSTART:20261340T990000Z\r\nSUMMARY:Bad\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:good\r\nDTSTART:20260302T090000Z\r\nSUMMARY:Good\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  '/bad/zone.ics':
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART;TZID=Atlantis/Poseidonis:20260302T090000\r\nSUMMARY:Where\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  '/bad/endless.ics':
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20000101T000000Z\r\nRRULE:FREQ=SECONDLY\r\nSUMMARY:Every second\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  '/bad/line-feeds.ics':
    'BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1\nDTSTART:20260302T090000Z\nSUMMARY:Bare line feeds\nEND:VEVENT\nEND:VCALENDAR\n',
};

function buildCalendarReply(content: Uint8Array, headers: Record<string, string>): Reply {
  return { headers, bytes: { contentType: 'text/calendar; charset=utf-8', content } };
}

function answer(world: World<Data>, { url, method, headers }: IncomingRequest): Reply {
  if (method !== 'GET')
    throw new WireError(405, 'method not allowed', { error: 'method not allowed' }, { allow: 'GET' });
  const bad = badFiles[url.pathname];
  if (bad !== undefined) return buildCalendarReply(Buffer.from(bad), {});
  const feed = world.data.feeds.get(url.pathname);
  // Feeds do not tell whether an address ever was right.
  if (!feed || url.search) throw new WireError(404, 'not found', { error: 'not found' });
  const content = feed.raw ?? Buffer.from(formatCalendar(feed));
  const etag = `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`;
  const changed = Math.floor(feed.changedAt.getTime() / 1000) * 1000;
  const own = { etag, 'last-modified': new Date(changed).toUTCString() };
  const match = headers['if-none-match'];
  const modified = Date.parse(headers['if-modified-since'] ?? '');
  const same =
    match === undefined ? modified >= changed : match.split(/,\s*/).some((item) => item.replace(/^W\//, '') === etag);
  return same ? { status: 304, headers: own } : buildCalendarReply(content, own);
}

function buildOrderedReply(order: OrderedAnswer): Reply {
  const status = order.kind === 'status' ? order.status : order.kind === 'rate_limited' ? 429 : 403;
  const retryAfter = order.kind === 'status' ? order.retryAfter : 60;
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { status, headers, json: { error: (order.kind === 'status' && order.reason) || 'ordered' } };
}

/** Starts the emulator on the loopback, without a feed. */
export async function startIcsEmulator(options: EmulatorOptions = {}): Promise<IcsEmulator> {
  const data: Data = { feeds: new Map() };
  const world: World<Data> = { url: '', now: options.now ?? (() => new Date()), data };
  const dialect: Dialect = {
    findAccount: () => undefined,
    answer: (incoming) => answer(world, incoming),
    ordered: buildOrderedReply,
    internalError: (detail) => ({ status: 500, json: { error: 'emulatorFault', detail } }),
  };
  const emulator = await startEmulator(world, dialect, options);
  return {
    ...emulator,
    addFeed(name) {
      const path = `/feeds/${randomBytes(12).toString('hex')}/basic.ics`;
      const feed: Feed = { name, events: [], changedAt: world.now() };
      data.feeds.set(path, feed);
      const occurrence = ({ recurrenceId }: FeedEvent) => JSON.stringify(recurrenceId ?? null);
      return {
        url: `${world.url}${path}`,
        put(event) {
          const at = feed.events.findIndex((item) => item.uid === event.uid && occurrence(item) === occurrence(event));
          const sequence = (feed.events[at]?.sequence ?? -1) + 1;
          feed.changedAt = world.now();
          feed.events.splice(at < 0 ? feed.events.length : at, at < 0 ? 0 : 1, {
            ...event,
            sequence,
            stamp: feed.changedAt,
          });
        },
        remove(uid) {
          feed.events = feed.events.filter((event) => event.uid !== uid);
          feed.changedAt = world.now();
        },
        setRaw(content) {
          feed.raw = Buffer.from(content);
          feed.changedAt = world.now();
        },
      };
    },
  };
}
