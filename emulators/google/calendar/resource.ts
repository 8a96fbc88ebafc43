// How Calendar shows calendars and events.
import { randomBytes } from 'node:crypto';
import { formatInZone } from '../../kit/zones.ts';
import { computeEventEtag } from './store.ts';
import type { Calendar, EventTime, StoredEvent } from './store.ts';
import { toInstant } from './time.ts';
import type { Instance } from './time.ts';

/** Moments are given in the zone asked for; days stay days. */
function convertEventTime(time: EventTime, zone: string, calendarZone: string): EventTime {
  if (time.date) return { date: time.date };
  const timeZone = time.timeZone ?? calendarZone;
  return { dateTime: formatInZone(toInstant(time, calendarZone), zone), timeZone };
}

function buildPerson(email: string, calendar: Calendar) {
  return { email, ...(email === calendar.id ? { self: true } : {}) };
}

function buildAttendees(calendar: Calendar, event: StoredEvent) {
  return event.content.attendees?.map((attendee) => ({
    ...attendee,
    email: attendee.email.toLowerCase(),
    ...(attendee.email.toLowerCase() === event.organizer ? { organizer: true } : {}),
    ...(attendee.email.toLowerCase() === calendar.id ? { self: true } : {}),
    responseStatus: attendee.responseStatus ?? 'needsAction',
  }));
}

/** An event resource, with its moments in `zone`. */
export function buildEventResource(calendar: Calendar, event: StoredEvent, zone = calendar.timeZone) {
  const { start, end, attendees: _attendees, sequence: _sequence, status: _status, ...rest } = event.content;
  const link = Buffer.from(`${event.id} ${calendar.id}`).toString('base64url');
  const attendees = buildAttendees(calendar, event);
  return {
    kind: 'calendar#event',
    etag: computeEventEtag(event),
    id: event.id,
    status: event.status,
    htmlLink: `https://www.google.com/calendar/event?eid=${link}`,
    created: new Date(event.created).toISOString().replace(/\.\d+/, '.000'),
    updated: new Date(event.updated).toISOString(),
    ...rest,
    creator: buildPerson(event.organizer, calendar),
    organizer: buildPerson(event.organizer, calendar),
    start: convertEventTime(start, zone, calendar.timeZone),
    end: convertEventTime(end, zone, calendar.timeZone),
    ...(event.recurringEventId ? { recurringEventId: event.recurringEventId } : {}),
    ...(event.originalStartTime
      ? { originalStartTime: convertEventTime(event.originalStartTime, zone, calendar.timeZone) }
      : {}),
    iCalUID: event.iCalUID,
    sequence: event.sequence,
    ...(attendees && attendees.length > 0 ? { attendees } : {}),
    reminders: event.content.reminders ?? { useDefault: true },
    eventType: event.content.eventType ?? 'default',
  };
}

/** One occurrence of a series as an event of its own; not kept until somebody changes it. */
export function buildInstanceEvent(series: StoredEvent, instance: Instance): StoredEvent {
  const { recurrence: _, ...content } = series.content;
  const { start } = series.content;
  const zone = start.timeZone;
  const time = (moment: Date): EventTime =>
    start.date
      ? { date: formatInstanceDay(instance, moment) }
      : { dateTime: moment.toISOString(), ...(zone ? { timeZone: zone } : {}) };
  return {
    ...series,
    id: instance.id,
    content: { ...content, start: time(instance.start), end: time(instance.end) },
    recurringEventId: series.id,
    originalStartTime: instance.originalStartTime,
  };
}

function formatInstanceDay(instance: Instance, moment: Date): string {
  const first = Date.parse(instance.originalStartTime.date ?? '');
  const days = Math.round((moment.getTime() - instance.start.getTime()) / 86_400_000);
  return new Date(first + days * 86_400_000).toISOString().slice(0, 10);
}

/** An entry of the calendar list. */
export function buildCalendarListEntry(calendar: Calendar) {
  return {
    kind: 'calendar#calendarListEntry',
    etag: `"${calendar.changes}${calendar.colorId}"`,
    id: calendar.id,
    summary: calendar.summary,
    ...(calendar.description ? { description: calendar.description } : {}),
    timeZone: calendar.timeZone,
    colorId: calendar.colorId,
    backgroundColor: '#9fe1e7',
    foregroundColor: '#000000',
    selected: true,
    accessRole: calendar.accessRole,
    defaultReminders: calendar.primary ? [{ method: 'popup', minutes: 30 }] : [],
    ...(calendar.primary ? { primary: true } : {}),
    conferenceProperties: { allowedConferenceSolutionTypes: ['hangoutsMeet'] },
  };
}

/** A calendar by itself. */
export function buildCalendarResource(calendar: Calendar) {
  return {
    kind: 'calendar#calendar',
    etag: `"${calendar.changes}${calendar.colorId}"`,
    id: calendar.id,
    summary: calendar.summary,
    ...(calendar.description ? { description: calendar.description } : {}),
    timeZone: calendar.timeZone,
    conferenceProperties: { allowedConferenceSolutionTypes: ['hangoutsMeet'] },
  };
}

/** What a request for a Meet conference turns into; undefined when it was not one. */
export function createConference(asked: unknown): { conferenceData: unknown; hangoutLink: string } | undefined {
  if (asked === null || typeof asked !== 'object' || !('createRequest' in asked)) return undefined;
  const letters = Array.from(randomBytes(10), (byte) => String.fromCharCode(97 + (byte % 26))).join('');
  const code = `${letters.slice(0, 3)}-${letters.slice(3, 7)}-${letters.slice(7)}`;
  const uri = `https://meet.google.com/${code}`;
  const conferenceData = {
    createRequest: { ...Object(asked.createRequest), status: { statusCode: 'success' } },
    entryPoints: [{ entryPointType: 'video', uri, label: `meet.google.com/${code}` }],
    conferenceSolution: { key: { type: 'hangoutsMeet' }, name: 'Google Meet' },
    conferenceId: code,
  };
  return { conferenceData, hangoutLink: uri };
}
